import { daysOf, isPeriod, type Period, type PeriodDays } from "@/app/(dashboard)/dashboard/payments/periods";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { addDays, type CivilDate, daysBetween, saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { dayIn } from "@/lib/finance/days";
import { isUuid } from "@/lib/ids";
import type { Span } from "@/lib/insights/figures";
import { addSeconds } from "@/lib/time";

/** A chart of more days says nothing, and so far back reaches a comparison of a year. */
export const MOST_DAYS = 366;

/** Both days are meant whole. */
export interface DayRange {
  from: CivilDate;
  to: CivilDate;
  count: number;
}

/** Of days that end `ahead` of today, those until today are shown; otherwise the period is. */
export type RangeProblem = "beforeStart" | "future" | "tooLong" | "ahead";

/** A period of the list, or the days that were asked for. */
export type Stretch = { period: Period; range?: undefined } | { period?: undefined; range: DayRange };

export interface HomeSpan {
  stretch: Stretch;
  span: Span;
  /** Why the days that were asked for are not what is shown. */
  problem: RangeProblem | undefined;
}

/** How the start of each step is written under a chart. */
export const STEP_LABELS = {
  hour: { timeStyle: "short" },
  day: { day: "numeric", month: "short" },
} as const satisfies Record<Span["step"], Intl.DateTimeFormatOptions>;

/** Whole days of São Paulo, up to this moment where they still run, and the same time before them. */
export function spanOf(given: GivenParameters, at: Date): HomeSpan {
  const today = saoPauloDay(at);
  const asked = rangeIn(given, today);
  const isAhead = (dayIn(oneOf(given, "to")) ?? today) > today;
  const problem = typeof asked === "string" ? asked : isAhead ? "ahead" : undefined;
  const range = typeof asked === "string" ? undefined : asked;
  const named = oneOf(given, "period");
  const stretch: Stretch = range ? { range } : { period: isPeriod(named) ? named : "today" };
  const merchantId = oneOf(given, "merchant");
  const days = stretch.range ? rangeDays(stretch.range, today) : daysOf(stretch.period, today);
  const [from, before] = [startOfSaoPauloDay(days.from), startOfSaoPauloDay(days.before)];
  const reached = new Date(before.getTime() + at.getTime() - from.getTime());
  const isOneDay = stretch.range ? stretch.range.count === 1 : stretch.period === "today";
  return {
    stretch,
    problem,
    span: {
      from,
      until: days.until ? startOfSaoPauloDay(days.until) : addSeconds(at, 1),
      before,
      // The 31st has no match in a month of 30 days: what is compared ends where this begins.
      beforeUntil: days.until || reached > from ? from : reached,
      merchantId: merchantId && isUuid(merchantId) ? merchantId : undefined,
      step: isOneDay ? "hour" : "day",
    },
  };
}

/** The days of the address; one that is left out is the other one, or today. */
function rangeIn(given: GivenParameters, today: CivilDate): DayRange | RangeProblem | undefined {
  const [first, last] = [dayIn(oneOf(given, "from")), dayIn(oneOf(given, "to"))];
  const from = first ?? last;
  if (from === undefined) return undefined;
  const to = last ?? today;
  if (from > today) return "future";
  if (to < from) return "beforeStart";
  const end = to > today ? today : to;
  const count = daysBetween(from, end) + 1;
  return count > MOST_DAYS ? "tooLong" : { from, to: end, count };
}

const rangeDays = ({ from, to, count }: DayRange, today: CivilDate): PeriodDays => ({
  from,
  until: to === today ? undefined : addDays(to, 1),
  before: addDays(from, -count),
});

/** As the list of payments is asked for the same. */
export const stretchAddress = ({ period, range }: Stretch): [name: string, value: string][] =>
  range
    ? [
        ["from", range.from],
        ["to", range.to],
      ]
    : [["period", period]];
