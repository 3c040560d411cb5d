import type postgres from "postgres";
import { type GeneratedSecret, SECRETS } from "@/lib/env";
import { checkValueOf, KEY_ID_BYTES, kekOf } from "@/lib/kek";
import { asOwner, listed, usesOfKeys } from "@/lib/keys/columns";

/**
 * `missing`: a secret is not given, or the database does not know which it was written with.
 * `differ`: the data was written with another one.
 */
export type SecretsState = "match" | "missing" | "differ";

export interface SecretProblem {
  name: GeneratedSecret;
  state: Exclude<SecretsState, "match">;
  /** What is wrong and what to restore, in one line. */
  line: string;
  /** Of a key of TRILHO_KEK that is wanted beside the others. */
  keyId?: string;
}

export interface SecretsReport {
  state: SecretsState;
  problems: SecretProblem[];
  /** Nothing was written with any secret yet: new ones may be made. */
  isEmpty: boolean;
}

/** Check values of what is given, the writing one first; none of what is missing. */
export type GivenChecks = Readonly<Record<GeneratedSecret, readonly Buffer[]>>;

/** Of the texts of the variables. */
export function keyChecksOf(given: Readonly<Partial<Record<string, string>>>): GivenChecks {
  const parts = (name: GeneratedSecret) =>
    (given[name] ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return {
    TRILHO_KEK: parts("TRILHO_KEK").map((text) => kekOf(text).check),
    TRILHO_SECRET: given.TRILHO_SECRET ? [checkValueOf(Buffer.from(given.TRILHO_SECRET))] : [],
    AUTH_SECRET: parts("AUTH_SECRET").map((text) => checkValueOf(Buffer.from(text))),
  };
}

const SCOPE = "secrets";
const LOCK = 4_782_301;

/** The state of given secrets against a database; changes nothing. Rejects while the database is away. */
export async function checkSecrets(sql: postgres.Sql, given: GivenChecks): Promise<SecretsReport> {
  const [found] = await sql<{ checks: boolean }[]>`
    select case when to_regclass('public.secret_checks') is null then false
                when not exists (select from pg_roles where rolname = 'trilho_system') then false
                else has_table_privilege('trilho_system', 'public.secret_checks', 'select') end as checks`;
  // Before a first migration has ended nobody can have written anything.
  if (!found?.checks) return EMPTY;
  return asOwner(sql, "trilho_system", (transaction) => compare(transaction, given));
}

const EMPTY: SecretsReport = { state: "match", problems: [], isEmpty: true };

interface Stored {
  name: GeneratedSecret;
  value: Buffer;
}

async function compare(sql: postgres.ISql, given: GivenChecks): Promise<SecretsReport> {
  const stored = await sql<Stored[]>`select name, value from secret_checks`;
  if (stored.length === 0) {
    const [row] = await sql<{ empty: boolean }[]>`select not exists (select from clients) as empty`;
    return row?.empty ? EMPTY : unknown();
  }
  const problems = SECRETS.flatMap((name) => problemsOf(name, valuesOf(stored, name), given[name]));
  const isDifferent = problems.some(({ state }) => state === "differ");
  return { state: problems.length === 0 ? "match" : isDifferent ? "differ" : "missing", problems, isEmpty: false };
}

const valuesOf = (stored: readonly Stored[], name: GeneratedSecret): Buffer[] =>
  stored.filter((each) => each.name === name).map(({ value }) => value);

const RESTORE = "set it or restore secrets.json in TRILHO_DATA_DIR from its backup";
const LOST = (name: GeneratedSecret): string => `npm run keys -- accept ${name} says what is lost without it`;

function unknown(): SecretsReport {
  const problems = SECRETS.map(
    (name): SecretProblem => ({
      name,
      state: "missing",
      line: `${name}: the database holds accounts but no check value of it; npm run keys -- accept ${name} takes the one that is given`,
    }),
  );
  return { state: "missing", problems, isEmpty: false };
}

function problemsOf(name: GeneratedSecret, stored: readonly Buffer[], given: readonly Buffer[]): SecretProblem[] {
  if (stored.length === 0) return unknown().problems.filter((each) => each.name === name);
  if (given.length === 0) {
    return [{ name, state: "missing", line: `${name} is missing beside existing data: ${RESTORE} (${LOST(name)})` }];
  }
  const absent = stored.filter((value) => !given.some((each) => each.equals(value)));
  if (absent.length === 0) return [];
  if (name !== "TRILHO_KEK" || absent.length === stored.length) {
    const line = `${name} is not the one this database was written with: ${RESTORE} (${LOST(name)})`;
    return [{ name, state: "differ", line }];
  }
  return absent.map((value) => ({
    name,
    state: "differ",
    keyId: keyIdOf(value),
    line: `TRILHO_KEK lacks key ${keyIdOf(value)}, which this database was written with: put it back into the list until npm run keys says that it may go`,
  }));
}

/** As people see it. */
export const keyIdOf = (check: Buffer): string => check.subarray(0, KEY_ID_BYTES).toString("hex");

/**
 * For the start of an installation: notes what an empty database will be written with, and a new key that stands first
 * among known ones before anything is written with it. A key that sealed nothing that is left is forgotten. Refuses
 * nothing; the caller reads the report.
 */
export async function recordSecrets(sql: postgres.Sql, given: GivenChecks): Promise<SecretsReport> {
  const report = await settleSecrets(sql, given);
  if (report.state !== "match") return report;
  return asOwner(sql, "trilho_system", async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK}, hashtext(${SCOPE}))`;
    const now = await compare(transaction, given);
    if (now.state !== "match") return now;
    for (const name of SECRETS) await note(transaction, name, given[name][0]);
    return now;
  });
}

/** Keys of TRILHO_KEK stay until they are not needed; of the others the first alone counts. */
async function note(sql: postgres.ISql, name: GeneratedSecret, value: Buffer | undefined): Promise<void> {
  if (!value) return;
  await sql`insert into secret_checks (name, value) values (${name}, ${value}) on conflict do nothing`;
  if (name !== "TRILHO_KEK") await sql`delete from secret_checks where name = ${name} and value <> ${value}`;
}

/** The report of a start, which forgets keys that sealed nothing that is left. */
export async function settleSecrets(sql: postgres.Sql, given: GivenChecks): Promise<SecretsReport> {
  const report = await checkSecrets(sql, given);
  if (!report.problems.some(({ keyId }) => keyId !== undefined)) return report;
  await forgetUnusedKeys(sql, given);
  return checkSecrets(sql, given);
}

/** Only beside a key that is known and given: with none of them the key is simply another one. */
async function forgetUnusedKeys(sql: postgres.Sql, given: GivenChecks): Promise<void> {
  const uses = await usesOfKeys(sql);
  await asOwner(sql, "trilho_system", async (transaction) => {
    const stored = await transaction<Stored[]>`select name, value from secret_checks where name = 'TRILHO_KEK'`;
    for (const { value } of stored) {
      const isGiven = given.TRILHO_KEK.some((each) => each.equals(value));
      if (isGiven || uses.some(({ keyId }) => keyId === keyIdOf(value))) continue;
      await transaction`delete from secret_checks where name = 'TRILHO_KEK' and value = ${value}`;
    }
  });
}

/** Takes what is given as what the data is written with from here on, whatever it was before. */
export async function acceptSecret(sql: postgres.Sql, name: GeneratedSecret, given: GivenChecks): Promise<void> {
  await asOwner(sql, "trilho_system", async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK}, hashtext(${SCOPE}))`;
    await transaction`delete from secret_checks where name = ${name}`;
    await note(transaction, name, given[name][0]);
  });
}

/** Rows whose key is not given: nobody can open them. */
export async function lostRows(sql: postgres.Sql, given: GivenChecks): Promise<string[]> {
  const known = new Set(given.TRILHO_KEK.map(keyIdOf));
  const uses = (await usesOfKeys(sql)).filter(({ keyId }) => !known.has(keyId));
  return [...new Set(uses.map(({ keyId }) => keyId))].map(
    (keyId) =>
      `TRILHO_KEK lacks key ${keyId}, which has sealed ${listed(uses.filter((each) => each.keyId === keyId))}: put it back into the list`,
  );
}

/** A key of TRILHO_KEK that is taken out of the list for good. */
export const forgetKey = (sql: postgres.Sql, keyId: string): Promise<void> =>
  asOwner(sql, "trilho_system", async (transaction) => {
    await transaction`
      delete from secret_checks
       where name = 'TRILHO_KEK' and encode(substring(value from 1 for ${KEY_ID_BYTES}), 'hex') = ${keyId}`;
  });
