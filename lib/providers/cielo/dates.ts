import { isCivilDate, saoPauloInstant } from "@/lib/brazil/bank-calendar";

const WRITTEN = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?$/;

/** They write São Paulo's time and name no zone; undefined for what cannot be read. */
export function instantOf(written: string | null | undefined): Date | undefined {
  const [, day = "", time = ""] = WRITTEN.exec(written ?? "") ?? [];
  return isCivilDate(day) ? saoPauloInstant(day, time) : undefined;
}

/** For an order alone: what cannot be read is the beginning of time. */
export const stampOf = (written: string | null | undefined): string =>
  (instantOf(written) ?? new Date(0)).toISOString();
