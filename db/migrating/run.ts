import type postgres from "postgres";
import type { Migration } from "@/db/migrating/files";
import { type Patience, withPatience } from "@/db/migrating/patience";
import type { SchemaVersion } from "@/db/schema-version";

/** PostgreSQL refuses these inside of a transaction; they stop no writer, and so may take their time. */
const OUTSIDE = /^(?:create\s+(?:unique\s+)?index|drop\s+index)\s+concurrently\b/i;
const CONCURRENT_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?([\w.]+)"?/i;
/** Reads a whole table, but stops no writer. */
const VALIDATES = /\bvalidate\s+constraint\b/i;

interface Noted {
  readonly tag: string;
  readonly hash: string;
  readonly done: number;
}

/** The tables in which a database keeps its version and what was run on it. */
export async function prepareRecords(sql: postgres.Sql): Promise<void> {
  const [known] = await sql`select 1 where to_regclass('trilho.schema_version') is not null`;
  if (known) return;
  await sql.begin(async (tx) => {
    await tx.unsafe(`
      create schema if not exists trilho;
      create table if not exists trilho.migrations (
        tag text primary key, hash text not null, done int not null, at timestamptz not null default now());
      create table if not exists trilho.schema_version (
        one boolean primary key default true check (one), major int not null, minor int not null);
      create table if not exists trilho.policies (
        one boolean primary key default true check (one), major int not null, minor int not null, hash text not null);
    `);
  });
}

export async function storedVersion(sql: postgres.ISql): Promise<SchemaVersion | undefined> {
  const [row] = await sql<SchemaVersion[]>`select major, minor from trilho.schema_version`;
  return row;
}

/** Brings the tables to the last of `migrations`, going on where a run before was cut off. */
export async function runMigrations(
  sql: postgres.Sql,
  migrations: readonly Migration[],
  patience: Patience,
): Promise<void> {
  const noted = await sql<Noted[]>`select tag, hash, done from trilho.migrations`;
  await refuseForeign(sql, migrations, noted);
  for (const migration of migrations) {
    const before = noted.find(({ tag }) => tag === migration.tag);
    if (before?.done === migration.statements.length) continue;
    // Nobody uses a database without tables: the first file is run as one.
    if (migration === migrations[0]) await runWhole(sql, migration);
    else await runByStatement(sql, migration, before?.done ?? 0, patience);
  }
}

async function refuseForeign(sql: postgres.Sql, migrations: readonly Migration[], noted: readonly Noted[]) {
  const [made] = await sql`select 1 where to_regclass('public.clients') is not null`;
  const isForeign = noted.length === 0 && made !== undefined;
  const changed = noted.find((one) => {
    const own = migrations.find(({ tag }) => tag === one.tag);
    return own !== undefined && own.hash !== one.hash;
  });
  if (!isForeign && changed === undefined) return;
  throw new Error(
    "The database was made by an unreleased version of Trilho, from which there is no way to this one" +
      `${changed ? ` (its ${changed.tag} is another)` : ""}. Start with an empty database or another TRILHO_DATA_DIR.`,
  );
}

async function runWhole(sql: postgres.Sql, migration: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(migration.statements.join("\n")).simple();
    await note(tx, migration, migration.statements.length);
  });
}

async function runByStatement(sql: postgres.Sql, migration: Migration, from: number, patience: Patience) {
  for (const [index, statement] of migration.statements.entries()) {
    if (index < from) continue;
    await withPatience(`The migration ${migration.tag}`, patience, () =>
      OUTSIDE.test(statement)
        ? runOutside(sql, migration, index, statement)
        : runInside(sql, migration, index, statement, patience),
    );
  }
  if (from >= migration.statements.length) await note(sql, migration, from);
}

async function runInside(
  sql: postgres.Sql,
  migration: Migration,
  index: number,
  statement: string,
  { lockMs, statementMs }: Patience,
): Promise<void> {
  await sql.begin(async (tx) => {
    const isLong = VALIDATES.test(statement);
    await tx.unsafe(`set local lock_timeout = ${lockMs}; set local statement_timeout = ${isLong ? 0 : statementMs}`);
    await tx.unsafe(statement).simple();
    await note(tx, migration, index + 1);
  });
}

async function runOutside(sql: postgres.Sql, migration: Migration, index: number, statement: string): Promise<void> {
  const [, name] = CONCURRENT_INDEX.exec(statement) ?? [];
  if (name !== undefined) await dropHalfBuilt(sql, name);
  await sql.unsafe(statement).simple();
  await note(sql, migration, index + 1);
}

/** A build that was cut off leaves an index that is written to and never read; IF NOT EXISTS would leave it so. */
async function dropHalfBuilt(sql: postgres.Sql, name: string): Promise<void> {
  const [half] = await sql`select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`;
  if (half) await sql`drop index concurrently if exists ${sql(name)}`;
}

/** The version is the migration's once its last statement is done. */
async function note(sql: postgres.ISql, { tag, hash, version, statements }: Migration, done: number): Promise<void> {
  await sql`
    insert into trilho.migrations (tag, hash, done) values (${tag}, ${hash}, ${done})
    on conflict (tag) do update set done = excluded.done, at = now()`;
  if (done < statements.length) return;
  await sql`
    insert into trilho.schema_version (major, minor) values (${version.major}, ${version.minor})
    on conflict (one) do update set major = excluded.major, minor = excluded.minor`;
}
