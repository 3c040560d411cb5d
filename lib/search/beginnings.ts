import { type SQL, sql } from "drizzle-orm";

/** Fewer letters would match half of everything. */
export const SHORTEST_BEGINNING = 3;

/**
 * A range of the column's text_pattern_ops index. Spelt with its operators, because a prepared LIKE cannot use the index,
 * and because these operators are leakproof: row security lets them reach the index.
 */
export function beginsWith(column: SQL, text: string): SQL {
  const last = text.codePointAt(text.length - 1) ?? 0;
  const end = text.slice(0, -1) + String.fromCodePoint(last + 1);
  return sql`${column} ~>=~ ${text} and ${column} ~<~ ${end}`;
}
