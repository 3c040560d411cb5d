import { createHmac, randomBytes } from "node:crypto";
import { and, count, eq, isNull, lt } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import QRCode from "qrcode";
import type { Database } from "@/db/client";
import { operators, operatorTotps, passkeys, recoveryCodes } from "@/db/schema/operators";
import { KEPT } from "@/lib/purposes";
import { openText, sealText, serverSecret } from "@/lib/secrets";
import { verifyPassword } from "@/lib/sign-in/password";
import { auditPerson, type Doer } from "@/lib/sign-in/person-audit";
import { attempting } from "@/lib/sign-in/sign-in-attempts";

const ISSUER = "Trilho";
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks of phones are a little off: one step to either side. */
const WINDOW_STEPS = 1;

export const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 5;
const GROUP = 5;

const generator = (secret: string, label = ""): TOTP =>
  new TOTP({ issuer: ISSUER, label, digits: DIGITS, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

export interface Enrolment {
  /** Typed by hand where no camera is. */
  secret: string;
  /** A picture of the same, as a data address: it never leaves this server. */
  qr: string;
}

/**
 * A secret that counts once a first code of it was typed; starting again makes another. Who has a passkey already types
 * their password again: who holds an open session alone gives themselves no second way in.
 */
export async function beginTotp(
  db: Database,
  person: { id: string; email: string },
  now: Date,
  again?: { doer: Doer; password: string },
): Promise<"begun" | "password_needed" | "wrong" | "locked"> {
  const [key] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.operatorId, person.id)).limit(1);
  if (key) {
    if (!again?.password) return "password_needed";
    const { doer, password } = again;
    const isRight = await confirmedByFactor(db, doer, { password }, now, async () => true as const);
    if (isRight !== true) return isRight;
  }
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const sealed = sealText(KEPT.totp, secret, person.id);
  await db
    .insert(operatorTotps)
    .values({ operatorId: person.id, secret: sealed, createdAt: now })
    .onConflictDoUpdate({
      target: operatorTotps.operatorId,
      set: { secret: sealed, createdAt: now, lastStep: 0 },
      setWhere: isNull(operatorTotps.confirmedAt),
    });
  return "begun";
}

/** What the app is shown while it is being added; nothing once it is. */
export async function enrolmentOf(db: Database, person: { id: string; email: string }): Promise<Enrolment | undefined> {
  const row = await rowOf(db, person.id);
  if (!row || row.confirmedAt) return undefined;
  const secret = openText(KEPT.totp, row.secret, person.id);
  const address = generator(secret, person.email).toString();
  return { secret, qr: await QRCode.toDataURL(address, { errorCorrectionLevel: "M", margin: 2, width: 384 }) };
}

export interface TotpState {
  since: Date | null;
  codesLeft: number;
}

export async function totpOf(db: Database, operatorId: string): Promise<TotpState> {
  const row = await rowOf(db, operatorId);
  const [left] = await db
    .select({ codes: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.operatorId, operatorId), isNull(recoveryCodes.usedAt)));
  return { since: row?.confirmedAt ?? null, codesLeft: left?.codes ?? 0 };
}

/** Since when the app counts, or null. */
export const totpSince = async (db: Database, operatorId: string): Promise<Date | null> =>
  (await rowOf(db, operatorId))?.confirmedAt ?? null;

/** With the first code of the app; answers the recovery codes, which are shown this once. */
export async function confirmTotp(db: Database, doer: Doer, code: string, now: Date): Promise<string[] | "wrong"> {
  return db.transaction(async (tx) => {
    const row = await rowOf(tx, doer.operatorId);
    if (!row || row.confirmedAt || !(await takeCode(tx, row, code, now))) return "wrong";
    await tx
      .update(operatorTotps)
      .set({ confirmedAt: now })
      .where(and(eq(operatorTotps.operatorId, doer.operatorId), isNull(operatorTotps.confirmedAt)));
    await auditPerson(tx, doer, { action: "totp.add" });
    return newRecoveryCodes(tx, doer.operatorId, now);
  });
}

