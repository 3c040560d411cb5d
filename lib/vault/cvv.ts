import type { Sql } from "postgres";
import { vaultSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { open, seal } from "@/lib/secrets";
import { KEY_LIFE_SECONDS, openingKey, sealingKey } from "@/lib/vault/cvv-keys";
import { boundTo } from "@/lib/vault/records";

/** A CVV outlives its token's use by nothing: ten minutes from the moment it was given (spec/reliability.md 2.11). */
export const CVV_LIFE_SECONDS = 600;

export interface SealedCvv {
  tokenId: string;
  keyId: string;
  wrapped: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
}

export function sealCvv(clientId: string, tokenId: string, cvv: string): SealedCvv {
  const key = sealingKey();
  const { nonce, ciphertext } = seal(key.secret, Buffer.from(cvv), boundTo(clientId, tokenId));
  return { tokenId, keyId: key.id, wrapped: key.wrapped, nonce, ciphertext };
}

/** A restart of the database empties both tables, and a key that is gone leaves its rows unreadable: then there is no CVV. */
export function openCvv(clientId: string, sealed: SealedCvv): string {
  const key = openingKey(sealed.keyId, sealed.wrapped);
  return open(key, sealed, boundTo(clientId, sealed.tokenId)).toString("utf8");
}

/**
 * The key travels with every row it sealed: a sibling process never meets a row whose key is not published.
 * A repeat replaces the row and leaves its end where it was.
 */
export async function storeCvv(clientId: string, tokenId: string, cvv: string): Promise<void> {
  const sealed = sealCvv(clientId, tokenId, cvv);
  await vaultSql()`
    with who as materialized (select set_config('app.client_id', ${clientId}, true) as client_id),
    published as (
      insert into vault.cvv_keys (id, wrapped, expires_at)
      values (${sealed.keyId}, ${sealed.wrapped}, now() + make_interval(secs => ${KEY_LIFE_SECONDS}))
      on conflict (id) do nothing)
    insert into vault.card_cvv (token_id, client_id, key_id, nonce, ciphertext, expires_at)
    select ${tokenId}::uuid, who.client_id::uuid, ${sealed.keyId}::uuid, ${sealed.nonce}::bytea,
           ${sealed.ciphertext}::bytea, now() + make_interval(secs => ${CVV_LIFE_SECONDS})
      from who
    on conflict (token_id) do update
      set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext`;
}

export async function readCvv(clientId: string, tokenId: string): Promise<string | undefined> {
  const [row] = await vaultSql()<SealedCvvRow[]>`
    select v.key_id, v.wrapped, v.nonce, v.ciphertext
      from (select set_config('app.client_id', ${clientId}, true) as client_id) who
     cross join lateral (
       select v.key_id, v.nonce, v.ciphertext, k.wrapped
         from vault.card_cvv v join vault.cvv_keys k on k.id = v.key_id
        where v.token_id = ${tokenId} and v.client_id = who.client_id::uuid and v.expires_at > now()
       offset 0) v`;
  if (!row) return undefined;
  const { key_id: keyId, wrapped, nonce, ciphertext } = row;
  return openCvv(clientId, { tokenId, keyId, wrapped, nonce, ciphertext });
}

interface SealedCvvRow {
  key_id: string;
  wrapped: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
}

/** Keeps it until its key is dropped, at most two hours after it was given; repeated, nothing changes. */
export async function extendCvv(clientId: string, tokenId: string): Promise<void> {
  const sql = vaultSql();
  await sql`${named(sql, clientId)}
    update vault.card_cvv v set expires_at = k.expires_at
      from vault.cvv_keys k
     where ${isNamed(sql)} and v.token_id = ${tokenId} and v.client_id = ${clientId} and k.id = v.key_id and v.expires_at > now()`;
}

/** What waits until the deletion that is under way is done, by client: then all of it goes at once. */
const spare = new Map<string, { tokenIds: string[]; gone: Promise<void> }>();
const deleting = new Map<string, Promise<unknown>>();

/** Under load one statement deletes what many payments no longer need; it is gone when this is done. */
export function deleteCvv(clientId: string, tokenId: string): Promise<void> {
  const waiting = spare.get(clientId);
  if (waiting) {
    waiting.tokenIds.push(tokenId);
    return waiting.gone;
  }
  const before = deleting.get(clientId);
  if (!before) return deleteNow(clientId, [tokenId]);
  const tokenIds = [tokenId];
  const gone = before.then(() => {
    spare.delete(clientId);
    return deleteNow(clientId, tokenIds);
  });
  spare.set(clientId, { tokenIds, gone });
  return gone;
}

function deleteNow(clientId: string, tokenIds: readonly string[]): Promise<void> {
  const sql = vaultSql();
  // Selected first, or the list's length makes a plan for one call look cheaper than the kept one, each time.
  const gone = sql`${named(sql, clientId)}
    delete from vault.card_cvv
     where ${isNamed(sql)} and token_id = any((select ${[...tokenIds]}::uuid[])::uuid[]) and client_id = ${clientId}`.then(
    () => undefined,
  );
  const settled = gone
    .catch(() => undefined)
    .then(() => {
      if (deleting.get(clientId) === settled) deleting.delete(clientId);
    });
  deleting.set(clientId, settled);
  return gone;
}

/** Row security must know the client before a row is looked at: a condition without a column is. */
const named = (sql: Sql, clientId: string) =>
  sql`with who as materialized (select set_config('app.client_id', ${clientId}, true) as client_id)`;
const isNamed = (sql: Sql) => sql`(select client_id from who) is not null`;

/** Drops what nobody read in time, of all clients, and the keys that have had their two hours. */
export async function sweepCvv(): Promise<{ cvvs: number; keys: number }> {
  const sql = vaultSql();
  const cvvs = await deleteInBatches(sql, "vault.card_cvv", sql`expires_at < now()`);
  const keys = await deleteInBatches(sql, "vault.cvv_keys", sql`expires_at < now()`);
  return { cvvs, keys };
}
