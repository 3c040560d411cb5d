import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { type Database, systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { memberships, operators, signInChallenges } from "@/db/schema/operators";
import { invalid, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { RoleName } from "@/lib/operators/permissions";
import { openOperatorSession, revokeSessionsOf } from "@/lib/operators/sessions";
import { forgetDevices, knownDevice, rememberDevice } from "@/lib/sign-in/known-devices";
import { tellOfNewDevice } from "@/lib/sign-in/new-device";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { askForPasskey, hasSecondFactor, takePasskey } from "@/lib/sign-in/passkeys";
import { hashPassword, passwordProblem, verifyPassword } from "@/lib/sign-in/password";
import { auditPerson } from "@/lib/sign-in/person-audit";
import {
  attemptSucceeded,
  type ClaimedAttempt,
  claimAttempt,
  normalEmail,
  type SignInPlace,
} from "@/lib/sign-in/sign-in-attempts";
import { takeSecondFactor } from "@/lib/sign-in/totp";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export interface NewOperator {
  email: string;
  name: string;
  password: string;
  /** Their first account. */
  clientId: string;
  role: RoleName;
}

/** `db` is systemDb() or the seed's own connection: operators stand outside any one account. */
export async function createOperator(db: Database, input: NewOperator, now: Date = realNow()): Promise<{ id: string }> {
  const email = normalEmail(input.email);
  const problem = passwordProblem(input.password, { email, name: input.name });
  if (problem) throw invalid(`password: ${problem}`);
  const passwordHash = await hashPassword(input.password);
  return db.transaction(async (tx) => {
    const [created] = await tx
      .insert(operators)
      .values({ id: newId(), email, name: input.name.trim(), passwordHash, createdAt: now, updatedAt: now })
      .onConflictDoNothing({ target: operators.email })
      .returning({ id: operators.id });
    if (!created) throw new RequestError(409, "conflict", "an operator with this e-mail exists");
    await tx
      .insert(memberships)
      .values({ operatorId: created.id, clientId: input.clientId, role: input.role, createdAt: now });
    return created;
  });
}

/** Sets a new password and ends every session, the caller's own included. */
export async function setPassword(db: Database, operatorId: string, password: string, now: Date): Promise<void> {
  const [row] = await db
    .select({ email: operators.email, name: operators.name })
    .from(operators)
    .where(eq(operators.id, operatorId));
  if (!row) throw new Error(`operator ${operatorId} does not exist`);
  const problem = passwordProblem(password, row);
  if (problem) throw invalid(`password: ${problem}`);
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await tx.update(operators).set({ passwordHash, updatedAt: now }).where(eq(operators.id, operatorId));
    await revokeSessionsOf(tx, operatorId, now);
    await forgetDevices(tx, operatorId);
  });
}

export interface SignInRequest {
  email: string;
  password: string;
  address: string | null;
  userAgent: string | null;
  /** What the browser keeps of an earlier sign-in. */
  device?: string | undefined;
  /** The solution of the puzzle that it was given. */
  proof?: string | undefined;
}

/**
 * `wrong` covers unknown, disabled, long idle and mistaken alike; `locked` and `puzzle` are answered to known and
 * unknown e-mails alike. `second_factor`: the password was right, and the code of the app is asked for with this
 * challenge.
 */
export type SignInResult =
  | {
      kind: "signed_in";
      sessionId: string;
      operator: { id: string; name: string; email: string };
      /** For the browser to keep. */
      device: string;
    }
  | { kind: "second_factor"; challenge: string }
  | { kind: "wrong" }
  | Exclude<ClaimedAttempt, { kind: "open" }>;

/** Nobody has signed in for so long that the account counts as left behind; a new password by e-mail opens it. */
export const IDLE_ACCOUNT_SECONDS = 90 * DAY_SECONDS;

export async function signIn(db: Database, request: SignInRequest, now: Date): Promise<SignInResult> {
  const attempt = await claimAt(db, request, { network: request.address }, now);
  if (attempt.kind !== "open") return attempt;
  const [row] = await db
    .select()
    .from(operators)
    .where(eq(operators.email, normalEmail(request.email)));
  const isRight = await verifyPassword(row?.passwordHash, request.password);
  if (!row || !isRight || row.isDisabled || isLeftBehind(row, now)) return { kind: "wrong" };
  if (await hasSecondFactor(db, row.id))
    return { kind: "second_factor", challenge: await factorChallengeFor(db, row.id, attempt.id, now) };
  return letIn(db, row, request, [attempt.id], now);
}

/** A device that its person signed in with has failures of its own; with too many it is like any other. */
async function claimAt(
  db: Database,
  tried: { email: string; device?: string | undefined; proof?: string | undefined },
  otherwise: SignInPlace,
  now: Date,
): Promise<ClaimedAttempt> {
  const device = await knownDevice(db, tried, now);
  const claimed = device ? await claimAttempt(db, { email: tried.email, place: { device } }, now) : undefined;
  return claimed?.kind === "open" ? claimed : claimAttempt(db, { ...tried, place: otherwise }, now);
}

