import type postgres from "postgres";
import { copyOut } from "@/db/driver/copy";
import { isUuid } from "@/lib/ids";
import type { Column, Condition, RowSource } from "@/lib/reports/types/type";

export interface Selection {
  source: RowSource;
  columns: readonly Column[];
  clientId: string;
  /** Both ends included. */
  since: Date;
  until: Date;
  conditions: readonly Condition[];
}

const NEWLINE = 10;

/** COPY takes no parameters, so values are literals: each is checked to be what its type says. */
const uuidLiteral = (value: string): string => {
  if (!isUuid(value)) throw new Error("not an id");
  return `'${value}'::uuid`;
};
const WORD = /^[a-z_]+$/;
const wordsLiteral = (values: readonly string[]): string => {
  if (!values.every((value) => WORD.test(value))) throw new Error("not a word of the contract");
  return `array[${values.map((value) => `'${value}'`).join(",")}]::text[]`;
};
const instantLiteral = (at: Date): string => `'${at.toISOString()}'::timestamptz`;

const conditionText = (condition: Condition): string =>
  "is" in condition
    ? condition.is
    : "uuid" in condition
      ? `${condition.sql} = ${uuidLiteral(condition.uuid)}`
      : `${condition.sql} = any(${wordsLiteral(condition.words)})`;

const wholeMs = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::bigint`;

/** Joins that something names, and those that they need themselves. */
function joinsOf({ source }: Selection, texts: string): string[] {
  const needed = new Set<string>();
  let known = texts;
  for (const [alias, sql] of [...source.joins].reverse()) {
    if (!new RegExp(`\\b${alias}\\.`).test(known)) continue;
    needed.add(alias);
    known += sql;
  }
  return source.joins.flatMap(([alias, sql]) => (needed.has(alias) ? [sql] : []));
}

function bodyOf(selection: Selection, texts: string): string {
  const { source, clientId, since, until, conditions } = selection;
  const where = [
    `${source.clientId} = ${uuidLiteral(clientId)}`,
    `${source.createdAt} >= ${instantLiteral(since)}`,
    `${source.createdAt} <= ${instantLiteral(until)}`,
    ...conditions.map(conditionText),
  ].join(" and ");
  return `from ${source.from} ${joinsOf(selection, texts + where).join(" ")} where ${where}`;
}

/** The columns, then the currency of the row; in the order of the files. */
export function rowsStatement(selection: Selection, most?: number): string {
  const { source, columns } = selection;
  const cells = columns.map(({ kind, sql }) => (kind === "instant" ? wholeMs(sql) : sql));
  const list = [...cells, source.currency ?? "null::text"].join(", ");
  const limit = most === undefined ? "" : ` limit ${Math.trunc(most)}`;
  return `select ${list} ${bodyOf(selection, list)} order by ${source.createdAt}, ${source.id}${limit}`;
}

export const countStatement = (selection: Selection): string =>
  `select count(*)::float8 as total ${bodyOf(selection, "")}`;

/** What PostgreSQL writes of a value, null for none. */
export type RawRow = (string | null)[];

/** Whole lines as the server sends them, some at a time: what is read waits for whoever writes it. */
export async function* copiedLines(sql: postgres.TransactionSql, statement: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of copyOut(sql, `copy (${statement}) to stdout`)) {
    const known = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const until = known.lastIndexOf(NEWLINE) + 1;
    rest = known.subarray(until);
    if (until > 0) yield known.subarray(0, until);
  }
  if (rest.length > 0) throw new Error("the copy ended within a row");
}

export async function* copyRows(sql: postgres.TransactionSql, statement: string): AsyncGenerator<RawRow[]> {
  for await (const lines of copiedLines(sql, statement)) yield rowsIn(lines);
}

export const rowsIn = (lines: Buffer): RawRow[] => lines.toString().slice(0, -1).split("\n").map(rowOf);

const rowOf = (line: string): RawRow => {
  const cells: RawRow = line.split("\t");
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!;
    if (cell === "\\N") cells[at] = null;
    else if (cell.includes("\\")) cells[at] = uncopied(cell);
  }
  return cells;
};

/** What COPY writes of characters that would end a cell or a row; nothing else of its text format is ever sent. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
export const uncopied = (cell: string): string =>
  cell.replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
