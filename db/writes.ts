import { type Column, getTableColumns, getTableName, is, Param, Placeholder, SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import { numberOf } from "@/db/expressions";

/**
 * Several writes as one statement: one round trip, one plan, one snapshot, so none sees what another wrote. Nothing is
 * decided in it: every row is handed over as it shall be.
 */
export interface Write {
  /** What it says apart from its values: statements are kept by it. */
  readonly shape: string;
  readonly values: readonly unknown[];
  /** `place` makes the parameter of the n-th value; `gate` holds for every row, or for none. */
  text(place: Place, gate: SQL): SQL;
  /** Its name in the statement, for those that refer to it. */
  readonly as?: string;
  /** Nothing behind it is written when this writes nothing. */
  readonly isGate?: boolean;
  /** A statement in which this does not write one row fails, and writes nothing at all. */
  readonly isMust?: boolean;
  /** The write, by its name, without which this one writes nothing. */
  readonly needs?: string;
}

export type Place = (index: number, column?: Column) => SQL;
type Values = Readonly<Record<string, unknown>>;
type Row<T extends PgTable> = T["$inferSelect"];
/** An expression must be a constant of its module. */
export type NewRow<T extends PgTable> = { [K in keyof T["$inferInsert"]]: T["$inferInsert"][K] | SQL };
type Named = Pick<Write, "as" | "isGate" | "isMust" | "needs">;

interface InsertionOptions extends Named {
  /** A row that is there already is left alone. */
  skip?: boolean;
  /** `on conflict … do update …` */
  upsert?: SQL;
  /** Evaluated once the row is written, for its effect. */
  evaluating?: SQL;
}

export function insertion<T extends PgTable>(table: T, row: NewRow<T>, options: InsertionOptions = {}): Write {
  const { skip, upsert, evaluating, ...named } = options;
  const given = givenOf(row);
  const also = [skip && "skip", upsert && numberOf(upsert), evaluating && numberOf(evaluating)].join(" ");
  return {
    ...named,
    shape: `insert ${getTableName(table)} ${given.shape} ${also}`,
    values: given.values,
    text(place, gate) {
      const { names, cells } = cellsOf(table, row, given.keys, place, 0);
      const conflict = skip ? sql` on conflict do nothing` : (upsert ?? sql``);
      return sql`insert into ${tableOf(table)} (${sql.join(names, sql`, `)}) select ${sql.join(cells, sql`, `)}
        where ${gate} ${conflict} returning ${evaluating ?? sql`1`}`;
    },
  };
}

/** Changes the rows that are equal to `where`. */
export function change<T extends PgTable>(
  table: T,
  changes: Partial<NewRow<T>>,
  where: Partial<Row<T>>,
  { condition, ...named }: Named & { condition?: SQL } = {},
): Write {
  const set = givenOf(changes);
  const equal = givenOf(where);
  return {
    ...named,
    shape: `update ${getTableName(table)} ${set.shape} where ${equal.shape} ${condition ? numberOf(condition) : ""}`,
    values: [...set.values, ...equal.values],
    text(place, gate) {
      const { names, cells } = cellsOf(table, changes, set.keys, place, 0);
      const sets = names.map((name, index) => sql`${name} = ${cells[index]}`);
      const conditions = [...equals(table, where, equal.keys, place, set.values.length), condition, gate];
      return sql`update ${tableOf(table)} set ${sql.join(sets, sql`, `)} where ${allOf(conditions)} returning 1`;
    },
  };
}

/** Deletes the rows that are equal to `where`. */
export function removal<T extends PgTable>(table: T, where: Partial<Row<T>>, named: Named = {}): Write {
  const equal = givenOf(where);
  return {
    ...named,
    shape: `delete ${getTableName(table)} ${equal.shape}`,
    values: equal.values,
    text: (place, gate) =>
      sql`delete from ${tableOf(table)} where ${allOf([...equals(table, where, equal.keys, place, 0), gate])} returning 1`,
  };
}

/** Undefined is left to the column's default. */
function givenOf(row: Values): { keys: string[]; shape: string; values: unknown[] } {
  const keys: string[] = [];
  const values: unknown[] = [];
  let shape = "";
  for (const key in row) {
    const value = row[key];
    if (value === undefined) continue;
    keys.push(key);
    if (is(value, SQL)) {
      shape += `${key}#${numberOf(value)},`;
    } else {
      shape += `${key},`;
      values.push(value);
    }
  }
  return { keys, shape, values };
}

function cellsOf(table: PgTable, row: Values, keys: readonly string[], place: Place, from: number) {
  let index = from;
  const columns = keys.map((key) => columnOf(table, key));
  const cells = keys.map((key, at) => {
    const value = row[key];
    return is(value, SQL) ? value : place(index++, columns[at]);
  });
  return { names: columns.map(nameOf), cells };
}

const equals = (table: PgTable, row: Values, keys: readonly string[], place: Place, from: number): SQL[] => {
  const { names, cells } = cellsOf(table, row, keys, place, from);
  return names.map((name, index) => sql`${tableOf(table)}.${name} = ${cells[index]}`);
};

const allOf = (conditions: readonly (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  );

function columnOf(table: PgTable, key: string): Column {
  const columns: Record<string, Column> = getTableColumns(table);
  const column = columns[key];
  if (!column) throw new Error(`no column ${key}`);
  return column;
}

const nameOf = (column: Column): SQL =>
  sql`${sql.identifier(column.keyAsName ? toSnakeCase(column.name) : column.name)}`;
const tableOf = (table: PgTable): SQL => sql`${sql.identifier(getTableName(table))}`;

interface Kept {
  text: string;
  slots: readonly ((values: readonly unknown[]) => unknown)[];
}

const kept = new Map<string, Kept>();

/** Makes the writes in this order, and answers how many rows each of them wrote. */
export async function writeTogether(db: Database, writes: readonly Write[]): Promise<number[]> {
  const { text, params } = together(writes);
  // Guarantee: the statement answers one row of numbers.
  return runText(db, text, params, ([row]) => row) as Promise<number[]>;
}

/**
 * The same as a transaction of its own, in one round trip: the statement itself names the client to row security, before
 * anything else of it runs. Should that ever be otherwise, it sees no row at all, and writes none.
 */
export async function writeAlone(db: Database, clientId: string, writes: readonly Write[]): Promise<number[]> {
  const { text, params } = together([named(clientId), ...writes]);
  // Guarantee: the statement answers one row of numbers.
  const [, ...written] = (await runText(db, text, params, ([row]) => row)) as number[];
  return written;
}

const named = (clientId: string): Write => ({
  as: NAMED,
  shape: "named",
  values: [clientId],
  text: (place) => sql`select set_config('app.client_id', ${place(0)}, true) as client_id`,
});

const NAMED = "named_client";

/** The one statement that makes the writes. */
function together(writes: readonly Write[]): { text: string; params: unknown[] } {
  let shape = "";
  const values: unknown[] = [];
  for (const write of writes) {
    shape += `${write.shape};${write.as ?? ""};${write.needs ?? ""};${write.isGate ? "gate" : ""}${write.isMust ? "must" : ""};`;
    values.push(...write.values);
  }
  let statement = kept.get(shape);
  if (!statement) {
    statement = compose(writes);
    kept.set(shape, statement);
  }
  return { text: statement.text, params: statement.slots.map((slot) => slot(values)) };
}

const dialect = new PgDialect({ casing: "snake_case" });

function compose(writes: readonly Write[]): Kept {
  const names = writes.map(({ as }, index) => sql.identifier(as ?? `w${index}`));
  let offset = 0;
  const parts = writes.map((write, index) => {
    const first = offset;
    offset += write.values.length;
    const place: Place = (at, column) => {
      const value = sql.placeholder(String(first + at));
      return column ? sql`${new Param(value, column)}::${sql.raw(column.getSQLType())}` : sql`${value}`;
    };
    return sql`${names[index]} as (${write.text(place, gateOf(writes, names, index))})`;
  });
  const counts = writes.map(({ isMust }, index) => {
    const count = sql`(select count(*) from ${names[index]})::int`;
    // Nothing else makes a plain statement fail by itself.
    return isMust ? sql`1 / ${count}` : count;
  });
  const whole = sql`with ${sql.join(parts, sql`, `)} select ${sql.join(counts, sql`, `)}`;
  const { sql: text, params } = dialect.sqlToQuery(whole);
  return { text, slots: params.map(slotOf) };
}

/**
 * The server makes writes that nobody refers to in an order of its own. Each refers to the one before it: rows are
 * locked in one order everywhere, and what frees a place comes before what takes it. A gate that is open says the same
 * of all gates before it.
 */
function gateOf(writes: readonly Write[], names: readonly ReturnType<typeof sql.identifier>[], index: number): SQL {
  const conditions: SQL[] = [];
  const last = writes.slice(0, index).findLastIndex(({ isGate }) => isGate);
  if (last >= 0) conditions.push(sql`(select count(*) from ${names[last]}) > 0`);
  const needs = writes[index]?.needs;
  if (needs) conditions.push(sql`(select count(*) from ${sql.identifier(needs)}) > 0`);
  if (index > 0 && last !== index - 1) conditions.push(sql`(select count(*) from ${names[index - 1]}) >= 0`);
  return conditions.length > 0 ? allOf(conditions) : sql`true`;
}

function slotOf(param: unknown): Kept["slots"][number] {
  if (is(param, Placeholder)) {
    const index = Number(param.name);
    return (values) => values[index];
  }
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const index = Number(param.value.name);
  return (values) => {
    const value = values[index];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}
