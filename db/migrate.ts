import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Work after every migration, such as bringing reference rows in line with the code; must be repeatable. */
export interface SyncHook {
  readonly name: string;
  /** Changes whenever what the hook writes changes: test databases are kept by it. */
  readonly fingerprint: string;
  run(sql: postgres.Sql): Promise<void>;
}

const ROOT = join(import.meta.dirname, "..");
export const MIGRATIONS_FOLDER = join(ROOT, "db", "migrations");
const WALLS_FOLDER = join(ROOT, "db", "walls");
/** In the order of their names: what stands in one may need the one before. */
export const wallsFiles = (): string[] =>
  readdirSync(WALLS_FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => join(WALLS_FOLDER, name));

/** One migrating process at a time, whatever starts together. */
const MIGRATION_LOCK = 4_782_001;
/** A migration that waits longer for a table than this gives up instead of holding up everybody behind it. */
const LOCK_TIMEOUT = "2s";

/** Brings a database to the shape this code expects; safe to call at every start and by several processes at once. */
export async function migrate(url: string, hooks: readonly SyncHook[] = []): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: "trilho-migrate" } });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await sql.unsafe(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    if (existsSync(join(MIGRATIONS_FOLDER, "meta", "_journal.json"))) {
      await runMigrations(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    }
    await raiseWalls(sql);
    for (const hook of hooks) await hook.run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Roles, row security and triggers are laid again whenever their files or the tables under them changed. */
async function raiseWalls(sql: postgres.Sql): Promise<void> {
  const text = wallsFiles()
    .map((file) => readFileSync(file, "utf8"))
    .join("");
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.walls (hash text primary key)`;
  const [known] = await sql`select 1 from drizzle.walls where hash = ${await wallsHash(sql, text)}`;
  if (known) return;
  await sql.begin(async (transaction) => {
    await transaction.unsafe(text).simple();
    await transaction`delete from drizzle.walls`;
    // Taken afterwards: the files make tables of its own.
    await transaction`insert into drizzle.walls (hash) values (${await wallsHash(transaction, text)})`;
  });
}

async function wallsHash(sql: postgres.ISql, text: string): Promise<string> {
  const [tables] = await sql<{ names: string }[]>`
    select coalesce(string_agg(n.nspname || '.' || c.relname, ',' order by n.nspname, c.relname), '') as names
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'drizzle')`;
  return createHash("sha256")
    .update(text)
    .update(tables?.names ?? "")
    .digest("hex");
}
