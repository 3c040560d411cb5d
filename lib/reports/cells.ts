import type { ReportLanguage, ReportOptions, ReportSums } from "@/db/schema/reports";
import { decimalsOf } from "@/lib/reference/currencies";
import type { RawRow } from "@/lib/reports/rows";
import type { Column } from "@/lib/reports/types/type";
import { type Offset, offsetReader } from "@/lib/reports/zones";

/** How a value of the database is said: spec/rulings.md 37. */
export type CellText = (raw: string, currency: string | null) => string;

export interface CellOptions {
  timezone: string;
  language: ReportLanguage;
  amounts: ReportOptions["amounts"];
}

export function cellTexts(columns: readonly Column[], options: CellOptions): CellText[] {
  const instant = zonedInstant(options.timezone);
  const decimal = options.language === "pt" ? "," : ".";
  const ways: Record<Column["kind"], CellText> = {
    text: (raw) => raw,
    number: (raw) => raw,
    boolean: (raw) => (raw === "t" ? "true" : "false"),
    instant: (raw) => instant(Number(raw)),
    amount:
      options.amounts === "cents"
        ? (raw) => raw
        : (raw, currency) => withDecimals(raw, currency === null ? 2 : decimalsOf(currency), decimal),
  };
  return columns.map(({ kind }) => ways[kind]);
}

