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

/** `YYYY-MM-DDTHH:mm:ss±hh:mm` of an instant in milliseconds. */
export function zonedInstant(timezone: string): (ms: number) => string {
  const read = offsetReader(timezone);
  const offsets = new Map<number, Offset>();
  const offsetAt = (ms: number) => {
    const quarter = Math.floor(ms / QUARTER);
    const known = offsets.get(quarter);
    if (known) return known;
    const found = read(ms);
    if (offsets.size >= MOST_KEPT) offsets.clear();
    offsets.set(quarter, found);
    return found;
  };
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
