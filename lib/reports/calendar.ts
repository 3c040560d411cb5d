import type { ReportCron } from "@/db/schema/reports";
import { atClock, dayAt } from "@/lib/reports/zones";

const MONDAY = 1;
const DAYS_OF_WEEK = 7;

/** Days of the calendar, as dates of UTC: no clock is ever moved between them. */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const plus = (day: string, days: number): string => {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOf(date);
};

/** The first day of the period that a day is in: itself, its Monday, the first of its month. */
function beginOf(cron: ReportCron, day: string): string {
  if (cron === "daily") return day;
  if (cron === "monthly") return `${day.slice(0, 7)}-01`;
  return plus(day, -((dateOf(day).getUTCDay() - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK));
}

function nextBegin(cron: ReportCron, day: string): string {
  const begin = beginOf(cron, day);
  if (cron === "daily") return plus(begin, 1);
  return beginOf(cron, plus(begin, cron === "weekly" ? DAYS_OF_WEEK : 31));
}

/** The next moment after `after` at which a period begins, at that time of the zone's clocks. */
export function nextRun(cron: ReportCron, time: string, zone: string, after: Date): Date {
  const today = dayAt(after, zone);
  const begun = atClock(beginOf(cron, today), time, zone);
  return begun > after ? begun : atClock(nextBegin(cron, today), time, zone);
}

/** The whole day, week or month before the one that `at` is in. */
export function previousSpan(cron: ReportCron, zone: string, at: Date): { gte: string; lte: string } {
  const lte = plus(beginOf(cron, dayAt(at, zone)), -1);
  return { gte: beginOf(cron, lte), lte };
}
