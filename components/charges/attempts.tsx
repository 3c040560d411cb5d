import { ChevronRight } from "lucide-react";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { classes } from "@/components/ui/classes";

export type AttemptTone = "success" | "danger" | "warning" | "info";

export interface ShownAttempt {
  id: string;
  title: string;
  provider: string;
  amount: string;
  result: { text: string; tone: AttemptTone };
  /** Milliseconds it took, in words and as a part of the longest. */
  took: { text: string; share: number } | undefined;
  at: { at: Date; text: string };
  reason: string | undefined;
  /** The provider's own words. */
  said: string | undefined;
  codes: readonly string[];
  answer: string | undefined;
}

const BARS: Record<AttemptTone, string> = {
  success: "bg-success",
  danger: "bg-danger",
  warning: "bg-warning",
  info: "bg-info",
};
/** A bar that is too short to be seen says nothing. */
const LEAST_SHARE = 0.03;

interface AttemptsProps {
  attempts: readonly ShownAttempt[];
  texts: { answer: string; empty: string };
}

/** In the order they happened; each with a bar as long as it took. */
export function Attempts({ attempts, texts }: AttemptsProps) {
  if (attempts.length === 0) return <p className="px-5 py-4 text-ink-2 text-sm">{texts.empty}</p>;
  return (
    <ol className="divide-y divide-line">
      {attempts.map((attempt, index) => (
        <li key={attempt.id} className="px-5 py-4">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span
              aria-hidden
              className="grid size-5 place-items-center rounded-full bg-sunken font-medium text-ink-2 text-xs tabular-nums ring-1 ring-line ring-inset"
            >
              {index + 1}
            </span>
            <p className="font-medium text-ink text-sm">{attempt.title}</p>
            <p className="text-ink-2 text-sm">{attempt.provider}</p>
            <Badge tone={attempt.result.tone}>{attempt.result.text}</Badge>
            <p className="ml-auto whitespace-nowrap font-medium text-ink text-sm tabular-nums">{attempt.amount}</p>
          </div>
          <div className="mt-2.5 flex items-center gap-3 sm:pl-8">
            {attempt.took ? (
              <>
                <span aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-sunken">
                  <span
                    className={classes("block h-full rounded-full", BARS[attempt.result.tone])}
                    style={{ width: `${Math.max(attempt.took.share, LEAST_SHARE) * 100}%` }}
                  />
                </span>
                <span className="w-16 text-right text-ink-2 text-xs tabular-nums">{attempt.took.text}</span>
              </>
            ) : (
              <span className="flex-1" />
            )}
            <Moment {...attempt.at} className="text-ink-3 text-xs" />
          </div>
          <div className="mt-2 grid gap-1 sm:pl-8">
            {attempt.reason ? <p className="text-ink text-sm">{attempt.reason}</p> : null}
            {attempt.said ? <p className="text-ink-2 text-sm">{attempt.said}</p> : null}
            {attempt.codes.length > 0 ? (
              <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ink-2 text-xs">
                {attempt.codes.map((code) => (
                  <li key={code} className="break-all tabular-nums">
                    {code}
                  </li>
                ))}
              </ul>
            ) : null}
            {attempt.answer ? (
              <details className="group mt-1">
                <summary className="-ml-1 inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm px-1 text-ink-2 text-xs hover:text-ink">
                  <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
                  {texts.answer}
                </summary>
                <pre
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
                  tabIndex={0}
                  className="mt-2 max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-ink-2 text-xs leading-5"
                >
                  {attempt.answer}
                </pre>
              </details>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
