import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { and, asc, count, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { operatorTotps, passkeyChallenges, passkeys, recoveryCodes } from "@/db/schema/operators";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { readAdded, readSigned, readTransports } from "@/lib/sign-in/passkey-answers";
import { auditPerson, type Doer } from "@/lib/sign-in/person-audit";
import { confirmedByFactor, newRecoveryCodes, totpSince } from "@/lib/sign-in/totp";
import { addSeconds } from "@/lib/time";

const CHALLENGE_SECONDS = 5 * 60;
const MOST_PASSKEYS = 20;
export const PASSKEY_NAME_MAX_CHARS = 60;

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export const passkeysOf = (db: Database, operatorId: string): Promise<Passkey[]> =>
  db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.operatorId, operatorId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

const hasPasskey = async (db: Database, operatorId: string): Promise<boolean> => {
  const [row] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.operatorId, operatorId)).limit(1);
  return row !== undefined;
};

/** An app or a passkey: either is asked for at sign-in, and either opens the actions of a live account. */
export const hasSecondFactor = async (db: Database, operatorId: string): Promise<boolean> =>
  (await totpSince(db, operatorId)) !== null || hasPasskey(db, operatorId);

/** Browsers keep a passkey to the host it was made for, and sign where they stand: both are ours or nothing counts. */
function place(): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(env().BASE_URL);
  return { rpID: hostname, origin };
}

const credentialsOf = async (db: Database, operatorId: string) =>
  (
    await db
      .select({ id: passkeys.credentialId, transports: passkeys.transports })
      .from(passkeys)
      .where(eq(passkeys.operatorId, operatorId))
  ).map(({ id, transports }) => ({ id, transports: readTransports(transports) }));

type Purpose = (typeof passkeyChallenges.$inferSelect)["purpose"];

async function keep(db: Database, purpose: Purpose, operatorId: string, challenge: string, now: Date): Promise<void> {
  const expiresAt = addSeconds(now, CHALLENGE_SECONDS);
  await db.insert(passkeyChallenges).values({ id: newId(), purpose, operatorId, challenge, createdAt: now, expiresAt });
}

/** Once, by the person it was made for, for what it was made for, and soon. */
async function take(db: Database, purpose: Purpose, operatorId: string, challenge: string, now: Date) {
  const taken = await db
    .update(passkeyChallenges)
    .set({ usedAt: now })
    .where(
      and(
        eq(passkeyChallenges.challenge, challenge),
        eq(passkeyChallenges.purpose, purpose),
        eq(passkeyChallenges.operatorId, operatorId),
        isNull(passkeyChallenges.usedAt),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ id: passkeyChallenges.id });
  return taken.length > 0;
}

/** With the password: who holds an open session alone gives themselves no key to come back with. */
export async function beginPasskey(
  db: Database,
  doer: Doer,
  person: { name: string; email: string },
  password: string,
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON | "wrong" | "locked" | "too_many"> {
  const known = await credentialsOf(db, doer.operatorId);
  if (known.length >= MOST_PASSKEYS) return "too_many";
  const isRight = await confirmedByFactor(db, doer, { password }, now, async () => true as const);
  if (isRight !== true) return isRight;
  const { rpID } = place();
  const options = await generateRegistrationOptions({
    rpName: "Trilho",
    rpID,
    userID: new Uint8Array(Buffer.from(doer.operatorId)),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await keep(db, "add", doer.operatorId, options.challenge, now);
  return options;
}

/** With the first factor come the recovery codes, which are shown this once. */
export async function addPasskey(
  db: Database,
  doer: Doer,
  given: { answer: string; name: string },
  now: Date,
): Promise<"refused" | { codes: string[] | null }> {
  const response = readAdded(given.answer);
  if (!response) return "refused";
  const { rpID, origin } = place();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => take(db, "add", doer.operatorId, challenge, now),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => undefined);
  const credential = verified?.verified ? verified.registrationInfo?.credential : undefined;
  if (!credential) return "refused";
  return db.transaction(async (tx) => {
    const added = await tx
      .insert(passkeys)
      .values({
        id: newId(),
        operatorId: doer.operatorId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: [...(credential.transports ?? [])],
        name: given.name,
        createdAt: now,
      })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning({ id: passkeys.id });
    if (added.length === 0) return "refused";
    // An app that was begun before asked for no password: from now on it does.
    await tx
      .delete(operatorTotps)
      .where(and(eq(operatorTotps.operatorId, doer.operatorId), isNull(operatorTotps.confirmedAt)));
    await auditPerson(tx, doer, { action: "passkey.add", after: { name: given.name } });
    const [left] = await tx
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(eq(recoveryCodes.operatorId, doer.operatorId));
    return { codes: left?.codes ? null : await newRecoveryCodes(tx, doer.operatorId, now) };
  });
}

/** Renames one's own; another's is not touched. */
export async function renamePasskey(db: Database, doer: Doer, id: string, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    const mine = and(eq(passkeys.id, id), eq(passkeys.operatorId, doer.operatorId));
    const [before] = await tx.select({ name: passkeys.name }).from(passkeys).where(mine);
    if (!before) return;
    await tx.update(passkeys).set({ name }).where(mine);
    await auditPerson(tx, doer, { action: "passkey.rename", before, after: { name } });
  });
}

export async function removePasskey(
  db: Database,
  doer: Doer,
  id: string,
  typed: { password: string; code: string },
  now: Date,
): Promise<"done" | "wrong" | "locked"> {
  return confirmedByFactor(db, doer, typed, now, async (tx) => {
    const [gone] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.operatorId, doer.operatorId)))
      .returning({ name: passkeys.name });
    if (gone) await auditPerson(tx, doer, { action: "passkey.remove", before: gone });
    if (!(await hasSecondFactor(tx, doer.operatorId)))
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.operatorId, doer.operatorId));
    return "done" as const;
  });
}

/** What the browser signs at the door; nothing for somebody without a passkey. */
export async function askForPasskey(
  db: Database,
  operatorId: string,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const known = await credentialsOf(db, operatorId);
  if (known.length === 0) return undefined;
  const options = await generateAuthenticationOptions({
    rpID: place().rpID,
    allowCredentials: known,
    userVerification: "preferred",
  });
  await keep(db, "sign-in", operatorId, options.challenge, now);
  return options;
}

/** True when a passkey of this person signed what it was asked to, here, once, and counted on since it last did. */
export async function takePasskey(db: Database, operatorId: string, answer: string, now: Date): Promise<boolean> {
  const response = readSigned(answer);
  if (!response) return false;
  const [known] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, response.id), eq(passkeys.operatorId, operatorId)));
  if (!known) return false;
  const { rpID, origin } = place();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => take(db, "sign-in", operatorId, challenge, now),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    credential: { id: known.credentialId, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
  }).catch(() => undefined);
  if (!verified?.verified) return false;
  const used = await db
    .update(passkeys)
    .set({ counter: verified.authenticationInfo.newCounter, lastUsedAt: now })
    .where(and(eq(passkeys.id, known.id), eq(passkeys.counter, known.counter)))
    .returning({ id: passkeys.id });
  return used.length > 0;
}
