import { isCalendarDay } from "@/lib/http/fields";
import type { Cents } from "@/lib/money";
import type { StatementLine } from "@/lib/providers/statements";

/** One line of an uploaded statement; without `line` it could not be read, or does not add up. */
export interface ReadLine {
  /** As a person counts them: the header is line 1. */
  number: number;
  text: string;
  line?: StatementLine;
  problem?: "malformed" | "wrong_sum";
}

const COLUMNS = ["date", "providertxid", "instalment", "gross", "cost", "net"] as const;
const MOST_LINES = 50_000;
const MOST_INSTALMENTS = 99;

/**
 * CSV with a header: date (YYYY-MM-DD), providerTxId, instalment, gross, cost, net, in reais with up to two decimals;
 * with `;` between the columns the decimals follow a comma, otherwise a point. Negative gross is what was taken.
 */
export function readStatementFile(file: string): ReadLine[] {
  const texts = file.replace(/^\uFEFF/, "").split(/\r?\n/);
  const [header = "", ...rows] = texts;
  const delimiter = header.includes(";") ? ";" : ",";
  const columns = cellsOf(header, delimiter).map((cell) => cell.toLowerCase());
  const places = COLUMNS.map((column) => columns.indexOf(column));
  if (places.includes(-1) || rows.length > MOST_LINES) return [{ number: 1, text: header, problem: "malformed" }];
  const times = new Map<string, number>();
  return rows.flatMap((text, index) => {
    if (text.trim() === "") return [];
    const row = readRow(cellsOf(text, delimiter), places, delimiter);
    return [{ number: index + 2, text, ...(row.line ? { line: named(row.line, times) } : { problem: row.problem }) }];
  });
}

/**
 * An instalment is settled once, and a sale may be refunded often: refunds of a day are told apart by their amounts, and
 * equal ones by how many of them came before, so that a file that is brought again names them as before.
 */
function named(line: StatementLine, times: Map<string, number>): StatementLine {
  if (line.kind !== "refund") return line;
  const equal = `${line.settledOn}:${line.instalment}:${-grossOf(line)}:${line.providerTxId}`;
  const time = (times.get(equal) ?? 0) + 1;
  times.set(equal, time);
  return { ...line, id: `file:refund:${time}:${equal}` };
}

export const grossOf = ({ amount, cost }: Pick<StatementLine, "amount" | "cost">): Cents => amount + cost;

/** Statements carry no free text: a quote is around a whole cell or nowhere. */
const cellsOf = (text: string, delimiter: string): string[] =>
  text.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

function readRow(
  cells: readonly string[],
  places: readonly number[],
  delimiter: string,
): { line: StatementLine; problem?: undefined } | { line?: undefined; problem: "malformed" | "wrong_sum" } {
  const [settledOn = "", providerTxId = "", part = "", ...amounts] = places.map((place) => cells[place] ?? "");
  const [gross, cost, net] = amounts.map((amount) => centsOf(amount, delimiter === ";" ? "," : "."));
  const instalment = part === "" ? 1 : Number(part);
  const isRead = isCalendarDay(settledOn) && /^[\x21-\x7e]{1,128}$/.test(providerTxId);
  const isPart = Number.isInteger(instalment) && instalment >= 1 && instalment <= MOST_INSTALMENTS;
  if (!isRead || !isPart || gross === undefined || cost === undefined || net === undefined)
    return { problem: "malformed" };
  if (gross - cost !== net || cost < 0) return { problem: "wrong_sum" };
  const kind = gross < 0 ? "refund" : "settlement";
  const id = `file:${kind}:${settledOn}:${providerTxId}:${instalment}`;
  return { line: { id, providerTxId, kind, instalment, amount: net, cost, settledOn } };
}

const AMOUNTS = { ".": /^-?\d{1,12}(\.\d{1,2})?$/, ",": /^-?\d{1,12}(,\d{1,2})?$/ } as const;

/** Exact: no floating point on the way. */
function centsOf(text: string, mark: "." | ","): Cents | undefined {
  if (!AMOUNTS[mark].test(text)) return undefined;
  const [whole = "", part = ""] = text.replace("-", "").split(mark);
  const cents = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  return text.startsWith("-") ? 0 - cents : cents;
}
