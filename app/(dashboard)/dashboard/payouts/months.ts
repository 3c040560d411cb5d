import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;
const WEEK = 7;

/** `2026-11` */
export const monthIn = (text: string | undefined): string | undefined =>
  text !== undefined && MONTH.test(text) ? text : undefined;

export function monthAfter(month: string, months: 1 | -1): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, month.length);
}

/** Weeks from Sunday to Saturday that the month lies in. */
export function weeksOf(month: string): CivilDate[][] {
  const first: CivilDate = `${month}-01`;
  const begin = addDays(first, -new Date(`${first}T00:00:00Z`).getUTCDay());
  const weeks: CivilDate[][] = [];
  for (let sunday = begin; sunday < `${monthAfter(month, 1)}-01`; sunday = addDays(sunday, WEEK)) {
    weeks.push(Array.from({ length: WEEK }, (_, index) => addDays(sunday, index)));
  }
  return weeks;
}
