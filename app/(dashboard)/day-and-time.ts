import type { getFormatter } from "next-intl/server";

type Format = Awaited<ReturnType<typeof getFormatter>>;
type Day = Pick<Intl.DateTimeFormatOptions, "day" | "month" | "year">;

/** The day without a year. */
export const SHORT_DAY = { day: "numeric", month: "short" } as const satisfies Day;

/** Asked for together with a day, the hour loses its zero in Portuguese: 4:21 beside the 04:21 of every other place. */
export const dayAndTime = (format: Format, at: Date, day: Day, timeStyle: "short" | "medium"): string =>
  [format.dateTime(at, day), format.dateTime(at, { timeStyle })].join(", ");
