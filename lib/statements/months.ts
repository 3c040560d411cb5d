import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;
const MONTHS = 12;

/** `2026-11` */
export const isMonth = (text: string): boolean => MONTH.test(text);

/** The month of the day and those before it, the newest first; none from before whose they are began. */
export function lastMonths(today: CivilDate, began?: CivilDate): string[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const months = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, "2026-11".length),
  );
  return months.filter((each, back) => back === 0 || began === undefined || each >= began.slice(0, each.length));
}

/** Months that any of them has a statement of. */
export function monthsSince(today: CivilDate, began: readonly Date[]): string[] {
  const first = began.map(saoPauloDay).sort()[0];
  return lastMonths(today, first);
}
