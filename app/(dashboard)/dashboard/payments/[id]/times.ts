import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";

/** To the second, within a panel that is about one payment. */
export const exactText = ({ format }: Words, at: Date): string =>
  format.dateTime(at, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit", second: "2-digit" });

/** To the millisecond, where the order of things is read from it. */
export const preciseText = ({ format }: Words, at: Date): string =>
  format.dateTime(at, {
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
