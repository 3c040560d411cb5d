import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type Migration, readMigrations } from "@/db/migrating/files";
import { admitLogin, loginOf } from "@/db/migrating/login";
import { type Patience, USUAL_PATIENCE } from "@/db/migrating/patience";
import { applyPolicies } from "@/db/migrating/policies";
import { prepareRecords, runMigrations, storedVersion } from "@/db/migrating/run";
import {
  compareVersions,
  SCHEMA_VERSION,
  type SchemaStanding,
  type SchemaVersion,
  standingOf,
  versionText,
} from "@/db/schema-version";

/** Work after every migration, such as bringing reference rows in line with the code; must be repeatable. */
export interface SyncHook {
  readonly name: string;
  /** Changes whenever what the hook writes changes: test databases are kept by it. */
  readonly fingerprint: string;
  run(sql: postgres.Sql): Promise<void>;
}

export interface MigrateOptions {
  /** The address of the running processes, when it is not the owner's: its login is made and given its roles. */
  runtimeUrl?: string;
  migrations?: readonly Migration[];
  patience?: Patience;
}

/** One migrating process at a time, whatever starts together. */
const MIGRATION_LOCK = 4_782_001;
const LOCK_POLL_MS = 100;

/**
 * Brings a database to the shape this code expects; safe to call at every start and by several processes at once. A
 * login that may not migrate only finds out whether somebody did. Throws when the database is ahead of this code.
 */
export async function migrate(
  url: string,
  hooks: readonly SyncHook[] = [],
  { runtimeUrl, migrations = readMigrations(), patience = USUAL_PATIENCE }: MigrateOptions = {},
): Promise<void> {
  const sql = connect(url);
  try {
    if (!(await mayMigrate(sql))) return refuseUnless(["ready"], await versionSeen(sql));
    await takeTurn(sql);
    await prepareRecords(sql);
    const stored = await storedVersion(sql);
    refuseUnless(["ready", "behind"], stored);
    // Code of the release before, restarted on a database of this one: what is newer stays as it is.
    if (stored && compareVersions(stored, SCHEMA_VERSION) > 0) return;
    await runMigrations(sql, migrations, patience);
    await applyPolicies(sql, patience);
    for (const hook of hooks) await hook.run(sql);
    if (runtimeUrl !== undefined) await admitLogin(sql, loginOf(runtimeUrl));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The lock belongs to the connection, which therefore must never be changed for another. */
function connect(url: string): postgres.Sql {
  return postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: "trilho-migrate" },
  });
}

async function mayMigrate(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`
    select has_database_privilege(current_database(), 'create') as may`;
  return row?.may ?? false;
}

/** Asked for again and again: who waits inside of a statement would stop an index from being built concurrently. */
async function takeTurn(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ mine: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`;
    if (row?.mine) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function versionSeen(sql: postgres.Sql): Promise<SchemaVersion | undefined> {
  const [known] = await sql`
    select 1 from pg_roles r where r.rolname = 'trilho_system' and pg_has_role(current_user, r.oid, 'member')
       and exists (select from pg_namespace where nspname = 'trilho')`;
  if (!known) return undefined;
  await sql`set role trilho_system`;
  return storedVersion(sql);
}

function refuseUnless(allowed: readonly SchemaStanding[], stored: SchemaVersion | undefined): void {
  const standing = standingOf(stored);
  if (allowed.includes(standing)) return;
  const [ours, theirs] = [versionText(SCHEMA_VERSION), stored ? versionText(stored) : "none"];
  throw new Error(
    standing === "ahead"
      ? `The schema of the database is version ${theirs}, and this code runs on ${ours}: start the newer release of Trilho.`
      : `The schema of the database is version ${theirs}, this code needs ${ours}, and the login of DATABASE_URL may ` +
          "not migrate: set DATABASE_OWNER_URL to the owner of the database.",
  );
}