export const isLeftBehind = ({ lastSignInAt, createdAt }: OperatorRow, now: Date): boolean =>
  (lastSignInAt ?? createdAt) < addSeconds(now, -IDLE_ACCOUNT_SECONDS);

const CHALLENGE_SECONDS = 5 * 60;
const TRIES_PER_CHALLENGE = 5;

export async function factorChallengeFor(
  db: Database,
  operatorId: string,
  attemptId: string,
  now: Date,
): Promise<string> {
  const { token, digest } = newOneTimeToken();
  const expiresAt = addSeconds(now, CHALLENGE_SECONDS);
  await db.insert(signInChallenges).values({ id: newId(), digest, operatorId, attemptId, createdAt: now, expiresAt });
  return token;
}

export interface SecondStep {
  challenge: string;
  /** Of the app, or a recovery code. */
  code?: string | undefined;
  /** What a passkey signed, as the browser tells it. */
  passkey?: string | undefined;
  address: string | null;
  userAgent: string | null;
  device?: string | undefined;
}

/**
 * The code after the password. Each try counts as an attempt, and the password's own counts until a code is right. Who
 * comes this far knows the password, so codes count wherever they come from; a passkey cannot be guessed.
 */
export async function signInSecondStep(
  db: Database,
  given: SecondStep,
  now: Date,
): Promise<Exclude<SignInResult, { kind: "second_factor" | "puzzle" }> | { kind: "over" }> {
  const [challenge] = await db
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(
      and(
        eq(signInChallenges.digest, digestOfOneTimeToken(given.challenge)),
        isNull(signInChallenges.usedAt),
        gt(signInChallenges.expiresAt, now),
        lt(signInChallenges.tries, TRIES_PER_CHALLENGE),
      ),
    )
    .returning();
  if (!challenge) return { kind: "over" };
  const [row] = await db.select().from(operators).where(eq(operators.id, challenge.operatorId));
  if (!row || row.isDisabled) return { kind: "over" };
  const attempt = given.passkey ? undefined : await claimAt(db, { ...given, email: row.email }, "code", now);
  if (attempt && attempt.kind !== "open") return { kind: "locked" };
  const isRight = given.passkey
    ? await takePasskey(db, row.id, given.passkey, now)
    : await takeSecondFactor(db, row.id, given.code ?? "", now);
  if (!isRight) return { kind: "wrong" };
  const used = await db
    .update(signInChallenges)
    .set({ usedAt: now })
    .where(and(eq(signInChallenges.id, challenge.id), isNull(signInChallenges.usedAt)))
    .returning({ id: signInChallenges.id });
  if (used.length === 0) return { kind: "over" };
  return letIn(db, row, given, [...(attempt ? [attempt.id] : []), challenge.attemptId], now);
}

/** What a browser is asked to sign for somebody who has a passkey, while the second step is open. */
export async function passkeyOfStep(db: Database, challenge: string, now: Date) {
  const step = await openStep(db, challenge, now);
  return step ? askForPasskey(db, step.operatorId, now) : undefined;
}

export const isChallengeOpen = async (db: Database, challenge: string, now: Date): Promise<boolean> =>
  (await openStep(db, challenge, now)) !== undefined;

async function openStep(db: Database, challenge: string, now: Date): Promise<{ operatorId: string } | undefined> {
  const [step] = await db
    .select({ operatorId: signInChallenges.operatorId })
    .from(signInChallenges)
    .where(
      and(
        eq(signInChallenges.digest, digestOfOneTimeToken(challenge)),
        isNull(signInChallenges.usedAt),
        gt(signInChallenges.expiresAt, now),
        lt(signInChallenges.tries, TRIES_PER_CHALLENGE),
      ),
    );
  return step;
}

export type OperatorRow = typeof operators.$inferSelect;

/** The one door, whatever was proven before it: the attempts are forgiven, a new device is told of, a session begins. */
export async function letIn(
  db: Database,
  row: OperatorRow,
  from: {
    address: string | null;
    userAgent: string | null;
    device?: string | undefined;
    byCompanyFactor?: boolean;
  },
  attempts: string[],
  now: Date,
): Promise<Extract<SignInResult, { kind: "signed_in" }>> {
  const opened = await db.transaction(async (tx) => {
    await attemptSucceeded(tx, ...attempts);
    await tx.update(operators).set({ lastSignInAt: now }).where(eq(operators.id, row.id));
    await tellOfNewDevice(tx, row, from, now);
    await auditPerson(tx, { operatorId: row.id, address: from.address }, { action: "operator.sign-in" });
    const device = await rememberDevice(tx, row.id, from.device, now);
    return { device, sessionId: await openOperatorSession(tx, row.id, from, now) };
  });
  return { kind: "signed_in", ...opened, operator: { id: row.id, name: row.name, email: row.email } };
}

export async function deleteOldChallenges(now: Date): Promise<void> {
  const system = systemSql();
  await deleteInBatches(system, "sign_in_challenges", system`expires_at < ${addSeconds(now, -DAY_SECONDS)}`);
}