export function withDecimals(cents: string, decimals: number, point: string): string {
  if (decimals === 0) return cents;
  const sign = cents.startsWith("-") ? "-" : "";
  const digits = cents.slice(sign.length).padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}${point}${digits.slice(-decimals)}`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Offsets change at such moments alone. */
const QUARTER = 15 * MINUTE;
const SIXTY = 60;
const SECONDS_OF_HOUR = SIXTY * SIXTY;
const SECONDS_OF_DAY = 24 * SECONDS_OF_HOUR;
const DAY = SECONDS_OF_DAY * SECOND;
const TWO_DIGITS = Array.from({ length: SIXTY }, (_, number) => String(number).padStart(2, "0"));
const MOST_KEPT = 10_000;
/** That a date can name. */
const LAST_INSTANT = 8_640_000_000_000_000;

/** The offset of a zone at instants that mostly stand in their order: asking for one takes longer than to write it. */
export function offsetsOf(timezone: string): (ms: number) => Offset {
  const read = offsetReader(timezone);
  const quarters = new Map<number, Offset>();
  const atQuarter = (ms: number): Offset => {
    const quarter = Math.floor(ms / QUARTER);
    const known = quarters.get(quarter);
    if (known) return known;
    const found = read(ms);
    if (quarters.size >= MOST_KEPT) quarters.clear();
    quarters.set(quarter, found);
    return found;
  };
  // No zone changes and changes back within a day: one that begins and ends alike has one offset.
  let [day, ofDay]: [number, Offset | undefined] = [Number.NaN, undefined];
  return (ms) => {
    const at = Math.floor(ms / DAY);
    if (at !== day) {
      const [begins, ends] = [read(at * DAY), read(Math.min((at + 1) * DAY, LAST_INSTANT))];
      [day, ofDay] = [at, begins.ms === ends.ms ? begins : undefined];
    }
    return ofDay ?? atQuarter(ms);
  };
}

const [TEN, DIGIT_ZERO, COLON] = [10, 48, 58] as const;
/** A day within the years 0000 and 9999, whatever the offset. */
const FIRST_OF_FOUR_DIGITS = Date.parse("0000-01-02T00:00:00Z");
const FIRST_OF_FIVE_DIGITS = Date.parse("9999-12-31T00:00:00Z");

/** `YYYY-MM-DDTHH:mm:ss±hh:mm` of an instant in milliseconds. */
export function zonedInstant(timezone: string): (ms: number) => string {
  const offsetAt = offsetsOf(timezone);
  // Most rows are of the day of the row before; the rest of an instant is digits.
  let [day, dayText] = [Number.NaN, ""];
  return (ms) => {
    const { ms: offset, text } = offsetAt(ms);
    const local = Math.floor((ms + offset) / SECOND);
    const at = Math.floor(local / SECONDS_OF_DAY);
    if (at !== day) [day, dayText] = [at, new Date(at * DAY).toISOString().slice(0, "2026-11-26T".length)];
    const second = local - at * SECONDS_OF_DAY;
    const [hour, minute] = [Math.floor(second / SECONDS_OF_HOUR), Math.floor(second / SIXTY) % SIXTY];
    return `${dayText}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second % SIXTY]}${text}`;
  };
}

/** The same text as bytes, where years have four digits: how many were written, or 0 where it is for `zonedInstant`. */
export function instantBytes(timezone: string): (ms: number, out: Buffer, end: number) => number {
  const offsetAt = offsetsOf(timezone);
  let [day, dayText]: [number, Buffer] = [Number.NaN, Buffer.alloc(0)];
  let [offset, offsetText]: [string, Buffer] = ["", Buffer.alloc(0)];
  const pair = (number: number, out: Buffer, end: number): void => {
    const tens = (number / TEN) | 0;
    out[end] = DIGIT_ZERO + tens;
    out[end + 1] = DIGIT_ZERO + number - tens * TEN;
  };
  return (ms, out, end) => {
    if (!(ms >= FIRST_OF_FOUR_DIGITS && ms < FIRST_OF_FIVE_DIGITS)) return 0;
    const { ms: shift, text } = offsetAt(ms);
    if (text !== offset) [offset, offsetText] = [text, Buffer.from(text)];
    const local = Math.floor((ms + shift) / SECOND);
    const at = Math.floor(local / SECONDS_OF_DAY);
    if (at !== day) [day, dayText] = [at, Buffer.from(new Date(at * DAY).toISOString().slice(0, "2026-11-26T".length))];
    const second = local - at * SECONDS_OF_DAY;
    const hour = (second / SECONDS_OF_HOUR) | 0;
    const minute = ((second / SIXTY) | 0) - hour * SIXTY;
    let to = end;
    for (let n = 0; n < dayText.length; n++) out[to++] = dayText[n]!;
    pair(hour, out, to);
    out[to + 2] = COLON;
    pair(minute, out, to + 3);
    out[to + 5] = COLON;
    pair(second % SIXTY, out, to + 6);
    to += "hh:mm:ss".length;
    for (let n = 0; n < offsetText.length; n++) out[to++] = offsetText[n]!;
    return to - end;
  };
}

/** Adds up every amount column by currency; an amount of no currency is the account's own, BRL. */
export function summing(columns: readonly Column[]): { add(row: RawRow): void; sums(): ReportSums } {
  const places = columns.flatMap(({ kind, id }, at) =>
    kind === "amount" ? [{ id, at, sums: new Map<string, number>() }] : [],
  );
  const last = columns.length;
  return {
    add(row) {
      const currency = row[last] ?? "BRL";
      for (const { at, sums, id } of places) {
        const cell = row[at];
        if (cell === null || cell === undefined) continue;
        const sum = (sums.get(currency) ?? 0) + Number(cell);
        if (!Number.isSafeInteger(sum)) throw new RangeError(`the sum of ${id} is beyond what an amount can be`);
        sums.set(currency, sum);
      }
    },
    sums: () => Object.fromEntries(places.map(({ id, sums }) => [id, Object.fromEntries(sums)])),
  };
}

/** What several files come to. */
export function sumsOf(parts: readonly ReportSums[]): ReportSums {
  const total: ReportSums = {};
  for (const [column, currencies] of parts.flatMap((part) => Object.entries(part))) {
    const known = total[column] ?? {};
    total[column] = known;
    for (const [currency, amount] of Object.entries(currencies)) {
      const sum = (known[currency] ?? 0) + amount;
      if (!Number.isSafeInteger(sum)) throw new RangeError(`the sum of ${column} is beyond what an amount can be`);
      known[currency] = sum;
    }
  }
  return total;
}
