import Link from "next/link";
import { classes } from "@/components/ui/classes";

interface MoneyStripProps {
  label: string;
  parts: readonly { name: string; amount: string; isStrong?: boolean; isZero: boolean; href?: string }[];
}

export function MoneyStrip({ label, parts }: MoneyStripProps) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-sm sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none"
    >
      {parts.map(({ name, amount, isStrong, isZero, href }) => (
        <div key={name} className="bg-surface px-5 py-3.5 max-sm:last:odd:col-span-2">
          <dt className="text-ink-2 text-xs">{name}</dt>
          <dd
            className={classes(
              "mt-0.5 whitespace-nowrap font-semibold text-lg tabular-nums",
              isStrong ? "text-accent-ink" : isZero ? "text-ink-3" : "text-ink",
            )}
          >
            {href ? (
              <Link
                href={href}
                scroll={false}
                prefetch={false}
                data-why
                className="rounded-sm underline decoration-dotted decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                {amount}
              </Link>
            ) : (
              amount
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
