import { type CivilDate, isCivilDate } from "@/lib/brazil/bank-calendar";

/** A day as an address names it; undefined for what is no day of this century: 2026-02-30, or one no database reads. */
export const dayIn = (text: string | undefined): CivilDate | undefined =>
  text?.startsWith("20") && isCivilDate(text) ? text : undefined;
