import type { CivilDate } from "@/lib/brazil/bank-calendar";

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;
const MONTHS = 12;

/** `2026-11` */
export const isMonth = (text: string): boolean => MONTH.test(text);

/** The month of the day and those before it, the newest first. */
export function lastMonths(today: CivilDate): string[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, "2026-11".length),
  );
}
