import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import postgres from "postgres";
import { type EnvSource, type GeneratedSecret, readSecrets, SECRETS, secretsFile, withSecrets } from "@/lib/env";
import { keyChecksOf, recordSecrets, type SecretsReport, settleSecrets } from "@/lib/keys/checks";

const SECRET_BYTES = 32;
const CONNECT_TIMEOUT_SECONDS = 5;

export type SavedSecrets = Partial<Record<GeneratedSecret, string>>;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64");

/** What this installation works with. What nobody gave is made in memory; only an empty database lets it be kept. */
export interface Provided {
  dataDir: string;
  source: EnvSource;
  made: SavedSecrets;
}

export function provideSecrets(dataDir: string): Provided {
  const source = withSecrets(process.env);
  const missing = SECRETS.filter((name) => !source[name]?.trim());
  const made = Object.fromEntries(missing.map((name) => [name, newSecret()]));
  return { dataDir, source: { ...source, ...made }, made };
}

/**
 * Before anything is changed: refuses secrets that the data was not written with, and missing ones beside data. For an
 * empty database it keeps those that were made; answers whether it did.
 */
export async function settleProvided(url: string, { dataDir, made }: Provided): Promise<boolean> {
  const report = await withConnection(url, (sql) => settleSecrets(sql, keyChecksOf(withSecrets(process.env))));
  const isMade = Object.keys(made).length > 0;
  if (report.isEmpty && isMade) {
    saveSecrets(dataDir, { ...made, ...readSecrets(dataDir) });
    return true;
  }
  refuse(report);
  return false;
}

/** After the migrations: what the data is written with from here on is noted beside it. */
export async function recordProvided(url: string, { dataDir, made }: Provided): Promise<void> {
  const report = await withConnection(url, (sql) => recordSecrets(sql, keyChecksOf(withSecrets(process.env))));
  const isLate = report.state !== "match" && Object.keys(made).length > 0;
  // Another machine was first with the same empty database.
  if (isLate) forget(dataDir, made);
  refuse(report);
}

function refuse({ state, problems }: SecretsReport): void {
  if (state === "match") return;
  throw new Error(`${problems.map(({ line }) => `  ✗ ${line}`).join("\n")}\nNothing was changed.`);
}

export async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** On disk before it is used, and whole at every moment: without it the vault is lost. */
export function saveSecrets(dataDir: string, secrets: SavedSecrets): void {
  const file = secretsFile(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    // A first file never replaces one that another process has just made.
    if (existsSync(file)) renameSync(draft, file);
    else linkSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function forget(dataDir: string, made: SavedSecrets): void {
  const kept = Object.entries(readSecrets(dataDir)).filter(
    ([name, value]) => !(name in made) || !Object.values(made).includes(value),
  );
  if (kept.length > 0) saveSecrets(dataDir, Object.fromEntries(kept));
  else rmSync(secretsFile(dataDir), { force: true });
}
