import Link from "next/link";
import { Card, CardHeader } from "@/components/ui/card";

export interface Ranked {
  key: string;
  text: string;
  href?: string | undefined;
  value: string;
  detail: string | undefined;
  /** 0 to 1. */
  share: number;
  /** Too few to say anything. */
  isFaint?: boolean;
}

interface RankingProps {
  title: string;
  description?: string;
  none: string;
  items: readonly Ranked[];
  tone: "accent" | "danger";
}

/** Names with a bar each; the bar only repeats the figure. What is said of it has a line of its own, long or short. */
export function Ranking({ title, description, none, items, tone }: RankingProps) {
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={description} />
      {items.length === 0 ? <p className="px-5 py-6 text-ink-3 text-sm">{none}</p> : null}
      <ul className="grid grid-cols-1 gap-3 px-5 py-4 empty:hidden">
        {items.map(({ key, text, href, value, detail, share, isFaint }) => (
          <li key={key} className="text-sm">
            <div className="flex items-baseline justify-between gap-x-3">
              {href ? (
                <Link href={href} className="min-w-0 rounded-sm text-ink hover:underline">
                  {text}
                </Link>
              ) : (
                <span className="min-w-0 text-ink">{text}</span>
              )}
              <span className="whitespace-nowrap text-ink tabular-nums">{value}</span>
            </div>
            {detail ? <p className="text-ink-3 text-xs tabular-nums">{detail}</p> : null}
            <div aria-hidden className="mt-1.5 h-1.5 rounded-full bg-sunken">
              <div
                className={`h-full forced-color-adjust-none rounded-full ${isFaint ? "bg-line-strong" : tone === "danger" ? "bg-danger" : "bg-accent"}`}
                style={{ width: `${Math.max(2, share * 100)}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
