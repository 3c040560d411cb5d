import { vaultSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { CVV_LIFE_SECONDS, openCvv, sealCvv } from "@/lib/vault/cvv";
import { KEY_LIFE_SECONDS } from "@/lib/vault/cvv-keys";
import { panFingerprint } from "@/lib/vault/fingerprint";
import { boundTo, openRecord, type SealedRecord, sealRecord } from "@/lib/vault/records";

/**
 * Row security shows the vault role the rows of one client, named in each statement: `who` sets it and is the source
 * of the rows, so it always runs first and nothing outlives the statement.
 */

export interface StoredPan {
  vaultId: string;
  fingerprint: string;
}

export async function storePan(clientId: string, pan: string): Promise<StoredPan> {
  const vaultId = newId();
  const fingerprint = await panFingerprint(clientId, pan);
  const sealed = sealRecord(pan, boundTo(clientId, vaultId));
  await vaultSql()`
    insert into vault.cards (id, client_id, wrapped_key, nonce, ciphertext, created_at)
    select ${vaultId}::uuid, who.client_id::uuid, ${sealed.wrappedKey}::bytea, ${sealed.nonce}::bytea,
           ${sealed.ciphertext}::bytea, now()
      from (select set_config('app.client_id', ${clientId}, true) as client_id) who`;
  return { vaultId, fingerprint };
}

/** Number and CVV of a new token, in one round trip. The caller names the record, so that it need not wait for it. */
export async function storeCard(
  clientId: string,
  { vaultId, pan, cvv, tokenId }: { vaultId: string; pan: string; cvv: string; tokenId: string },
): Promise<void> {
  const card = sealRecord(pan, boundTo(clientId, vaultId));
  const code = sealCvv(clientId, tokenId, cvv);
  await vaultSql()`
    with who as materialized (select set_config('app.client_id', ${clientId}, true) as client_id),
    published as (
      insert into vault.cvv_keys (id, wrapped, expires_at)
      values (${code.keyId}, ${code.wrapped}, now() + make_interval(secs => ${KEY_LIFE_SECONDS}))
      on conflict (id) do nothing),
    code as (
      insert into vault.card_cvv (token_id, client_id, key_id, nonce, ciphertext, expires_at)
      select ${tokenId}::uuid, who.client_id::uuid, ${code.keyId}::uuid, ${code.nonce}::bytea,
             ${code.ciphertext}::bytea, now() + make_interval(secs => ${CVV_LIFE_SECONDS})
        from who)
    insert into vault.cards (id, client_id, wrapped_key, nonce, ciphertext, created_at)
    select ${vaultId}::uuid, who.client_id::uuid, ${card.wrappedKey}::bytea, ${card.nonce}::bytea,
           ${card.ciphertext}::bytea, now()
      from who`;
}

export const readPan = async (clientId: string, vaultId: string): Promise<string> =>
  (await readCardAndCvv(clientId, vaultId)).pan;

export interface CardSecrets {
  pan: string;
  cvv?: string;
}

interface SecretsRow {
  wrapped_key: Buffer | null;
  nonce: Buffer;
  ciphertext: Buffer;
  cvv_key: string | null;
  cvv_wrapped: Buffer;
  cvv_nonce: Buffer;
  cvv_ciphertext: Buffer;
}

/** The number was deleted: nothing can be made of this card any more. */
export class CardGone extends Error {
  constructor(vaultId: string) {
    super(`vault record ${vaultId} does not exist`);
  }
}

/** Number, and CVV while it lives, in one round trip: this stands in the way of every payment. */
export async function readCardAndCvv(clientId: string, vaultId: string, tokenId?: string): Promise<CardSecrets> {
  const [row] = await vaultSql()<SecretsRow[]>`
    select c.wrapped_key, c.nonce, c.ciphertext,
           v.key_id as cvv_key, v.wrapped as cvv_wrapped, v.nonce as cvv_nonce, v.ciphertext as cvv_ciphertext
      from (select set_config('app.client_id', ${clientId}, true) as client_id) who
      left join lateral (
        select c.wrapped_key, c.nonce, c.ciphertext from vault.cards c
         where c.id = ${vaultId} and c.client_id = who.client_id::uuid
        offset 0) c on true
      left join lateral (
        select v.key_id, v.nonce, v.ciphertext, k.wrapped
          from vault.card_cvv v join vault.cvv_keys k on k.id = v.key_id
         where v.token_id = ${tokenId ?? null} and v.client_id = who.client_id::uuid and v.expires_at > now()
        offset 0) v on true`;
  if (!row?.wrapped_key) throw new CardGone(vaultId);
  const card: SealedRecord = { wrappedKey: row.wrapped_key, nonce: row.nonce, ciphertext: row.ciphertext };
  const pan = openRecord(card, boundTo(clientId, vaultId));
  if (!row.cvv_key || !tokenId) return { pan };
  const code = {
    tokenId,
    keyId: row.cvv_key,
    wrapped: row.cvv_wrapped,
    nonce: row.cvv_nonce,
    ciphertext: row.cvv_ciphertext,
  };
  return { pan, cvv: openCvv(clientId, code) };
}

/** Forgets numbers for good: of tokens that nobody used. */
export async function deletePans(clientId: string, vaultIds: readonly string[]): Promise<void> {
  if (vaultIds.length === 0) return;
  await vaultSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${clientId}, true)`;
    await sql`delete from vault.cards where id = any(${[...vaultIds]}::uuid[])`;
  });
}
