import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded, stopEmbedded } from "@/db/embedded";
import { withFileLock } from "@/db/embedded/lock";
import { migrate } from "@/db/migrate";
import { MIGRATIONS_FOLDER, policyFiles } from "@/db/migrating/files";
import { setLogin } from "@/db/migrating/login";
import { keyChecksOf, recordSecrets } from "@/lib/keys/checks";
import "@/lib/testing/database";
import { isProof } from "@/lib/testing/proof";
import { TEST_SECRETS } from "@/lib/testing/secrets";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const FOLDER = join(import.meta.dirname, "..", "..", ".data", "test");
/** The whole suite names one in memory (scripts/suite/memory.ts). */
const CLUSTER = process.env.TEST_CLUSTER ?? join(FOLDER, "postgres");
const MAX_CONNECTIONS = 400;
/** Held shared by every run that uses the server: whoever can take it alone is the last one and may stop it. */
const IN_USE_LOCK = 4_782_100;
/** Roles belong to the whole server, so templates are built one after the other. */
const TEMPLATE_LOCK = 4_782_101;
const RUN_PREFIX = "trilho_run_";

/** One server for all runs of this checkout, one template per state of the migrations, one database per test file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync(FOLDER, { recursive: true });
  const { adminUrl, sql } = await withFileLock(join(FOLDER, "users.lock"), async () => {
    const given = process.env.TEST_DATABASE_URL;
    const url = given ?? (await startServer());
    const connection = postgres(url, { max: 1, onnotice: () => {}, idle_timeout: 0, max_lifetime: null });
    await connection`select pg_advisory_lock_shared(${IN_USE_LOCK})`;
    return { adminUrl: url, sql: connection };
  });
  const run = `${RUN_PREFIX}${process.pid}`;
  const leave = async () => {
    await dropDatabases(sql, `${run}_`);
    await withFileLock(join(FOLDER, "users.lock"), async () => {
      await sql`select pg_advisory_unlock_shared(${IN_USE_LOCK})`;
      const [row] = await sql<{ last: boolean }[]>`select pg_try_advisory_lock(${IN_USE_LOCK}) as last`;
      await sql.end({ timeout: 5 });
      if (row?.last && process.env.TEST_DATABASE_URL === undefined) await stopEmbedded(CLUSTER);
    });
  };
  try {
    const runtimeUrl = await runtimeLogin(sql, adminUrl);
    const template = await buildTemplate(sql, adminUrl, runtimeUrl);
    await dropLeftOvers(sql);
    project.provide("testServer", { adminUrl, runtimeUrl, template, run });
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

async function startServer(): Promise<string> {
  const server = await startEmbedded({
    cluster: CLUSTER,
    database: "postgres",
    durable: false,
    settings: {
      max_connections: MAX_CONNECTIONS,
      shared_buffers: "256MB",
      max_wal_size: "2GB",
      // A proof's database grows as an installation's does, and needs its statistics.
      ...(isProof() ? { autovacuum: "on" } : {}),
    },
  });
  return server.url;
}

/** One login for all runs of a server: its password follows from the administrator's. */
async function runtimeLogin(sql: postgres.Sql, adminUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  url.password = createHash("sha256").update(`runtime ${url.password}`).digest("hex");
  url.username = "trilho_test";
  const { username: name, password } = url;
  await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    await setLogin(sql, { name, password });
    return url.href;
  } finally {
    await sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
}

async function buildTemplate(sql: postgres.Sql, adminUrl: string, runtimeUrl: string): Promise<string> {
  const template = `trilho_template_${schemaHash()}`;
  await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${template} and datistemplate`;
    if (found) return template;
    await sql`drop database if exists ${sql(template)} with (force)`;
    await sql`create database ${sql(template)}`;
    const url = new URL(adminUrl);
    url.pathname = `/${template}`;
    await migrate(url.href, SYNC_HOOKS, { runtimeUrl });
    await noteSecrets(url.href);
    // Nobody may connect from here on: a clone is refused while somebody is in the template.
    await sql`alter database ${sql(template)} with is_template true allow_connections false`;
    await dropOldTemplates(sql, template);
    return template;
  } finally {
    await sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
}

async function noteSecrets(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await recordSecrets(sql, keyChecksOf(TEST_SECRETS));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const KEPT_TEMPLATES = 5;

/** Templates of other states stay a while: another run may be cloning one. */
async function dropOldTemplates(sql: postgres.Sql, current: string): Promise<void> {
  const old = await sql<{ datname: string }[]>`
    select datname from pg_database where datname like 'trilho\\_template\\_%' and datname <> ${current}
    order by oid desc offset ${KEPT_TEMPLATES}`;
  for (const { datname } of old) {
    await sql`alter database ${sql(datname)} with is_template false`;
    await sql`drop database if exists ${sql(datname)} with (force)`;
  }
}

/** Everything the template is made from; a changed file means another template. */
function schemaHash(): string {
  const hash = createHash("sha256");
  const files = existsSync(MIGRATIONS_FOLDER)
    ? readdirSync(MIGRATIONS_FOLDER, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".sql") || file.endsWith("_journal.json"))
        .sort()
        .map((file) => join(MIGRATIONS_FOLDER, file))
    : [];
  const db = join(import.meta.dirname, "..", "..", "db");
  const own = readdirSync(join(db, "migrating")).map((name) => join(db, "migrating", name));
  for (const file of [
    ...files,
    ...policyFiles(),
    ...own.sort(),
    join(db, "migrate.ts"),
    join(db, "schema-version.ts"),
  ]) {
    if (existsSync(file)) hash.update(file).update(readFileSync(file));
  }
  hash.update(JSON.stringify(Object.values(keyChecksOf(TEST_SECRETS)).map(([value]) => value?.toString("hex"))));
  for (const { name, fingerprint } of SYNC_HOOKS) hash.update(name).update(fingerprint);
  return hash.digest("hex").slice(0, 16);
}

/** Databases of runs that were killed: their process is gone. */
async function dropLeftOvers(sql: postgres.Sql): Promise<void> {
  const rows = await sql<{ datname: string }[]>`select datname from pg_database where datname like 'trilho\\_run\\_%'`;
  for (const { datname } of rows) {
    if (!runsStill(Number(datname.slice(RUN_PREFIX.length).split("_")[0]))) {
      await sql`drop database if exists ${sql(datname)} with (force)`;
    }
  }
}

async function dropDatabases(sql: postgres.Sql, prefix: string): Promise<void> {
  const rows = await sql<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${prefix})`;
  for (const { datname } of rows) await sql`drop database if exists ${sql(datname)} with (force)`;
}

function runsStill(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
