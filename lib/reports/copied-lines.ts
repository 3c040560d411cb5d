import type { ReportSums } from "@/db/schema/reports";
import { csvCell, type Delimiter } from "@/lib/csv";
import { type CellOptions, type CellText, cellTexts, instantBytes } from "@/lib/reports/cells";
import { uncopied } from "@/lib/reports/rows";
import type { Column } from "@/lib/reports/types/type";

const [TAB, NEWLINE, RETURN, QUOTE, MINUS, ZERO, NO_VALUE, BACKSLASH] = [9, 10, 13, 34, 45, 48, 78, 92] as const;
const [FIRST_PRINTED, LAST_ASCII] = [0x21, 0x7e];
const SLACK = 64;
const BASE = 10;

/** How the bytes of a column become those of a cell. */
const [COPIED_TEXT, COPIED, SUMMED, SAID, INSTANT] = [0, 1, 2, 3, 4] as const;
/** Of an instant, as `zonedInstant` says it. */
const MOST_OF_INSTANT = 32;

export interface Converted {
  rows: number;
  /** Where the lines go on. */
  until: number;
  text: Buffer;
}

/** The currency of the lines that are read, and what its amounts come to. */
interface Known {
  bytes: number;
  currency: string | null;
  sum: Float64Array;
  has: Uint8Array;
}

/**
 * Lines as COPY sends them, made lines of CSV byte by byte: a cell that is nothing special is copied and never a string.
 * Everything else (escapes, quotes, what a spreadsheet could take for a formula, times, decimals) goes the way of
 * `cellTexts` and `csvCell`.
 */
