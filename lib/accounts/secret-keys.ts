import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import { apiKeys } from "@/db/schema/accounts";
import { MOST_ADDRESSES } from "@/lib/addresses";
import { audit } from "@/lib/audit";
import { type Account, type Context, inTransaction, type KeyRights } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { digestOf } from "@/lib/http/authenticate";
import { SEGMENTS } from "@/lib/http/scopes";
import { newId } from "@/lib/ids";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const KEY_BYTES = 32;
const HINT_CHARACTERS = 4;
export const KEY_NAME_MAX_CHARS = 60;
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
  /** Null for the key an account begins with. */
  name: string | null;
  /** Of a restricted key; null is everything. */
  rights: KeyRights | null;
  /** Addresses and networks it is taken from; none is anywhere. */
  allowedAddresses: string[];
  createdAt: Date;
  expiresAt: Date | null;
  /** To the minute; null is never. */
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
}

type KeyMembers = Pick<SecretKey, "name" | "rights" | "allowedAddresses">;
const FIRST_KEY: KeyMembers = { name: null, rights: null, allowedAddresses: [] };

export async function issueKey(
  db: Database,
  account: Pick<Account, "id" | "mode">,
  members: KeyMembers = FIRST_KEY,
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
    ...members,
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
        name: apiKeys.name,
        rights: apiKeys.rights,
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

export type KeyName = Pick<SecretKey, "hint" | "name">;

/** How people know keys, revoked ones too: who did something stays readable. */
export async function keyNames(ctx: Context, ids: readonly string[]): Promise<Map<string, KeyName>> {
  if (ids.length === 0) return new Map();
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: apiKeys.id, hint: apiKeys.hint, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.clientId, account.id), inArray(apiKeys.id, [...ids]))),
  );
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

export interface NewSecretKey {
  name: string;
  /** By segment; null is everything. */
  rights: KeyRights | null;
}

/** 400 without a name, and for a restricted key that may do nothing or names a segment that is none. */
export async function createSecretKey(ctx: Context, { name: given, rights }: NewSecretKey): Promise<IssuedSecretKey> {
  const name = given.trim();
  if (name === "" || name.length > KEY_NAME_MAX_CHARS) throw invalid(`name: 1 to ${KEY_NAME_MAX_CHARS} characters`);
  checkRights(rights);
  return inTransaction(ctx, async (inside) => {
    const issued = await issueKey(inside.db, inside.account, { name, rights, allowedAddresses: [] });
    await audit(inside, {
      action: "secret_key.create",
      object: "secret_key",
      objectId: issued.keyId,
      after: { hint: issued.hint, name, rights },
    });
    return issued;
  });
}

const segments: ReadonlySet<string> = new Set(SEGMENTS);

function checkRights(rights: KeyRights | null): void {
  if (rights === null) return;
  const named = Object.keys(rights);
  const unknown = named.filter((segment) => !segments.has(segment));
  if (unknown.length > 0) throw invalid(...unknown.map((segment) => `rights.${segment}: unknown`));
  if (named.length === 0) throw invalid("rights: at least one");
}

/** Issues a key with the same name, rights and addresses; the one it replaces still works for 24 hours. */
export async function rotateSecretKey(ctx: Context, keyId: string): Promise<IssuedSecretKey> {
  return inTransaction(ctx, async (inside) => {
    const [rotated] = await expireLater(inside, eq(apiKeys.id, keyId));
    if (!rotated) throw notFound("secret key");
    return replace(inside, [rotated]);
  });
}

/**
 * Issues a key and gives those that never expire and may do everything 24 hours more. It is named, and taken from where,
 * the newest of them was.
 */
export async function rotateSecretKeys(ctx: Context): Promise<IssuedSecretKey> {
  return inTransaction(ctx, async (inside) => {
    const rotated = await expireLater(inside, isNull(apiKeys.rights));
    return replace(
      inside,
      rotated.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    );
  });
}

type Rotated = KeyMembers & { id: string };

const expireLater = ({ db, account }: Context, which: SQL): Promise<Rotated[]> =>
  db
    .update(apiKeys)
    .set({ expiresAt: addSeconds(realNow(), ROTATION_SECONDS) })
    .where(and(eq(apiKeys.clientId, account.id), isNull(apiKeys.revokedAt), isNull(apiKeys.expiresAt), which))
    .returning({
      id: apiKeys.id,
      name: apiKeys.name,
      rights: apiKeys.rights,
      allowedAddresses: apiKeys.allowedAddresses,
    });

async function replace(ctx: Context, rotated: readonly Rotated[]): Promise<IssuedSecretKey> {
  const { id: _id, ...members } = rotated[0] ?? { id: "", ...FIRST_KEY };
  const issued = await issueKey(ctx.db, ctx.account, members);
  await audit(ctx, {
    action: "secret_key.rotate",
    object: "secret_key",
    objectId: issued.keyId,
    before: { keys: rotated.map(({ id }) => id) },
    after: {
      hint: issued.hint,
      name: members.name,
      olderKeysExpireAt: addSeconds(realNow(), ROTATION_SECONDS).toISOString(),
    },
  });
  return issued;
}

/** Takes effect at once. */
export async function revokeSecretKey(ctx: Context, keyId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const at = realNow();
    const [revoked] = await inside.db
      .update(apiKeys)
      .set({ revokedAt: at })
      .where(and(eq(apiKeys.clientId, inside.account.id), eq(apiKeys.id, keyId), isLive(at)))
      .returning({ hint: apiKeys.hint, name: apiKeys.name });
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
