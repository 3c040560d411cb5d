import { describe, expect, test } from "vitest";
import { csvCell } from "@/lib/csv";
import { type CellOptions, cellTexts, instantBytes, summing, zonedInstant } from "@/lib/reports/cells";
import { csvLines } from "@/lib/reports/copied-lines";
import { rowsIn } from "@/lib/reports/rows";
import { amountColumn, boolean, type Column, instantColumn, number, textColumn } from "@/lib/reports/types/type";
import { offsetReader } from "@/lib/reports/zones";
import { drawsFor } from "@/lib/testing/simulator/seeded";

const COLUMNS: readonly Column[] = [
  textColumn("a", ""),
  amountColumn("b", ""),
  instantColumn("c", ""),
  textColumn("d", ""),
  number("e", ""),
  boolean("f", ""),
  amountColumn("g", ""),
  textColumn("h", ""),
];
const ALPHABET = [
  "a",
  "é",
  "＝",
  "=",
  "-",
  "+",
  "@",
  " ",
  '"',
  ",",
  ";",
  "\\\\",
  "\\t",
  "\\n",
  "\\r",
  "\\.",
  "0",
  "😀",
  "\u00a0",
  "\0",
];
/** Before 1970, before year 1, after year 9999. */
const FAR = [-1, -63_000_000_000_000, 253_402_300_800_000, 253_402_300_799_999, 0];
const CURRENCIES = ["BRL", "BRL", "BRL", "USD", "JPY", "\\N"];

/** Cells as COPY may write them, of a column's kind. */
function lineOf(draws: ReturnType<typeof drawsFor>): string {
  const digits = () => String(draws.between(-5_000_000, 5_000_000));
  const cell = ({ kind }: Column): string => {
    if (draws.chance(0.15)) return "\\N";
    if (kind === "amount" || kind === "number") return digits();
    if (kind === "instant")
      return String(
        draws.chance(0.1) ? draws.pick(FAR) : 1_700_000_000_000 + draws.between(-90_000_000_000, 90_000_000_000),
      );
    if (kind === "boolean") return draws.chance(0.5) ? "t" : "f";
    return Array.from({ length: draws.between(0, 6) }, () => draws.pick(ALPHABET)).join("");
  };
  return `${[...COLUMNS.map(cell), draws.pick(CURRENCIES)].join("\t")}\n`;
}

/** The same, cell by cell. */
function slowly(lines: Buffer, options: CellOptions, delimiter: "," | ";") {
  const [texts, sum, last] = [cellTexts(COLUMNS, options), summing(COLUMNS), COLUMNS.length];
  const rows = lines.length === 0 ? [] : rowsIn(lines);
  for (const row of rows) sum.add(row);
  const written = rows.map((row) =>
    COLUMNS.map(({ kind }, at) => {
      const raw = row[at];
      if (raw === null || raw === undefined) return "";
      const said = texts[at]?.(raw, row[last] ?? null) ?? "";
      if (kind !== "number" && kind !== "amount") return csvCell(said, delimiter);
      return said.includes(delimiter) ? `"${said}"` : said;
    }).join(delimiter),
  );
  return { text: written.map((line) => `${line}\r\n`).join(""), sums: sum.sums() };
}

describe.each([
  [",", "en", "cents", "America/New_York"],
  [";", "pt", "decimal", "America/Sao_Paulo"],
  [",", "pt", "decimal", "Asia/Kathmandu"],
] as const)("lines between %s, in %s, with %s, at %s", (delimiter, language, amounts, timezone) => {
  test("are those that are made cell by cell, with the same sums, however many are taken at once", () => {
    const draws = drawsFor(`${delimiter} ${language}`);
    const options: CellOptions = { timezone, language, amounts };
    const copied = Buffer.from(Array.from({ length: 3_000 }, () => lineOf(draws)).join(""));
    const lines = csvLines(COLUMNS, options, delimiter);
    let [from, text, count] = [0, "", 0];
    while (from < copied.length) {
      const taken = lines.convert(copied, from, draws.between(1, 400));
      [from, text, count] = [taken.until, text + taken.text.toString(), count + taken.rows];
    }
    const expected = slowly(copied, options, delimiter);
    expect(count).toBe(3_000);
    expect(text).toBe(expected.text);
    expect(lines.sums()).toEqual(expected.sums);
  });
});

test("a sum beyond what an amount can be is refused", () => {
  const lines = csvLines([amountColumn("a", "")], { timezone: "UTC", language: "en", amounts: "cents" }, ",");
  const line = `${Number.MAX_SAFE_INTEGER}\tBRL\n`;
  expect(() => lines.convert(Buffer.from(line.repeat(2)), 0, 2)).toThrow(RangeError);
});

test("an instant is said as the calendar and the clock of its zone have it", () => {
  const draws = drawsFor("instants");
  const [quarter, year] = [900_000, 35_040];
  for (const zone of [
    "America/Sao_Paulo",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Apia",
    "UTC",
  ]) {
    const [said, bytes, offset] = [zonedInstant(zone), instantBytes(zone), offsetReader(zone)];
    const out = Buffer.alloc(32);
    const check = (ms: number): void => {
      const { ms: ahead, text } = offset(ms);
      const expected = `${new Date(ms + ahead).toISOString().slice(0, 19)}${text}`;
      expect(said(ms)).toBe(expected);
      expect(out.toString("latin1", 0, bytes(ms, out, 0))).toBe(expected);
    };
    for (let n = 0; n < 300; n++) check(draws.between(-2_000_000_000_000, 4_000_000_000_000));
    // In their order, over every change of a year.
    const from = Date.parse("2026-01-01T00:00:00Z") + draws.between(0, quarter);
    for (let n = 0; n < year; n += draws.between(1, 12)) check(from + n * quarter);
  }
});