export function csvLines(columns: readonly Column[], options: CellOptions, delimiter: Delimiter) {
  const texts = cellTexts(columns, options);
  const ofInstant = instantBytes(options.timezone);
  const WAYS: Record<Column["kind"], number> = {
    text: COPIED_TEXT,
    number: COPIED,
    boolean: SAID,
    instant: INSTANT,
    amount: options.amounts === "cents" ? SUMMED : SAID,
  };
  const ways = columns.map(({ kind }) => WAYS[kind]);
  const separator = delimiter.charCodeAt(0);
  /** 1: somewhere in a cell it needs another look; 2: at its beginning. */
  const looks = new Uint8Array(256).fill(2, LAST_ASCII + 1);
  looks.fill(2, 0, FIRST_PRINTED);
  for (const beginning of "=+-@") looks[beginning.charCodeAt(0)] = 2;
  for (const special of [BACKSLASH, QUOTE, RETURN, separator]) looks[special] = 1;
  const summed = columns.flatMap(({ kind, id }, at) => (kind === "amount" ? [{ id, at }] : []));
  const places = Uint8Array.from(columns, ({ kind }) => (kind === "amount" ? 1 : 0));
  const sums = new Map<string, Float64Array>();
  /** Columns of which any line had an amount. */
  const seen = new Map<string, Uint8Array>();
  let known: Known = { bytes: -1, currency: null, sum: new Float64Array(), has: new Uint8Array() };
  let [out, end]: [Buffer, number] = [Buffer.alloc(0), 0];

  const room = (bytes: number): void => {
    if (end + bytes <= out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(out.length * 2, end + bytes));
    out.copy(larger, 0, 0, end);
    out = larger;
  };
  const put = (text: string): void => {
    room(text.length * 3);
    end += out.write(text, end);
  };
  /** A decimal comma in a file of commas. */
  const bare = (text: string): string => (text.includes(delimiter) ? `"${text}"` : text);

  /** Of the last cell of a line, which is no column; most lines have the one of the line before. */
  const currencyAt = (lines: Buffer, from: number, until: number): void => {
    const bytes = until - from === 3 ? (lines[from]! << 16) | (lines[from + 1]! << 8) | lines[from + 2]! : 0;
    if (bytes === known.bytes) return;
    const text = lines.toString("latin1", from, until);
    const currency = text === "\\N" ? null : text;
    const name = currency ?? "BRL";
    const sum = sums.get(name) ?? new Float64Array(summed.length);
    const has = seen.get(name) ?? new Uint8Array(summed.length);
    sums.set(name, sum);
    seen.set(name, has);
    known = { bytes, currency, sum, has };
  };
  const add = (nth: number, amount: number): void => {
    const sum = known.sum[nth]! + amount;
    if (!Number.isSafeInteger(sum))
      throw new RangeError(`the sum of ${summed[nth]?.id} is beyond what an amount can be`);
    known.sum[nth] = sum;
    known.has[nth] = 1;
  };
  const special = (raw: string, way: number, say: CellText, nth: number): void => {
    const cell = raw.includes("\\") ? uncopied(raw) : raw;
    if (nth >= 0) add(nth, Number(cell));
    const said = say(cell, known.currency);
    // Numbers stand bare: −5 is no formula where every cell is a number of ours.
    put(nth >= 0 || way === COPIED ? bare(said) : csvCell(said, delimiter));
  };

  return {
    /** So many lines at most, from there on. */
    convert(lines: Buffer, from: number, most: number): Converted {
      [out, end] = [Buffer.allocUnsafe((lines.length - from) * 2 + SLACK), 0];
      let [at, rows] = [from, 0];
      for (; at < lines.length && rows < most; rows++) {
        const lineEnd = lines.indexOf(NEWLINE, at);
        currencyAt(lines, lines.lastIndexOf(TAB, lineEnd) + 1, lineEnd);
        let nth = 0;
        for (let column = 0; column < ways.length; column++) {
          if (column > 0) out[end++] = separator;
          const way = ways[column]!;
          const isAmount = places[column] === 1;
          if (way === INSTANT) {
            const until = lines.indexOf(TAB, at);
            room(MOST_OF_INSTANT);
            const written = isDigit(lines[at]!) ? ofInstant(numberIn(lines, at, until), out, end) : 0;
            end += written;
            const isNone = lines[at] === BACKSLASH;
            if (written === 0 && !isNone) special(lines.toString("utf8", at, until), way, texts[column]!, -1);
            // What is copied is never longer than it was.
            room(lines.length - until + SLACK);
            at = until + 1;
            continue;
          }
          const length = copyCell(lines, at, out, end, looks);
          const until = at + (length < 0 ? ~length : length);
          const isNone = until === at || (until === at + 2 && lines[at] === BACKSLASH && lines[at + 1] === NO_VALUE);
          if (!isNone && (length < 0 || way === SAID || (way === COPIED_TEXT && looks[lines[at]!] === 2))) {
            special(lines.toString("utf8", at, until), way, texts[column]!, isAmount ? nth : -1);
            // What is copied is never longer than it was.
            room(lines.length - until + SLACK);
          } else if (!isNone) {
            end += length;
            if (isAmount) add(nth, numberIn(lines, at, until));
          }
          if (isAmount) nth++;
          at = until + 1;
        }
        out[end++] = RETURN;
        out[end++] = NEWLINE;
        at = lineEnd + 1;
      }
      return { rows, until: at, text: out.subarray(0, end) };
    },
    /** Of every amount column, by currency, since the beginning. */
    sums: (): ReportSums =>
      Object.fromEntries(
        summed.map(({ id }, nth) => [
          id,
          Object.fromEntries([...sums].flatMap(([name, sum]) => (seen.get(name)?.[nth] ? [[name, sum[nth]!]] : []))),
        ]),
      ),
  };
}

/** Copies a cell and answers its length, negated less one where something in it needs another look. */
function copyCell(lines: Buffer, from: number, out: Buffer, end: number, looks: Uint8Array): number {
  let isSpecial = false;
  let [at, to] = [from, end];
  for (let byte = lines[at]!; byte !== TAB; byte = lines[++at]!) {
    if (looks[byte] === 1) isSpecial = true;
    out[to++] = byte;
  }
  return isSpecial ? ~(at - from) : at - from;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + BASE;

function numberIn(lines: Buffer, from: number, until: number): number {
  const isNegative = lines[from] === MINUS;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < until; at++) value = value * BASE + lines[at]! - ZERO;
  return isNegative ? -value : value;
}
