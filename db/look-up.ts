import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";

/** A table, and which of its rows: `who.client_id` is the client, parameters begin at $2. */
type Source<T extends PgTable = PgTable> = readonly [table: T, condition: string];
type Found<S extends Readonly<Record<string, Source>>> = { [Name in keyof S]: S[Name][0]["$inferSelect"][] };

/**
 * Reads rows of several tables in one round trip and a transaction of its own: the statement names the client to row
 * security before it looks at any of them. At most one of the sources may have more than one row.
 */
export function lookUp<S extends Readonly<Record<string, Source>>>(sources: S) {
  const parts = Object.entries(sources).map(([name, [table, condition]]) => {
    const columns = Object.entries<Column>(getTableColumns(table));
    const named = columns.map(([, column]) => `"${column.keyAsName ? toSnakeCase(column.name) : column.name}"`);
    return { name, table, condition, columns, named };
  });
  const cells = parts.flatMap(({ name, named }) => [`${name}.is_there`, ...named.map((one) => `${name}.${one}`)]);
  const joins = parts.map(
    ({ name, table, condition }) =>
      `left join lateral (select *, true as is_there from "${getTableName(table)}" where client_id = who.client_id and ${condition} offset 0) ${name} on true`,
  );
  const text = `select ${cells.join(", ")} from (select set_config('app.client_id', $1, true)::uuid as client_id) who ${joins.join(" ")}`;
  const read = (rows: unknown[][]): Record<string, unknown[]> => {
    const found: Record<string, unknown[]> = {};
    let from = 0;
    for (const { name, columns } of parts) {
      found[name] = rows.flatMap((row) => (row[from] === true ? [rowOf(columns, row, from + 1)] : []));
      from += columns.length + 1;
    }
    return found;
  };
  return async (db: Database, clientId: string, params: readonly unknown[]): Promise<Found<S>> =>
    // Guarantee: `read` makes rows of the tables of the sources, under their names.
    (await runText(db, text, [clientId, ...params], read)) as Found<S>;
}

function rowOf(columns: readonly [string, Column][], row: readonly unknown[], from: number): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [index, [name, column]] of columns.entries()) {
    const value = row[from + index];
    made[name] = value === null || value === undefined ? null : column.mapFromDriverValue(value);
  }
  return made;
}
