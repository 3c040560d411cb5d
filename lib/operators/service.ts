import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, operators } from "@/db/schema/operators";
import { invalid, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { attemptSucceeded, claimAttempt, normalEmail } from "@/lib/operators/attempts";
import { hashPassword, passwordProblem, verifyPassword } from "@/lib/operators/password";
import { type OperatorRole, openSession, revokeSessionsOf } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

export interface NewOperator {
  email: string;
  name: string;
  password: string;
  /** Their first account. */
  clientId: string;
  role: OperatorRole;
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
  });
}

export interface SignInRequest {
  email: string;
  password: string;
  address: string | null;
  userAgent: string | null;
}

/** `wrong` covers unknown, disabled and mistaken alike; `locked` is answered to known and unknown e-mails alike. */
export type SignInResult =
  | { kind: "signed_in"; sessionId: string; operator: { id: string; name: string; email: string } }
  | { kind: "wrong" }
  | { kind: "locked" };

export async function signIn(db: Database, request: SignInRequest, now: Date): Promise<SignInResult> {
  const attempt = await claimAttempt(db, request, now);
  if (attempt.isLocked) return { kind: "locked" };
  const [row] = await db
    .select()
    .from(operators)
    .where(eq(operators.email, normalEmail(request.email)));
  const isRight = await verifyPassword(row?.passwordHash, request.password);
  if (!row || !isRight || row.isDisabled) return { kind: "wrong" };
  await attemptSucceeded(db, attempt.id);
  await db.update(operators).set({ lastSignInAt: now }).where(eq(operators.id, row.id));
  const sessionId = await openSession(db, row.id, request, now);
  return { kind: "signed_in", sessionId, operator: { id: row.id, name: row.name, email: row.email } };
}
