const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/;

/** A name of the tz database; an offset is none. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

const MINUTE = 60_000;

export interface Offset {
  readonly ms: number;
  /** `-03:00` */
  readonly text: string;
}

/** How far the zone is from UTC at an instant. */
export function offsetReader(zone: string): (ms: number) => Offset {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
    const [, sign = "+", hours = "00", minutes = "00"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE;
    return { ms: sign === "-" ? -offset : offset, text: `${sign}${hours}:${minutes}` };
  };
}

/** The instant at which clocks of the zone show so much of a day; of an hour that is skipped, the moment after it. */
export function atClock(day: string, time: string, zone: string): Date {
  const offsetAt = offsetReader(zone);
  const shown = Date.parse(`${day}T${time}:00Z`);
  const guess = shown - offsetAt(shown).ms;
  const found = shown - offsetAt(guess).ms;
  const isShown = found + offsetAt(found).ms === shown;
  return new Date(isShown ? found : Math.max(found, guess));
}

export const dayBegins = (day: string, zone: string): Date => atClock(day, "00:00", zone);

/** The day that calendars of the zone show. */
export const dayAt = (at: Date, zone: string): string =>
  new Date(at.getTime() + offsetReader(zone)(at.getTime()).ms).toISOString().slice(0, 10);
