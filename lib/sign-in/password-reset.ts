import { and, count, desc, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { operators, passwordResets } from "@/db/schema/operators";
import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueOperatorMail } from "@/lib/mail/queue";
import { revokeOtherSessions, revokeSessionsOf } from "@/lib/operators/sessions";
import { forgetDevices } from "@/lib/sign-in/known-devices";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { hashPassword, type PasswordProblem, passwordProblem, verifyPassword } from "@/lib/sign-in/password";
import { auditPerson, type Doer } from "@/lib/sign-in/person-audit";
import { attempting, forgiveNetworks, normalEmail } from "@/lib/sign-in/sign-in-attempts";
import { addSeconds } from "@/lib/time";

const RESET_SECONDS = 60 * 60;
const RESETS_AN_HOUR = 3;

/** Says nothing about whether the person exists: an unknown, disabled or impatient one is simply written no e-mail. */
export async function requestPasswordReset(db: Database, typed: string, locale: Locale, now: Date): Promise<void> {
  const [person] = await db
    .select()
    .from(operators)
    .where(and(eq(operators.email, normalEmail(typed)), eq(operators.isDisabled, false)));
  if (!person) return;
  await db.transaction(async (tx) => {
    await tx.select({ id: operators.id }).from(operators).where(eq(operators.id, person.id)).for("update");
    const [asked] = await tx
      .select({ times: count() })
      .from(passwordResets)
      .where(
        and(eq(passwordResets.operatorId, person.id), gt(passwordResets.createdAt, addSeconds(now, -RESET_SECONDS))),
      );
    if ((asked?.times ?? 0) >= RESETS_AN_HOUR) return;
    const { token, digest } = newOneTimeToken();
    const expiresAt = addSeconds(now, RESET_SECONDS);
    await tx.insert(passwordResets).values({ id: newId(), operatorId: person.id, digest, createdAt: now, expiresAt });
    await queueOperatorMail(tx, {
      template: "password-reset",
      to: person.email,
      locale: person.locale ?? locale,
      data: { url: `${env().BASE_URL}/reset/${token}`, expiresAt: expiresAt.toISOString() },
    });
  });
}

/** Whether the link can still be used. */
export async function isResetOpen(db: Database, token: string, now: Date): Promise<boolean> {
  return (await openReset(db, token, now)) !== undefined;
}

type Chosen = { kind: "done" } | { kind: "closed" } | { kind: "unfit"; problem: PasswordProblem };

/** Once for each link; what was guessed before is forgiven, every session ends, and no other link of the person works any more. */
export async function resetPassword(
  db: Database,
  token: string,
  password: string,
  address: string | null,
  now: Date,
): Promise<Chosen> {
  const open = await openReset(db, token, now);
  if (!open) return { kind: "closed" };
  const problem = passwordProblem(password, open);
  if (problem) return { kind: "unfit", problem };
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx): Promise<Chosen> => {
    const taken = await tx
      .update(passwordResets)
      .set({ usedAt: now })
      .where(and(eq(passwordResets.id, open.resetId), isNull(passwordResets.usedAt)))
      .returning({ id: passwordResets.id });
    if (taken.length === 0) return { kind: "closed" };
    await tx
      .update(passwordResets)
      .set({ usedAt: now })
      .where(and(eq(passwordResets.operatorId, open.operatorId), isNull(passwordResets.usedAt)));
    await tx
      .update(operators)
      .set({ passwordHash, lastSignInAt: now, updatedAt: now })
      .where(eq(operators.id, open.operatorId));
    await revokeSessionsOf(tx, open.operatorId, now);
    await forgetDevices(tx, open.operatorId);
    await forgiveNetworks(tx, open.email);
    await auditPerson(tx, { operatorId: open.operatorId, address }, { action: "password.reset" });
    return { kind: "done" };
  });
}

/** By somebody signed in, who knows the present one; the other sessions end. */
export async function changePassword(
  db: Database,
  doer: Doer & { sessionId: string },
  typed: { current: string; next: string },
  now: Date,
): Promise<Chosen | { kind: "wrong" | "locked" }> {
  const [person] = await db.select().from(operators).where(eq(operators.id, doer.operatorId));
  if (!person) return { kind: "wrong" };
  const answer = await attempting(db, person.email, now, () => verifyPassword(person.passwordHash, typed.current));
  if (answer !== "right") return { kind: answer };
  const problem = passwordProblem(typed.next, person);
  if (problem) return { kind: "unfit", problem };
  const passwordHash = await hashPassword(typed.next);
  await db.transaction(async (tx) => {
    await tx.update(operators).set({ passwordHash, updatedAt: now }).where(eq(operators.id, doer.operatorId));
    await revokeOtherSessions(tx, doer.operatorId, doer.sessionId, now);
    await auditPerson(tx, doer, { action: "password.change" });
  });
  return { kind: "done" };
}

async function openReset(db: Database, token: string, now: Date) {
  const [row] = await db
    .select({
      resetId: passwordResets.id,
      operatorId: operators.id,
      email: operators.email,
      name: operators.name,
    })
    .from(passwordResets)
    .innerJoin(operators, eq(operators.id, passwordResets.operatorId))
    .where(
      and(
        eq(passwordResets.digest, digestOfOneTimeToken(token)),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now),
        eq(operators.isDisabled, false),
      ),
    )
    .orderBy(desc(passwordResets.createdAt))
    .limit(1);
  return row;
}
