import { and, type Column, eq, getTableColumns, is, isNull, Param, Placeholder, SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import { numberOf } from "@/db/expressions";

/**
 * Statements of the hottest paths. The query builder needs longer to write a wide statement than PostgreSQL to run it,
 * so it writes each one once for each set of columns, and later uses only fill the values in. What a statement says,
 * and how values are written and read, stays the builder's own.
 */
interface Statement {
  text: string;
  slots: readonly ((values: Values) => unknown)[];
  read(rows: unknown[][]): unknown;
}

type Values = Readonly<Record<string, unknown>>;
type Row<T extends PgTable> = T["$inferSelect"];
/** An expression may stand for any value; it must be a constant of its module. */
type NewRow<T extends PgTable> = { [K in keyof T["$inferInsert"]]: T["$inferInsert"][K] | SQL };
export type Changes<T extends PgTable> = Partial<NewRow<T>>;
/** Columns that must be equal; null asks for null. */
type Where<T extends PgTable> = Partial<Row<T>>;

const written = new WeakMap<PgTable, Map<string, Statement>>();

/** Inserts and answers the rows as stored. With `skip`, rows that meet a row already there are left out. */
export const insertReturning = <T extends PgTable>(
  db: Database,
  table: T,
  rows: readonly NewRow<T>[],
  { skip = false }: { skip?: boolean } = {},
): Promise<Row<T>[]> => insert(db, table, rows, { skip, isAnswered: true });

/** Inserts without answering the rows. `evaluating` is an expression evaluated for each row, for its effect. */
export async function insertRows<T extends PgTable>(
  db: Database,
  table: T,
  rows: readonly NewRow<T>[],
  { skip = false, evaluating }: { skip?: boolean; evaluating?: SQL } = {},
): Promise<void> {
  await insert(db, table, rows, { skip, isAnswered: false, evaluating });
}

interface InsertOptions {
  skip: boolean;
  isAnswered: boolean;
  evaluating?: SQL | undefined;
}

async function insert<T extends PgTable>(
  db: Database,
  table: T,
  rows: readonly NewRow<T>[],
  { skip, isAnswered, evaluating }: InsertOptions,
): Promise<Row<T>[]> {
  const named = rows.map((row, index) => shapeOf(row, `${index}.`));
  const key = `insert ${skip} ${isAnswered} ${evaluating ? numberOf(evaluating) : ""} ${named.map((shape) => shape.key).join(";")}`;
  const statement = keep(table, key, () => {
    // Guarantee: the builder takes placeholders wherever it takes values; its types lose that for a table not yet known.
    const query = db.insert(table).values(named.map((shape) => shape.fields) as never[]);
    const guarded = skip ? query.onConflictDoNothing() : query;
    if (evaluating) return guarded.returning({ evaluated: evaluating }).toSQL();
    return isAnswered ? guarded.returning().toSQL() : guarded.toSQL();
  });
  return send(db, statement, Object.assign({}, ...named.map((shape) => shape.values)));
}

/** Changes the rows that are equal to `where` and answers them as they are now. */
export const updateReturning = <T extends PgTable>(
  db: Database,
  table: T,
  changes: Changes<T>,
  where: Where<T>,
  condition?: SQL,
): Promise<Row<T>[]> => update(db, table, changes, where, condition, true);

/** Updates without answering the rows. */
export async function updateRows<T extends PgTable>(
  db: Database,
  table: T,
  changes: Changes<T>,
  where: Where<T>,
  condition?: SQL,
): Promise<void> {
  await update(db, table, changes, where, condition, false);
}

async function update<T extends PgTable>(
  db: Database,
  table: T,
  changes: Changes<T>,
  where: Where<T>,
  condition: SQL | undefined,
  isAnswered: boolean,
): Promise<Row<T>[]> {
  const set = shapeOf(changes, "set.");
  const equal = whereOf(where, condition);
  const statement = keep(table, `update ${isAnswered} ${set.key} ${equal.key}`, () => {
    const query = db
      .update(table)
      .set(set.fields as never) // Guarantee: as above.
      .where(equal.condition(table));
    return isAnswered ? query.returning().toSQL() : query.toSQL();
  });
  return send(db, statement, { ...set.values, ...equal.values });
}

interface Finding {
  /** A constant of its module, as `order` is. */
  condition?: SQL;
  order?: SQL;
  /** The first in that order alone. */
  isFirst?: boolean;
  lock?: "key share" | "update" | undefined;
}

/** The rows that are equal to `where`, until the transaction ends locked against what `lock` keeps away. */
export async function findRows<T extends PgTable>(
  db: Database,
  table: T,
  where: Where<T>,
  { condition, order, isFirst = false, lock }: Finding = {},
): Promise<Row<T>[]> {
  const equal = whereOf(where, condition);
  const key = `select ${lock} ${order ? numberOf(order) : ""} ${isFirst} ${equal.key}`;
  const statement = keep(table, key, () => {
    // Guarantee: any table can be selected from; the builder's types ask for one already known.
    const query = db
      .select()
      .from(table as PgTable)
      .where(equal.condition(table))
      .$dynamic();
    if (order) query.orderBy(order);
    if (isFirst) query.limit(1);
    if (lock) query.for(lock);
    return query.toSQL();
  });
  return send(db, statement, equal.values);
}

/** Equal columns, and a constant condition beside them. */
function whereOf(where: Values, also: SQL | undefined) {
  const { key, fields, values } = shapeOf(where, "where.");
  const nulls = Object.keys(fields).filter((column) => where[column] === null);
  return {
    key: `where ${key} null ${nulls.join(",")} and ${also ? numberOf(also) : ""}`,
    values,
    condition(table: PgTable): SQL | undefined {
      const columns: Record<string, Column> = getTableColumns(table);
      const equal = Object.entries(fields).map(([name, place]) => {
        const column = columns[name];
        if (!column) throw new Error(`no column ${name}`);
        return where[name] === null ? isNull(column) : eq(column, new Param(place, column));
      });
      return and(...equal, also);
    },
  };
}

/** What a statement looks like for these values, and the values by the names of its places. */
function shapeOf(row: Values, prefix: string): { key: string; fields: Record<string, unknown>; values: Values } {
  const fields: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  let key = "";
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined) continue;
    const isExpression = is(value, SQL);
    key += isExpression ? `${column}#${numberOf(value)},` : `${column},`;
    fields[column] = isExpression ? value : sql.placeholder(prefix + column);
    if (!isExpression) values[prefix + column] = value;
  }
  return { key, fields, values };
}

function keep(table: PgTable, key: string, write: () => { sql: string; params: unknown[] }): Statement {
  let kept = written.get(table);
  if (!kept) {
    kept = new Map();
    written.set(table, kept);
  }
  const known = kept.get(key);
  if (known) return known;
  const { sql: text, params } = write();
  const statement = { text, slots: params.map(slotOf), read: readerOf(table) };
  kept.set(key, statement);
  return statement;
}

function slotOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => {
    const value = values[name];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

/** `select` and `returning` list the columns in the order of the table. */
function readerOf(table: PgTable): Statement["read"] {
  const columns = Object.entries(getTableColumns(table));
  return (rows) =>
    rows.map((row) => {
      const read: Record<string, unknown> = {};
      for (const [index, [name, column]] of columns.entries()) {
        const value = row[index];
        read[name] = value === null || value === undefined ? null : column.mapFromDriverValue(value);
      }
      return read;
    });
}

async function send<T>(db: Database, { text, slots, read }: Statement, values: Values): Promise<T[]> {
  const params = slots.map((slot) => slot(values));
  // Guarantee: `read` makes rows of the table the caller named.
  return runText(db, text, params, read) as Promise<T[]>;
}
