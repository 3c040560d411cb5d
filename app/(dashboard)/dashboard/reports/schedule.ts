import { REPORT_CRONS, type ReportCron } from "@/db/schema/reports";

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** When a report repeats, as it was typed; null where it does not. */
export function scheduleOf(typed: { cron: string; time: string }): { cron: ReportCron; time: string } | "unfit" | null {
  const cron = REPORT_CRONS.find((name) => name === typed.cron);
  if (!cron) return null;
  return TIME.test(typed.time) ? { cron, time: typed.time } : "unfit";
}

interface Kept {
  id: string;
  nextAt: Date | null;
  timezone: string;
}

/** When the one that was just saved first comes, on the clock that it goes by; undefined where it is gone or never comes. */
export function firstOf(kept: readonly Kept[], id: string | undefined): { at: Date; timeZone: string } | undefined {
  const row = kept.find((one) => one.id === id);
  return row?.nextAt ? { at: row.nextAt, timeZone: row.timezone } : undefined;
}
