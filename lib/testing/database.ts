import postgres from "postgres";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    testServer: { adminUrl: string; runtimeUrl: string; template: string; run: string };
  }
}

let ready: Promise<string> | undefined;
/** Files before this one in the same process, where modules are kept between them. */
let filesBefore = 0;

/** The address this file's database has or will have, as its owner. */
export const plannedDatabaseUrl = (): string => here(inject("testServer").adminUrl);

/** The same as the login of the running processes. */
export const plannedRuntimeUrl = (): string => here(inject("testServer").runtimeUrl);

function here(address: string): string {
  const url = new URL(address);
  url.pathname = `/${databaseName()}`;
  return url.href;
}

/** The owner's address of this file's own database, made from the template on the first call. */
export function testDatabaseUrl(): Promise<string> {
  ready ??= createDatabase();
  return ready;
}

/** The address of this file's database if anything has asked for it. */
export const madeDatabaseUrl = async (): Promise<string | undefined> => ready?.catch(() => undefined);

/** The next file of this process gets one of its own. */
export async function dropTestDatabase(): Promise<void> {
  if (ready === undefined) return;
  await ready.catch(() => undefined);
  await withAdmin((sql) => sql`drop database if exists ${sql(databaseName())} with (force)`);
  ready = undefined;
  filesBefore++;
}

async function createDatabase(): Promise<string> {
  const { template } = inject("testServer");
  // By copying its files: a third of the CPU that writing every page to the log takes.
  await withAdmin((sql) => sql`create database ${sql(databaseName())} template ${sql(template)} strategy file_copy`);
  return plannedDatabaseUrl();
}

const databaseName = (): string => `${inject("testServer").run}_${process.pid}_${filesBefore}`;

async function withAdmin<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
