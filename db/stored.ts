import { type Column, getTableColumns, SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

type Row<T extends PgTable> = T["$inferSelect"];

/** A new row as the database answers it: with the defaults of its columns. Their order says nothing. */
export function storedRow<T extends PgTable>(table: T, row: T["$inferInsert"]): Row<T> {
  const columns: Record<string, Column> = getTableColumns(table);
  const given: Readonly<Record<string, unknown>> = row;
  const stored: Record<string, unknown> = {};
  for (const name in columns) {
    const column = columns[name];
    if (column) stored[name] = storedValue(column, given[name] === undefined ? defaultOf(column) : given[name]);
  }
  // Guarantee: every column of the table was given its value.
  return stored as Row<T>;
}

/** Of a row whose empty columns are always the same: fewer parameters, and no more shapes of the statement. */
export const withoutNulls = <R extends object>(row: R): R =>
  // Guarantee: what is left out of a new row is null.
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as R;

/** A row after these changes. */
export function changedRow<T extends PgTable>(table: T, row: Row<T>, changes: Partial<T["$inferInsert"]>): Row<T> {
  const columns: Record<string, Column> = getTableColumns(table);
  const changed: Record<string, unknown> = { ...row };
  for (const [name, value] of Object.entries(changes)) {
    const column = columns[name];
    if (column && value !== undefined) changed[name] = storedValue(column, value);
  }
  // Guarantee: the row with other values in some of its columns.
  return changed as Row<T>;
}

function defaultOf({ name, hasDefault, default: value }: Column): unknown {
  if (!hasDefault) return null;
  if (value instanceof SQL) throw new Error(`only the database knows the default of ${name}`);
  return value;
}

const storedValue = ({ dataType }: Column, value: unknown): unknown =>
  dataType === "json" ? storedJson(value) : value;

/** As `jsonb` keeps it: what JSON says of it, with shorter names first. */
export function storedJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON();
  if (Array.isArray(value)) return value.map((one) => storedJson(one) ?? null);
  const stored: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort(asStored)) {
    const member: unknown = value[name as keyof typeof value];
    if (member !== undefined) stored[name] = storedJson(member);
  }
  return stored;
}

const asStored = (a: string, b: string): number =>
  Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
