import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { and, count, eq, gt, inArray, max, type SQL, sql } from "drizzle-orm";
import { type Database, systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { signInAttempts } from "@/db/schema/operators";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const WINDOW_SECONDS = 30 * 60;
export const FAILURES_PER_EMAIL = 10;
/** Higher than for one person: a whole office may share an address. */
export const FAILURES_PER_ADDRESS = 30;
export const ATTEMPTS_KEPT_SECONDS = KEPT_DAYS.signInAttempts * DAY_SECONDS;
/** An IPv6 customer holds a whole /64, so the network is what is counted. */
const IPV6_NETWORK_GROUPS = 4;

export interface SignInOrigin {
  email: string;
  address: string | null;
}

export const normalEmail = (email: string): string => email.trim().toLowerCase();

const digestOf = (email: string): Buffer =>
  createHmac("sha256", env().AUTH_SECRET)
    .update(`sign-in:${normalEmail(email)}`)
    .digest();

/**
 * Counts the attempt before the password is looked at, one at a time for a person and for an address: simultaneous
 * guesses cannot slip past the limit together. Known and unknown e-mails are counted alike; refused attempts do not
 * lengthen the lock.
 */
export function claimAttempt(db: Database, from: SignInOrigin, now: Date): Promise<{ id: string; isLocked: boolean }> {
  const id = newId();
  const emailDigest = digestOf(from.email);
  const address = from.address === null ? null : networkOf(from.address);
  return db.transaction(async (tx) => {
    // Everybody takes the address first and the e-mail second, so nobody waits in a circle.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in address ${address}`}, 0))`);
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${emailDigest.toString("hex")}, 0))`);
    const isLocked =
      (await failuresOf(tx, emailDigest, now)) >= FAILURES_PER_EMAIL ||
      (address !== null && (await failuresFrom(tx, address, now)) >= FAILURES_PER_ADDRESS);
    const outcome = isLocked ? "refused" : "failed";
    await tx.insert(signInAttempts).values({ id, emailDigest, address, outcome, at: now });
    return { id, isLocked };
  });
}

/** Since the person last got in: a success forgives what came before it. */
async function failuresOf(db: Database, emailDigest: Buffer, now: Date): Promise<number> {
  const [success] = await db
    .select({ at: max(signInAttempts.at) })
    .from(signInAttempts)
    .where(and(eq(signInAttempts.emailDigest, emailDigest), eq(signInAttempts.outcome, "succeeded")));
  const since = new Date(Math.max(success?.at?.getTime() ?? 0, addSeconds(now, -WINDOW_SECONDS).getTime()));
  return countFailures(db, eq(signInAttempts.emailDigest, emailDigest), since);
}

const failuresFrom = (db: Database, address: string, now: Date): Promise<number> =>
  countFailures(db, eq(signInAttempts.address, address), addSeconds(now, -WINDOW_SECONDS));

async function countFailures(db: Database, whose: SQL, since: Date): Promise<number> {
  const [row] = await db
    .select({ failures: count() })
    .from(signInAttempts)
    .where(and(whose, eq(signInAttempts.outcome, "failed"), gt(signInAttempts.at, since)));
  return row?.failures ?? 0;
}

/** Of a sign-in in two steps both are answered at once: until then neither has succeeded. */
export async function attemptSucceeded(db: Database, ...ids: string[]): Promise<void> {
  await db.update(signInAttempts).set({ outcome: "succeeded" }).where(inArray(signInAttempts.id, ids));
}

/** Whoever sits at an open session may guess no faster than whoever stands before the door. */
export async function attempting(
  db: Database,
  from: SignInOrigin,
  now: Date,
  isRight: () => Promise<boolean>,
): Promise<"right" | "wrong" | "locked"> {
  const attempt = await claimAttempt(db, from, now);
  if (attempt.isLocked) return "locked";
  if (!(await isRight())) return "wrong";
  await attemptSucceeded(db, attempt.id);
  return "right";
}

export async function deleteOldAttempts(now: Date): Promise<void> {
  const system = systemSql();
  await deleteInBatches(system, "sign_in_attempts", system`at < ${addSeconds(now, -ATTEMPTS_KEPT_SECONDS)}`);
}

export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(":").toLowerCase()}::/64`;
}
