import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import Link from "next/link";

export interface StatProps {
  name: string;
  value: string;
  /** Opens the payments behind the figure. */
  href: string;
  /** Opens how the figure is made. */
  why: string;
  detail?: string | undefined;
  change: { text: string; direction: "up" | "down" | "same"; isGood: boolean | undefined } | undefined;
}

const ICONS = { up: ArrowUp, down: ArrowDown, same: Minus };

export function Stat({ name, value, href, why, detail, change }: StatProps) {
  const Icon = ICONS[change?.direction ?? "same"];
  const tone = change?.isGood === undefined ? "text-ink-2" : change.isGood ? "text-success" : "text-danger";
  return (
    <div className="relative bg-surface px-5 py-4 hover:bg-sunken/60 max-sm:px-4">
      <dt className="text-ink-2 text-sm">
        <Link href={href} className="rounded-sm after:absolute after:inset-0 focus-visible:after:outline-2">
          {name}
        </Link>
      </dt>
      <dd className="mt-1 break-words font-semibold text-ink text-lg tabular-nums sm:text-2xl">
        <Link
          href={why}
          scroll={false}
          prefetch={false}
          data-why
          className="relative z-10 rounded-sm underline decoration-1 decoration-dotted decoration-line-strong underline-offset-[6px] hover:decoration-current"
        >
          {value}
        </Link>
      </dd>
      <dd className="mt-1 flex min-h-5 flex-wrap items-center gap-x-2 text-xs">
        {change ? (
          <span className={`inline-flex items-center gap-1 font-medium tabular-nums ${tone}`}>
            <Icon aria-hidden className="size-3.5" />
            {change.text}
          </span>
        ) : null}
        {detail ? <span className="text-ink-3">{detail}</span> : null}
      </dd>
    </div>
  );
}

/** Figures that are read together. */
export function Stats({ label, stats }: { label: string; stats: readonly StatProps[] }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-sm lg:grid-cols-4"
    >
      {stats.map((stat) => (
        <Stat key={stat.name} {...stat} />
      ))}
    </dl>
  );
}
