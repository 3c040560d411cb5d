import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { dayAndTime, SHORT_DAY } from "@/app/(dashboard)/day-and-time";

/** To the second, within a panel that is about one payment. */
export const exactText = ({ format }: Words, at: Date): string => dayAndTime(format, at, SHORT_DAY, "medium");

/** To the millisecond, where the order of things is read from it: no style of a language goes so far. */
export const preciseText = ({ format }: Words, at: Date): string =>
  `${format.dateTime(at, SHORT_DAY)}, ${format.dateTime(at, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  })}`;
