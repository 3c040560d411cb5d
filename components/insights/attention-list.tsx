import { ArrowRight, CheckCircle2, OctagonAlert, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Card } from "@/components/ui/card";

export interface AttentionItem {
  href: string;
  text: string;
  detail: string | undefined;
  since: string | undefined;
  isSerious: boolean;
}

interface AttentionListProps {
  title: string;
  none: string;
  items: readonly AttentionItem[];
}

/** What a person must look at; one quiet line when there is nothing. */
export function AttentionList({ title, none, items }: AttentionListProps) {
  return (
    <Card aria-labelledby="needs-title" className="overflow-hidden">
      <h2 id="needs-title" className={items.length > 0 ? "px-5 pt-3 pb-2 font-semibold text-base text-ink" : "sr-only"}>
        {title}
      </h2>
      {items.length === 0 ? (
        <p className="flex items-center gap-2.5 px-5 py-3.5 text-ink-2 text-sm">
          <CheckCircle2 aria-hidden className="size-4 shrink-0 text-success" />
          {none}
        </p>
      ) : (
        <ul className="grid gap-px border-line border-t bg-line lg:grid-cols-2">
          {items.map(({ href, text, detail, since, isSerious }) => {
            const Icon = isSerious ? OctagonAlert : TriangleAlert;
            return (
              <li key={text} className="bg-surface lg:last:odd:col-span-2">
                <Link
                  href={href}
                  className="group flex min-h-11 items-center gap-3 px-5 py-2 text-sm -outline-offset-2 hover:bg-sunken"
                >
                  <Icon aria-hidden className={`size-4 shrink-0 ${isSerious ? "text-danger" : "text-warning"}`} />
                  <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
                    <span className="font-medium text-ink">{text}</span>
                    {detail ? <span className="text-ink-2 tabular-nums">{detail}</span> : null}
                    {since ? <span className="text-ink-3 text-xs max-sm:w-full sm:ml-auto">{since}</span> : null}
                  </span>
                  <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3 group-hover:text-ink" />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
