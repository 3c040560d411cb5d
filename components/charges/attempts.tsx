import { ChevronRight } from "lucide-react";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { classes } from "@/components/ui/classes";
import type { Placed, Stage } from "@/lib/charges/waterfall";

export type AttemptTone = "success" | "danger" | "warning" | "info";

export interface ShownAttempt {
  id: string;
  title: string;
  provider: string;
  amount: string;
  result: { text: string; tone: AttemptTone };
  /** Milliseconds it took. */
  took: string | undefined;
  /** The same as the bars, in words. */
  spent: string;
  bars: readonly Placed[];
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
interface AttemptsProps {
  attempts: readonly ShownAttempt[];
  /** How the account's own systems were told, on the same axis. */
  told: { title: string; spent: string; bars: readonly Placed[] } | undefined;
  folds: readonly { left: number; width: number; text: string }[];
  texts: { answer: string; empty: string } & Record<Stage, string>;
}

/** In the order they happened, on one axis of time: each row says in words what its bars show. */
export function Attempts({ attempts, told, folds, texts }: AttemptsProps) {
  if (attempts.length === 0) return <p className="px-5 py-4 text-ink-2 text-sm">{texts.empty}</p>;
  const stages = STAGES.filter((stage) =>
    [...attempts, ...(told ? [told] : [])].some(({ bars }) => bars.some((bar) => bar.stage === stage)),
  );
  return (
    <>
      <ul aria-hidden className="flex flex-wrap gap-x-5 gap-y-1 border-line border-b px-5 py-2 text-ink-2 text-xs">
        {stages.map((stage) => (
          <li key={stage} className="flex items-center gap-1.5">
            <span className={classes("h-2.5 w-4 rounded-sm", LOOKS[stage])} />
            {texts[stage]}
          </li>
        ))}
      </ul>
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
              <Track bars={attempt.bars} folds={folds} tone={attempt.result.tone} />
              <span className="w-16 text-right text-ink-2 text-xs tabular-nums">{attempt.took}</span>
            </div>
            <p className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-ink-3 text-xs sm:pl-8">
              <span className="tabular-nums">{attempt.spent}</span>
              <Moment {...attempt.at} />
            </p>
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
        {told ? (
          <li className="px-5 py-4">
            <p className="font-medium text-ink text-sm sm:pl-8">{told.title}</p>
            <div className="mt-2.5 flex items-center gap-3 sm:pl-8">
              <Track bars={told.bars} folds={folds} tone="info" />
              <span className="w-16" />
            </div>
            <p className="mt-1.5 text-ink-3 text-xs tabular-nums sm:pl-8">{told.spent}</p>
          </li>
        ) : null}
      </ol>
    </>
  );
}

const STAGES = ["waited", "provider", "unknown", "told"] as const satisfies readonly Stage[];
const STRIPES = "bg-[repeating-linear-gradient(135deg,currentColor_0_1px,transparent_1px_4px)]";
/** Told apart by pattern as well as by colour. */
const LOOKS: Record<Stage, string> = {
  waited: "bg-line-strong",
  provider: "bg-ink-3",
  unknown: `border border-danger text-danger ${STRIPES}`,
  told: `border border-accent text-accent ${STRIPES}`,
};
/** A bar that is too short to be seen says nothing. */
const LEAST_WIDTH = "3px";

function Track({ bars, folds, tone }: { bars: readonly Placed[]; folds: AttemptsProps["folds"]; tone: AttemptTone }) {
  return (
    <span aria-hidden className="relative h-2.5 min-w-0 flex-1 overflow-hidden rounded-sm bg-sunken">
      {bars.map(({ stage, left, width }) => (
        <span
          key={`${stage} ${left}`}
          className={classes("absolute inset-y-0 rounded-sm", LOOKS[stage], stage === "provider" && BARS[tone])}
          style={{
            left: `min(${percent(left)}, calc(100% - ${LEAST_WIDTH}))`,
            width: `max(${percent(width)}, ${LEAST_WIDTH})`,
          }}
        />
      ))}
      {folds.map(({ left, width, text }) => (
        <span
          key={left}
          title={text}
          className="absolute inset-y-0 border-ink-3 border-x border-dashed bg-surface/70"
          style={{ left: percent(left), width: percent(width) }}
        />
      ))}
    </span>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
