import { type Column, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import type { Write } from "@/db/writes";

/** Members of the rows that a statement reads, and the types of their columns. */
export type Members = readonly (readonly [member: string, type: string])[];

/**
 * A write of any number of rows by one parameter for each column: reading them as JSON would cost the database ten times
 * as much, which counts where the rows are many. `head` precedes the rows, which are named `alias`.
 */
export function columnSet(
  shape: string,
  head: string,
  alias: string,
  members: Members,
  rows: readonly object[],
  rest: (gate: SQL) => SQL,
): Write {
  return {
    shape,
    values: members.map(([member]) => arrayText(rows.map((row) => memberOf(row, member)))),
    text(place, gate) {
      const columns = sql.raw(`${alias} (${members.map(([member]) => columnOf(member)).join(", ")})`);
      const arrays = members.map(([, type], index) => sql`${place(index)}::${sql.raw(type)}[]`);
      return sql`${sql.raw(head)} unnest(${sql.join(arrays, sql`, `)}) as ${columns} ${rest(gate)}`;
    },
  };
}

/** Whole rows, however many, in one statement that is the same for any number of them. */
export async function insertMany<T extends PgTable>(
  db: Database,
  table: T,
  rows: readonly T["$inferSelect"][],
): Promise<void> {
  if (rows.length === 0) return;
  const columns: [string, Column][] = Object.entries(getTableColumns(table));
  const names = columns.map(([member]) => `"${columnOf(member)}"`).join(", ");
  const arrays = columns.map(([, column], index) => `$${index + 1}::${column.getSQLType()}[]`).join(", ");
  const text = `insert into "${getTableName(table)}" (${names}) select ${names} from unnest(${arrays}) as r (${names})`;
  const params = columns.map(([member, column]) =>
    arrayText(
      rows.map((row) => {
        const value = memberOf(row, member);
        return value === null || value === undefined ? null : column.mapToDriverValue(value);
      }),
    ),
  );
  await runText(db, text, params);
}

export const columnOf = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// Guarantee: members of a row are read by their names, and are of no known type.
const memberOf = (row: object, member: string): unknown => (row as Readonly<Record<string, unknown>>)[member];

const arrayText = (values: readonly unknown[]): string => `{${values.map(elementText).join(",")}}`;

function elementText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  const text = value instanceof Date ? value.toISOString() : String(value);
  return PLAIN.test(text) && text.toUpperCase() !== "NULL" ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** What an array holds without quotation marks. */
const PLAIN = /^[\w.:+-]+$/;
