/** ISO 8601 durations as far as a clock needs them: calendar parts first, then exact ones. */
const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;
const MOST_CHARACTERS = 40;

export interface Duration {
  months: number;
  milliseconds: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_A_WEEK = 7;
const MONTHS_A_YEAR = 12;

export function parseDuration(text: string): Duration | undefined {
  const parts = text.length <= MOST_CHARACTERS ? DURATION.exec(text) : null;
  if (!parts?.slice(1).some((part) => part !== undefined) || text.endsWith("T")) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return {
    months: (years ?? 0) * MONTHS_A_YEAR + (months ?? 0),
    milliseconds:
      ((weeks ?? 0) * DAYS_A_WEEK + (days ?? 0)) * DAY_MS +
      (hours ?? 0) * HOUR_MS +
      (minutes ?? 0) * MINUTE_MS +
      Math.round((seconds ?? 0) * 1000),
  };
}

/** Months are of the UTC calendar; a day that the month does not have becomes its last. */
export function after(at: Date, { months, milliseconds }: Duration): Date {
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return new Date(moved.getTime() + milliseconds);
}
