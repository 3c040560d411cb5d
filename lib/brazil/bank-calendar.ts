/** A calendar day, `YYYY-MM-DD`. Settlement, payout and boleto days are days in São Paulo. */
export type CivilDate = string;

export const SAO_PAULO = "America/Sao_Paulo";

const DAY_MS = 86_400_000;
const CIVIL_DATE = /^\d{4}-\d{2}-\d{2}$/;
const SATURDAY = 6;
const SUNDAY = 0;

const midnightUtc = (day: CivilDate): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (utc: number): CivilDate => new Date(utc).toISOString().slice(0, 10);

/** Whether this is a real day of the calendar: 2026-02-30 is not. */
export function isCivilDate(text: string): boolean {
  if (!CIVIL_DATE.test(text)) return false;
  const utc = midnightUtc(text);
  return !Number.isNaN(utc) && dayOf(utc) === text;
}

function parseDay(day: CivilDate): number {
  if (!isCivilDate(day)) throw new RangeError(`${day} is not a day`);
  return midnightUtc(day);
}

export const addDays = (day: CivilDate, days: number): CivilDate => dayOf(parseDay(day) + days * DAY_MS);

/** Days from one day to another; negative when `to` is earlier. */
export const daysBetween = (from: CivilDate, to: CivilDate): number => (parseDay(to) - parseDay(from)) / DAY_MS;

/** 0 is Sunday. */
export const weekday = (day: CivilDate): number => new Date(parseDay(day)).getUTCDay();

/** Gregorian computus (Meeus): midnight UTC of Easter Sunday. */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const monthAndDay = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(monthAndDay / 31) - 1, (monthAndDay % 31) + 1);
}

const FIXED_HOLIDAYS = ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"];
const BLACK_CONSCIOUSNESS = { day: "11-20", since: 2024 };
/** Days from Easter: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const MOVABLE_HOLIDAYS = [-48, -47, -2, 60];

const holidaysByYear = new Map<number, ReadonlySet<CivilDate>>();

/** Days on which banks do not settle, week-ends aside. State and municipal holidays do not count; 31 December is a bank day. */
export function bankHolidays(year: number): ReadonlySet<CivilDate> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const fixed = year >= BLACK_CONSCIOUSNESS.since ? [...FIXED_HOLIDAYS, BLACK_CONSCIOUSNESS.day] : FIXED_HOLIDAYS;
  const days = new Set([
    ...fixed.map((day) => `${String(year).padStart(4, "0")}-${day}`),
    ...MOVABLE_HOLIDAYS.map((offset) => dayOf(easter(year) + offset * DAY_MS)),
  ]);
  holidaysByYear.set(year, days);
  return days;
}

export function isBankDay(day: CivilDate): boolean {
  const ofWeek = weekday(day);
  return ofWeek !== SATURDAY && ofWeek !== SUNDAY && !bankHolidays(Number(day.slice(0, 4))).has(day);
}

/** A day as an instant, to be named: noon in Brazil is within it for readers almost everywhere. */
export const noonOf = (day: CivilDate): Date => new Date(`${day}T12:00:00-03:00`);

/** The first bank day on or after a day. */
export function rollForward(day: CivilDate): CivilDate {
  let next = day;
  while (!isBankDay(next)) next = addDays(next, 1);
  return next;
}

/** The last bank day before a day. */
export function previousBankDay(day: CivilDate): CivilDate {
  let before = addDays(day, -1);
  while (!isBankDay(before)) before = addDays(before, -1);
  return before;
}

/** The first bank day after a day. */
export const nextBankDay = (day: CivilDate): CivilDate => rollForward(addDays(day, 1));

const CREDIT_CYCLE_DAYS = 30;

/** The day on which instalment `number` (from 1) of a credit sale is available. */
export const creditSettlementDay = (capturedOn: CivilDate, number: number): CivilDate =>
  rollForward(addDays(capturedOn, CREDIT_CYCLE_DAYS * number));

const WALL_CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: SAO_PAULO,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** What a clock on a wall in São Paulo shows, `YYYY-MM-DDTHH:MM:SS`. The zone had daylight saving until 2019. */
export function saoPauloWallTime(instant: Date): string {
  const at = instant.getTime();
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  if (!(at >= 0 && at < YEAR_10000)) return formatted(instant);
  let offset = offsets.get(quarter);
  if (offset === undefined) {
    offset = Date.parse(`${formatted(new Date(quarter))}Z`) - quarter;
    if (offsets.size >= MOST_OFFSETS) offsets.clear();
    offsets.set(quarter, offset);
  }
  return new Date(at + offset).toISOString().slice(0, SHOWN_LENGTH);
}

/** The zone's clocks were only ever changed at a quarter of an hour since 1970; formatting costs twenty times as much. */
const QUARTER_MS = 900_000;
const YEAR_10000 = Date.UTC(10_000, 0);
const SHOWN_LENGTH = "YYYY-MM-DDTHH:MM:SS".length;
/** By the quarter; a day asks for some of them again and again. */
const offsets = new Map<number, number>();
const MOST_OFFSETS = 4_096;

function formatted(instant: Date): string {
  const shown = new Map(WALL_CLOCK.formatToParts(instant).map((part) => [part.type, part.value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`;
}

export const saoPauloDay = (instant: Date): CivilDate => saoPauloWallTime(instant).slice(0, 10);

/** Milliseconds that São Paulo is ahead of UTC (behind: negative), to the second. */
const zoneOffsetAt = (utc: number): number => {
  const whole = Math.floor(utc / 1000) * 1000;
  return Date.parse(`${saoPauloWallTime(new Date(whole))}Z`) - whole;
};

/**
 * The instant at which São Paulo's clocks show this time (`HH:MM:SS`). A time that a clock change skipped is read with
 * the offset before the change; of a time that occurred twice the first is taken.
 */
export function saoPauloInstant(day: CivilDate, time: string): Date {
  const wall = Date.parse(`${day}T${time}Z`);
  if (!isCivilDate(day) || Number.isNaN(wall)) throw new RangeError(`${day} ${time} is not a time of a day`);
  // The offsets of half a day before and after: different only around a clock change.
  const candidates = [wall - DAY_MS / 2, wall + DAY_MS / 2].map((near) => wall - zoneOffsetAt(near));
  const exact = candidates.filter((utc) => utc + zoneOffsetAt(utc) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? wall));
}

export const startOfSaoPauloDay = (day: CivilDate): Date => saoPauloInstant(day, "00:00:00");

/** The last millisecond of a day in São Paulo. */
export const endOfSaoPauloDay = (day: CivilDate): Date => new Date(startOfSaoPauloDay(addDays(day, 1)).getTime() - 1);
