import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/**
 * Constants of the code, written into the statement instead of sent beside it. The condition of a partial index is only
 * proven by a literal: a parameter makes PostgreSQL plan the statement anew each time, and its generic plan reads the
 * whole table.
 */
type Constant<C extends AnyPgColumn> = C["_"]["data"] & string;

export const equalsLiteral = <C extends AnyPgColumn>(column: C, value: Constant<C>): SQL =>
  sql`${column} = ${literal(value)}`;

export const isOneOf = <C extends AnyPgColumn>(column: C, values: readonly Constant<C>[]): SQL =>
  sql`${column} in (${sql.join(values.map(literal), sql.raw(", "))})`;

/** A list of constants, with its parentheses, for checks of the schema. */
export const literals = (values: readonly string[]): SQL => sql`(${sql.join(values.map(literal), sql.raw(", "))})`;

/**
 * For checks of tables that every payment writes: each statement that writes such a row reads all checks of the table
 * anew, a list of constants one by one, and an array as one value.
 */
export const isAmong = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} = any (${sql.raw(`'{${values.map(checked).join(",")}}'`)}::text[])`;

const WORD = /^[\w.:-]+$/;

const literal = (value: string): SQL => sql.raw(`'${checked(value)}'`);

function checked(value: string): string {
  if (!WORD.test(value)) throw new Error("a literal is a word of the code, never a value from outside");
  return value;
}
