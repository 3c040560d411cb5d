import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";

export const PERIODS = ["today", "7d", "30d", "90d", "month", "lastMonth"] as const;
export type Period = (typeof PERIODS)[number];

export const isPeriod = (text: string | undefined): text is Period => PERIODS.some((period) => period === text);

export interface PeriodDays {
  /** The first day. */
  from: CivilDate;
  /** The day after the last one; undefined where it runs up to now. */
  until: CivilDate | undefined;
  /** The first day of the stretch that it is compared with. */
  before: CivilDate;
}

const DAYS = { today: 1, "7d": 7, "30d": 30, "90d": 90 } as const;

/** Whole days of São Paulo; a month is one of the calendar, compared with the one before it, however long each is. */
export function daysOf(period: Period, today: CivilDate): PeriodDays {
  if (period === "month" || period === "lastMonth") {
    const first = firstOfMonth(today);
    const last = monthBefore(first);
    return period === "month"
      ? { from: first, until: undefined, before: last }
      : { from: last, until: first, before: monthBefore(last) };
  }
  const from = addDays(today, 1 - DAYS[period]);
  return { from, until: undefined, before: addDays(from, -DAYS[period]) };
}

const firstOfMonth = (day: CivilDate): CivilDate => `${day.slice(0, "2026-11".length)}-01`;
const monthBefore = (first: CivilDate): CivilDate => firstOfMonth(addDays(first, -1));