/** A code of the app or a recovery code, at sign-in and for what matters; each works once. */
export async function takeSecondFactor(db: Database, operatorId: string, typed: string, now: Date): Promise<boolean> {
  const row = await rowOf(db, operatorId);
  const digits = typed.replace(/\s/g, "");
  // Recovery codes are there as long as any factor is.
  if (!/^\d{6}$/.test(digits)) return takeRecoveryCode(db, operatorId, typed, now);
  return row?.confirmedAt ? takeCode(db, row, digits, now) : false;
}

export async function removeTotp(
  db: Database,
  doer: Doer,
  typed: { password: string; code: string },
  now: Date,
): Promise<"done" | "wrong" | "locked"> {
  return confirmedByFactor(db, doer, typed, now, async (tx) => {
    const [other] = await tx
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(eq(passkeys.operatorId, doer.operatorId))
      .limit(1);
    if (!other) await tx.delete(recoveryCodes).where(eq(recoveryCodes.operatorId, doer.operatorId));
    await tx.delete(operatorTotps).where(eq(operatorTotps.operatorId, doer.operatorId));
    await auditPerson(tx, doer, { action: "totp.remove" });
    return "done" as const;
  });
}

/** New ones; the ones before them stop working. */
export const renewRecoveryCodes = (
  db: Database,
  doer: Doer,
  typed: { password: string; code: string },
  now: Date,
): Promise<string[] | "wrong" | "locked"> =>
  confirmedByFactor(db, doer, typed, now, async (tx) => {
    await auditPerson(tx, doer, { action: "totp.new-codes" });
    return newRecoveryCodes(tx, doer.operatorId, now);
  });

/** With the password, and a code where one is asked for: who holds an open session alone cannot take the lock off the door. */
export async function confirmedByFactor<T>(
  db: Database,
  doer: Doer,
  { password, code }: { password: string; code?: string },
  now: Date,
  work: (tx: Database) => Promise<T>,
): Promise<T | "wrong" | "locked"> {
  const [person] = await db.select().from(operators).where(eq(operators.id, doer.operatorId));
  if (!person) return "wrong";
  const answer = await attempting(
    db,
    person.email,
    now,
    async () =>
      (await verifyPassword(person.passwordHash, password)) &&
      (code === undefined || takeSecondFactor(db, doer.operatorId, code, now)),
  );
  return answer === "right" ? db.transaction(work) : answer;
}

type TotpRow = typeof operatorTotps.$inferSelect;

async function rowOf(db: Database, operatorId: string): Promise<TotpRow | undefined> {
  const [row] = await db.select().from(operatorTotps).where(eq(operatorTotps.operatorId, operatorId));
  return row;
}

/** A code counts for its half minute only if none of that half minute or later was taken before. */
async function takeCode(db: Database, row: TotpRow, code: string, now: Date): Promise<boolean> {
  const totp = generator(openText(KEPT.totp, row.secret, row.operatorId));
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code.replace(/\s/g, ""), timestamp, window: WINDOW_STEPS });
  if (delta === null) return false;
  const step = Math.floor(timestamp / (PERIOD_SECONDS * 1000)) + delta;
  const taken = await db
    .update(operatorTotps)
    .set({ lastStep: step })
    .where(and(eq(operatorTotps.operatorId, row.operatorId), lt(operatorTotps.lastStep, step)))
    .returning({ operatorId: operatorTotps.operatorId });
  return taken.length > 0;
}

const recoveryDigest = (operatorId: string, code: string): Buffer =>
  createHmac("sha256", serverSecret("recovery codes"))
    .update(`${operatorId}:${code.toUpperCase().replace(/[^A-Z0-9]/g, "")}`)
    .digest();

async function takeRecoveryCode(db: Database, operatorId: string, typed: string, now: Date): Promise<boolean> {
  const taken = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.operatorId, operatorId),
        eq(recoveryCodes.digest, recoveryDigest(operatorId, typed)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ operatorId: recoveryCodes.operatorId });
  return taken.length > 0;
}

export async function newRecoveryCodes(db: Database, operatorId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.delete(recoveryCodes).where(eq(recoveryCodes.operatorId, operatorId));
  await db
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ operatorId, digest: recoveryDigest(operatorId, code), createdAt: now })));
  return codes;
}

/** 50 bits in two groups; without 0, 1, 8 and 9, which are mistaken for letters. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES * 2)).buffer }).base32.slice(
    0,
    2 * GROUP,
  );
  return `${text.slice(0, GROUP)}-${text.slice(GROUP)}`;
}
