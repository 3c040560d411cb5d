import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { migrate } from "@/db/migrate";
import { parseMigration, readMigrations } from "@/db/migrating/files";
import type { Patience } from "@/db/migrating/patience";
import { schemaState } from "@/db/schema-state";
import { SCHEMA_VERSION, versionText } from "@/db/schema-version";
import { testDatabaseUrl } from "@/lib/testing/database";

const BREAK = "\n--> statement-breakpoint\n";
const BRIEF: Patience = { lockMs: 50, statementMs: 5_000, attempts: 200, pauseMs: 20 };
let url: string;
let sql: postgres.Sql;
let number = 0;

beforeAll(async () => {
  url = await testDatabaseUrl();
  sql = postgres(url, { max: 4, onnotice: () => {} });
});
afterAll(() => sql.end());
beforeEach(async () => {
  number++;
  await sql`drop table if exists busy`;
  await sql`create table busy (id int)`;
  await sql`insert into busy select n from generate_series(1, 1000) n`;
});

const next = (...statements: string[]) => {
  const text = `-- version: ${versionText(SCHEMA_VERSION)}\n${statements.join(BREAK)}`;
  return [...readMigrations(), parseMigration(`900${number}_sample`, text)];
};
const doneOf = async (): Promise<number | undefined> => {
  const [row] = await sql<{ done: number }[]>`select done from trilho.migrations where tag = ${`900${number}_sample`}`;
  return row?.done;
};
const columnsOf = async () =>
  (
    await sql<
      { name: string }[]
    >`select attname as name from pg_attribute where attrelid = 'busy'::regclass and attnum > 0`
  ).map(({ name }) => name);

it("writers go on while a migration waits for their table, and it gets its turn", async () => {
  const migrations = next("ALTER TABLE busy ADD COLUMN note text;");
  let migrating = Promise.resolve();
  let written = 0;
  await sql.begin(async (holder) => {
    await holder`insert into busy values (0)`;
    migrating = migrate(url, [], { migrations, patience: BRIEF });
    // Each of these would wait for the holder's end, if the migration stood in front of them.
    for (; written < 20; written++) await sql`insert into busy values (${written})`;
    expect(await columnsOf()).toEqual(["id"]);
  });
  await migrating;
  expect(written).toBe(20);
  expect(await columnsOf()).toEqual(["id", "note"]);
});

it("says so when a table stays busy, and keeps what was done", async () => {
  const migrations = next("CREATE TABLE IF NOT EXISTS before_busy (id int);", "ALTER TABLE busy ADD COLUMN late text;");
  await sql.begin(async (holder) => {
    await holder`insert into busy values (0)`;
    await expect(migrate(url, [], { migrations, patience: { ...BRIEF, attempts: 2 } })).rejects.toThrow(/busy 2 times/);
  });
  expect(await doneOf()).toBe(1);
  await migrate(url, [], { migrations, patience: BRIEF });
  expect(await doneOf()).toBe(2);
  expect(await columnsOf()).toEqual(["id", "late"]);
});

it("builds indexes outside of a transaction, with many starting at once, and writers go on", async () => {
  const migrations = next("CREATE INDEX CONCURRENTLY IF NOT EXISTS busy_id ON busy (id);");
  const all = Promise.all(Array.from({ length: 3 }, () => migrate(url, [], { migrations, patience: BRIEF })));
  for (let n = 0; n < 20; n++) await sql`insert into busy values (${n})`;
  await all;
  const [index] = await sql`select indisvalid as valid from pg_index where indexrelid = 'busy_id'::regclass`;
  expect(index).toEqual({ valid: true });
});

it("builds an index anew that was cut off half-built", async () => {
  await sql`insert into busy values (1)`;
  await expect(sql.unsafe("create unique index concurrently busy_unique on busy (id)")).rejects.toThrow(
    /could not create unique index/,
  );
  await sql`delete from busy where ctid not in (select min(ctid) from busy group by id)`;
  const migrations = next("CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS busy_unique ON busy (id);");
  await migrate(url, [], { migrations, patience: BRIEF });
  const [index] = await sql`select indisvalid as valid from pg_index where indexrelid = 'busy_unique'::regclass`;
  expect(index).toEqual({ valid: true });
});

it("goes on behind the statement that a killed run had finished", async () => {
  const bad = next("ALTER TABLE busy ADD COLUMN one text;", "ALTER TABLE missing_table ADD COLUMN two text;");
  await expect(migrate(url, [], { migrations: bad, patience: BRIEF })).rejects.toThrow(/missing_table/);
  await sql`create table missing_table (id int)`;
  await migrate(url, [], { migrations: bad, patience: BRIEF });
  expect(await doneOf()).toBe(2);
  await sql`drop table missing_table`;
});

it("refuses a file that was changed after it was run", async () => {
  await migrate(url, [], { migrations: next("COMMENT ON TABLE busy IS 'one';"), patience: BRIEF });
  const changed = next("COMMENT ON TABLE busy IS 'two';");
  await expect(migrate(url, [], { migrations: changed, patience: BRIEF })).rejects.toThrow(/is another/);
});

const atVersion = async (major: number, minor: number, work: () => Promise<void>) => {
  await sql`update trilho.schema_version set major = ${major}, minor = ${minor}`;
  try {
    await work();
  } finally {
    await sql`update trilho.schema_version set major = ${SCHEMA_VERSION.major}, minor = ${SCHEMA_VERSION.minor}`;
  }
};

it("refuses to start on a newer major version, and running code learns of it", async () => {
  await atVersion(SCHEMA_VERSION.major + 1, 0, async () => {
    await expect(migrate(url)).rejects.toThrow(/start the newer release/);
    expect(await schemaState()).toMatchObject({ standing: "ahead", stored: `${SCHEMA_VERSION.major + 1}.0` });
  });
  expect((await schemaState()).standing).toBe("ready");
});

it("starts on a newer minor version, and leaves its policies and rows alone", async () => {
  const ran: string[] = [];
  const hook = { name: "told", fingerprint: "1", run: async () => void ran.push("hook") };
  await sql`update trilho.policies set hash = 'newer', minor = ${SCHEMA_VERSION.minor + 1}`;
  await atVersion(SCHEMA_VERSION.major, SCHEMA_VERSION.minor + 1, async () => {
    await migrate(url, [hook]);
    expect((await schemaState()).standing).toBe("ready");
  });
  expect(ran).toEqual([]);
  await migrate(url);
  expect(await sql`select hash from trilho.policies`).toEqual([{ hash: "newer" }]);
  await sql`update trilho.policies set minor = ${SCHEMA_VERSION.minor}`;
  await migrate(url);
  expect(await sql`select hash from trilho.policies`).not.toEqual([{ hash: "newer" }]);
});

it("tells an unmigrated database from one that an unreleased version made", async () => {
  const empty = `unmigrated_${process.pid}`;
  await sql.unsafe(`create database ${empty}`);
  const there = new URL(url);
  there.pathname = `/${empty}`;
  const inside = postgres(there.href, { max: 1, onnotice: () => {} });
  try {
    await inside`create table clients (id uuid)`;
    await expect(migrate(there.href)).rejects.toThrow(/unreleased version/);
    await inside`drop table clients`;
    await migrate(there.href);
  } finally {
    await inside.end();
    await sql.unsafe(`drop database ${empty} with (force)`);
  }
});
