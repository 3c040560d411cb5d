import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Database } from "@/db/client";
import { apiKeys } from "@/db/schema/accounts";
import { MOST_ADDRESSES } from "@/lib/addresses";
import { audit } from "@/lib/audit";
import { type Account, type Context, inTransaction } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { digestOf } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const KEY_BYTES = 32;
const HINT_CHARACTERS = 4;
/** A rotated key still works this long, so that a client can change it without downtime (spec/contract.md section 4). */
export const ROTATION_SECONDS = DAY_SECONDS;

/** A new secret key. `apiKey` is shown this once: only its digest is kept. */
export interface IssuedSecretKey {
  keyId: string;
  apiKey: string;
  hint: string;
}

export interface SecretKey {
  id: string;
  /** Its first characters, so that people can tell keys apart. */
  hint: string;
  /** Addresses and networks it is taken from; none is anywhere. */
  allowedAddresses: string[];
  createdAt: Date;
  expiresAt: Date | null;
  /** To the minute; null is never. */
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
}

export async function issueKey(
  db: Database,
  account: Pick<Account, "id" | "mode">,
  allowedAddresses: string[] = [],
): Promise<IssuedSecretKey> {
  const prefix = `sk_${account.mode}_`;
  const apiKey = prefix + randomBytes(KEY_BYTES).toString("base64url");
  const keyId = newId();
  const hint = apiKey.slice(0, prefix.length + HINT_CHARACTERS);
  await db.insert(apiKeys).values({
    id: keyId,
    clientId: account.id,
    digest: digestOf(apiKey),
    hint,
    allowedAddresses,
    createdAt: realNow(),
  });
  return { keyId, apiKey, hint };
}

const isLive = (at: Date) => and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)));

/** Keys that work now, newest first; those being rotated out have an expiry. */
export async function listSecretKeys(ctx: Context): Promise<SecretKey[]> {
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select({
        id: apiKeys.id,
        hint: apiKeys.hint,
        allowedAddresses: apiKeys.allowedAddresses,
        createdAt: apiKeys.createdAt,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        lastUsedFrom: apiKeys.lastUsedFrom,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.clientId, account.id), isLive(realNow())))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
  );
}

/** The first characters of keys, revoked ones too: who did something stays readable. */
export async function keyHints(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: apiKeys.id, hint: apiKeys.hint })
      .from(apiKeys)
      .where(and(eq(apiKeys.clientId, account.id), inArray(apiKeys.id, [...ids]))),
  );
  return new Map(rows.map(({ id, hint }) => [id, hint]));
}

export async function createSecretKey(ctx: Context): Promise<IssuedSecretKey> {
  return inTransaction(ctx, async (inside) => {
    const issued = await issueKey(inside.db, inside.account);
    await audit(inside, {
      action: "secret_key.create",
      object: "secret_key",
      objectId: issued.keyId,
      after: { hint: issued.hint },
    });
    return issued;
  });
}

/** Issues a key and gives those that never expire 24 hours more. It is taken from where the newest of them was. */
export async function rotateSecretKeys(ctx: Context): Promise<IssuedSecretKey> {
  return inTransaction(ctx, async (inside) => {
    const at = realNow();
    const rotated = await inside.db
      .update(apiKeys)
      .set({ expiresAt: addSeconds(at, ROTATION_SECONDS) })
      .where(and(eq(apiKeys.clientId, inside.account.id), isNull(apiKeys.revokedAt), isNull(apiKeys.expiresAt)))
      .returning({ id: apiKeys.id, allowedAddresses: apiKeys.allowedAddresses });
    const newest = rotated.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
    const issued = await issueKey(inside.db, inside.account, newest?.allowedAddresses);
    await audit(inside, {
      action: "secret_key.rotate",
      object: "secret_key",
      objectId: issued.keyId,
      before: { keys: rotated.map(({ id }) => id) },
      after: { hint: issued.hint, olderKeysExpireAt: addSeconds(at, ROTATION_SECONDS).toISOString() },
    });
    return issued;
  });
}

/** Takes effect at once. */
export async function revokeSecretKey(ctx: Context, keyId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const at = realNow();
    const [revoked] = await inside.db
      .update(apiKeys)
      .set({ revokedAt: at })
      .where(and(eq(apiKeys.clientId, inside.account.id), eq(apiKeys.id, keyId), isLive(at)))
      .returning({ hint: apiKeys.hint });
    if (!revoked) throw notFound("secret key");
    await audit(inside, { action: "secret_key.revoke", object: "secret_key", objectId: keyId, before: revoked });
  });
}

/** From where the key is taken, from the next call on. */
export async function allowKeyFrom(ctx: Context, keyId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length > MOST_ADDRESSES) throw invalid(`addresses: at most ${MOST_ADDRESSES}`);
  await inTransaction(ctx, async (inside) => {
    const live = and(eq(apiKeys.clientId, inside.account.id), eq(apiKeys.id, keyId), isLive(realNow()));
    const [before] = await inside.db
      .select({ allowedAddresses: apiKeys.allowedAddresses })
      .from(apiKeys)
      .where(live)
      .for("update");
    if (!before) throw notFound("secret key");
    await inside.db
      .update(apiKeys)
      .set({ allowedAddresses: [...addresses] })
      .where(live);
    await audit(inside, {
      action: "secret_key.addresses",
      object: "secret_key",
      objectId: keyId,
      before: { addresses: before.allowedAddresses },
      after: { addresses: [...addresses] },
    });
  });
}
