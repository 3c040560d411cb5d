import { addDays, type CivilDate, endOfSaoPauloDay } from "@/lib/brazil/bank-calendar";

const REMINDER_HOUR = 9;
const HOUR_MS = 3_600_000;

/** Nine o'clock in São Paulo, on the day before. */
export function saoPauloInstant(dueOn: CivilDate): Date {
  const midnight = endOfSaoPauloDay(addDays(dueOn, -2)).getTime() + 1;
  return new Date(midnight + REMINDER_HOUR * HOUR_MS);
}
