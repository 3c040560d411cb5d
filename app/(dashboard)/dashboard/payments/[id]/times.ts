import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { dayAndTime, SHORT_DAY } from "@/app/(dashboard)/day-and-time";

/** To the second, within a panel that is about one payment. */
export const exactText = ({ format }: Words, at: Date): string => dayAndTime(format, at, SHORT_DAY, "medium");

/**
 * To the millisecond, where the order of things is read from it: no style of a language goes so far, so that it is put
 * behind the seconds of the style that the rest of the page has.
 */
export function preciseText(words: Words, at: Date): string {
  const decimal = words.format.number(at.getMilliseconds() / SECOND_MS, { minimumFractionDigits: 3 });
  return exactText(words, at).replace(/:\d{2}:\d{2}/, (clock) => clock + decimal.slice(1));
}

const SECOND_MS = 1_000;
