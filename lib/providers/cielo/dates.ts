import { isCivilDate, saoPauloInstant } from "@/lib/brazil/bank-calendar";

const WRITTEN = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?$/;

/** They write São Paulo's time and name no zone; what cannot be read is the beginning of time. */
export function instantOf(written: string | null | undefined): Date {
  const [, day = "", time = ""] = WRITTEN.exec(written ?? "") ?? [];
  return isCivilDate(day) ? saoPauloInstant(day, time) : new Date(0);
}
