import { createHash, createHmac } from "node:crypto";
import { and, count, desc, eq, gt, inArray, like, type SQL, sql } from "drizzle-orm";
import { type Database, systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { signInAttempts } from "@/db/schema/operators";
import { networkOf } from "@/lib/addresses";
import { type Challenge, checkSolution, newChallenge } from "@/lib/captcha/challenge";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const WINDOW_SECONDS = 30 * 60;
/** Of one e-mail in one place: there it is refused for half an hour, and nowhere else. */
export const FAILURES_PER_PLACE = 10;
/** Of one e-mail from all networks: each further try costs its browser a proof of work, and is not refused. */
export const FAILURES_PER_EMAIL = 10;
/** Of all e-mails from one network: likewise. Higher, since a whole office may share an address. */
export const FAILURES_PER_NETWORK = 30;
export const ATTEMPTS_KEPT_SECONDS = KEPT_DAYS.signInAttempts * DAY_SECONDS;
const PROOF_ID_CHARS = 36;

/**
 * Where failures add up. Strangers reach networks alone; whoever fails elsewhere holds a device that signed in before,
 * an open session, the right password or the word of the company, so nobody can be locked out there by guessing.
 */
export type SignInPlace = { network: string | null } | { device: string } | "code" | "session" | "company";

const NETWORK = "network:";

function textOf(place: SignInPlace): string {
  if (typeof place === "string") return place;
  if ("device" in place) return `device:${place.device}`;
  return `${NETWORK}${place.network === null ? "unknown" : wideNetworkOf(place.network)}`;
}

/** The /24 of an IPv4 address, the /64 of an IPv6 one. */
const wideNetworkOf = (address: string): string => networkOf(address).replace(/\.\d+$/, ".0/24");

export const normalEmail = (email: string): string => email.trim().toLowerCase();

const digestOf = (email: string): Buffer =>
  createHmac("sha256", env().AUTH_SECRET[0])
    .update(`sign-in:${normalEmail(email)}`)
    .digest();

export interface Tried {
  email: string;
  place: SignInPlace;
  /** What the browser found for the puzzle it was given. */
  proof?: string | undefined;
}

/** `puzzle`: nothing is looked at before it is solved. */
export type ClaimedAttempt = { kind: "open"; id: string } | { kind: "locked" } | { kind: "puzzle"; puzzle: Challenge };

/**
 * Counts the attempt before the password is looked at, one at a time for a place and for a person: simultaneous guesses
 * cannot slip past the limit together. Known and unknown e-mails are counted alike; refused attempts do not lengthen the
 * lock.
 */
export function claimAttempt(db: Database, tried: Tried, now: Date): Promise<ClaimedAttempt> {
  const id = newId();
  const emailDigest = digestOf(tried.email);
  const place = textOf(tried.place);
  const row = { id, emailDigest, place, at: now };
  return db.transaction(async (tx): Promise<ClaimedAttempt> => {
    // Everybody takes the place first and the e-mail second, so nobody waits in a circle.
    await lock(tx, `sign-in ${place}`);
    await lock(tx, emailDigest.toString("hex"));
    const refused = () => tx.insert(signInAttempts).values({ ...row, outcome: "refused" });
    if (await isFull(tx, emailDigest, place, now)) {
      await refused();
      return { kind: "locked" };
    }
    const isPuzzled = place.startsWith(NETWORK) && (await mustProve(tx, emailDigest, place, now));
    const boundTo = proofId(emailDigest, place);
    const proof = isPuzzled ? checkSolution(tried.proof ?? "", boundTo, now)?.key : undefined;
    if (!isPuzzled || (proof && !(await isSpent(tx, proof)))) {
      await tx.insert(signInAttempts).values({ ...row, outcome: "failed", proof });
      return { kind: "open", id };
    }
    await refused();
    return { kind: "puzzle", puzzle: newChallenge({ sessionId: boundTo, level: "hard" }, now) };
  });
}

const lock = (db: Database, what: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`);

/** Ten failures within half an hour, the last of them less than half an hour ago. */
async function isFull(db: Database, emailDigest: Buffer, place: string, now: Date): Promise<boolean> {
  const failures = await db
    .select({ at: signInAttempts.at })
    .from(signInAttempts)
    .where(
      and(
        eq(signInAttempts.emailDigest, emailDigest),
        eq(signInAttempts.place, place),
        eq(signInAttempts.outcome, "failed"),
        gt(signInAttempts.at, addSeconds(now, -2 * WINDOW_SECONDS)),
      ),
    )
    .orderBy(desc(signInAttempts.at))
    .limit(FAILURES_PER_PLACE);
  const [last, first] = [failures[0]?.at, failures[FAILURES_PER_PLACE - 1]?.at];
  if (!last || !first) return false;
  return last > addSeconds(now, -WINDOW_SECONDS) && first > addSeconds(last, -WINDOW_SECONDS);
}

async function mustProve(db: Database, emailDigest: Buffer, place: string, now: Date): Promise<boolean> {
  const ofEmail = and(eq(signInAttempts.emailDigest, emailDigest), like(signInAttempts.place, `${NETWORK}%`));
  return (
    (await countFailures(db, ofEmail, now)) >= FAILURES_PER_EMAIL ||
    (await countFailures(db, eq(signInAttempts.place, place), now)) >= FAILURES_PER_NETWORK
  );
}

async function countFailures(db: Database, which: SQL | undefined, now: Date): Promise<number> {
  const since = addSeconds(now, -WINDOW_SECONDS);
  const [row] = await db
    .select({ failures: count() })
    .from(signInAttempts)
    .where(and(which, eq(signInAttempts.outcome, "failed"), gt(signInAttempts.at, since)));
  return row?.failures ?? 0;
}

/** A solution counts for one e-mail from one network, in the shape of what other challenges are bound to. */
const proofId = (emailDigest: Buffer, place: string): string =>
  createHash("sha256").update(emailDigest).update(place).digest("hex").slice(0, PROOF_ID_CHARS);

/** Under the locks of the place and the e-mail, to which every solution is bound. */
async function isSpent(db: Database, proof: string): Promise<boolean> {
  const [spent] = await db
    .select({ id: signInAttempts.id })
    .from(signInAttempts)
    .where(eq(signInAttempts.proof, proof));
  return spent !== undefined;
}

/**
 * Forgives what the same person got wrong before in the same places. Of a sign-in in two steps both are answered at
 * once: until then neither has succeeded.
 */
export async function attemptSucceeded(db: Database, ...ids: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const { emailDigest, place } = signInAttempts;
    const won = await tx
      .select({ emailDigest, place })
      .from(signInAttempts)
      .where(inArray(signInAttempts.id, ids))
      .orderBy(emailDigest);
    for (const each of won) await lock(tx, each.emailDigest.toString("hex"));
    await tx.update(signInAttempts).set({ outcome: "succeeded" }).where(inArray(signInAttempts.id, ids));
    for (const each of won) await forgive(tx, each.emailDigest, eq(place, each.place));
  });
}

/** Somebody who chose a new password by e-mail: every network lets them try again, with nothing to prove. */
export async function forgiveNetworks(db: Database, email: string): Promise<void> {
  const emailDigest = digestOf(email);
  await db.transaction(async (tx) => {
    await lock(tx, emailDigest.toString("hex"));
    await forgive(tx, emailDigest, like(signInAttempts.place, `${NETWORK}%`));
  });
}

/** Under the lock of the e-mail: two that forgive the same rows would wait in a circle. */
async function forgive(db: Database, emailDigest: Buffer, which: SQL): Promise<void> {
  await db
    .update(signInAttempts)
    .set({ outcome: "forgiven" })
    .where(and(eq(signInAttempts.emailDigest, emailDigest), eq(signInAttempts.outcome, "failed"), which));
}

/** Whoever sits at an open session may guess no faster than whoever stands before the door. */
export async function attempting(
  db: Database,
  email: string,
  now: Date,
  isRight: () => Promise<boolean>,
): Promise<"right" | "wrong" | "locked"> {
  const attempt = await claimAttempt(db, { email, place: "session" }, now);
  if (attempt.kind !== "open") return "locked";
  if (!(await isRight())) return "wrong";
  await attemptSucceeded(db, attempt.id);
  return "right";
}

export async function deleteOldAttempts(now: Date): Promise<void> {
  const system = systemSql();
  await deleteInBatches(system, "sign_in_attempts", system`at < ${addSeconds(now, -ATTEMPTS_KEPT_SECONDS)}`);
}
