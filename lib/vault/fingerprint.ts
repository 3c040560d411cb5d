import { createHmac } from "node:crypto";
import type { Sql } from "postgres";
import { vaultSql } from "@/db/client";
import { KEY_ID_BYTES } from "@/lib/kek";
import { KEPT } from "@/lib/purposes";
import { newDataKey, unwrap, wrap } from "@/lib/secrets";

const FINGERPRINT_KEY = "card fingerprint";

/** Of each pool, and so of each database. */
const kept = new WeakMap<Sql, Promise<Buffer>>();

/** The same number has the same fingerprint inside one client and another in every other. */
export async function panFingerprint(clientId: string, pan: string): Promise<string> {
  const ofClient = createHmac("sha256", await fingerprintKey())
    .update(clientId)
    .digest();
  return createHmac("sha256", ofClient).update(pan).digest("base64url");
}

/** Read once by a process, then known without a wait. */
function fingerprintKey(): Promise<Buffer> {
  const database = vaultSql();
  const known = kept.get(database);
  if (known) return known;
  const reading = readOrMake();
  kept.set(database, reading);
  reading.catch(() => kept.delete(database));
  return reading;
}

async function readOrMake(): Promise<Buffer> {
  const wrapped = (await readWrapped()) ?? (await make());
  return unwrap(KEPT.vaultKey, wrapped, FINGERPRINT_KEY);
}

async function readWrapped(): Promise<Buffer | undefined> {
  const [row] = await vaultSql()<{ wrapped: Buffer }[]>`
    select wrapped from vault.keys where name = ${FINGERPRINT_KEY}`;
  return row?.wrapped;
}

/** Of any number that make one at once the first counts. Beside cards its loss is told, never mended by another key. */
async function make(): Promise<Buffer> {
  const wrapped = wrap(KEPT.vaultKey, newDataKey(), FINGERPRINT_KEY);
  await vaultSql().begin(async (sql) => {
    await sql`select set_config('app.vault_upkeep', 'on', true)`;
    await sql`
      insert into vault.keys (name, wrapped)
      select ${FINGERPRINT_KEY}, ${wrapped}::bytea where not exists (select from vault.cards)
      on conflict (name) do nothing`;
  });
  const stored = await readWrapped();
  if (!stored) throw new Error("the key of the card fingerprints is gone from vault.keys: restore it from a backup");
  return stored;
}

/** Where the key that wrapped it is lost: other fingerprints from here on. Of one that opens nothing changes. */
export async function makeFingerprintKeyAnew(sql: Sql, knownKeyIds: readonly string[]): Promise<void> {
  const wrapped = wrap(KEPT.vaultKey, newDataKey(), FINGERPRINT_KEY);
  await sql.begin(async (transaction) => {
    await transaction`select set_config('role', 'trilho_vault', true)`;
    await transaction`
      update vault.keys set wrapped = ${wrapped}
       where name = ${FINGERPRINT_KEY}
         and encode(substring(wrapped from 1 for ${KEY_ID_BYTES}), 'hex') <> all (${[...knownKeyIds]}::text[])`;
  });
}
