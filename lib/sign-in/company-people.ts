import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, operatorIdentities, operators } from "@/db/schema/operators";
import { newId } from "@/lib/ids";
import type { CompanyClaims } from "@/lib/sign-in/company-sign-in";
import { acceptOpenInvitations, isInvited } from "@/lib/sign-in/invitations";
import { newOneTimeToken } from "@/lib/sign-in/one-time";
import { hasSecondFactor } from "@/lib/sign-in/passkeys";
import { hashPassword } from "@/lib/sign-in/password";
import { auditPerson } from "@/lib/sign-in/person-audit";
import { factorChallengeFor, isLeftBehind, letIn, type OperatorRow, type SignInResult } from "@/lib/sign-in/service";
import { claimAttempt, normalEmail } from "@/lib/sign-in/sign-in-attempts";

interface From {
  address: string | null;
  userAgent: string | null;
  device?: string | undefined;
}

export type CompanyResult =
  | Exclude<SignInResult, { kind: "wrong" | "puzzle" }>
  /** Nobody of ours: neither in a team nor invited, or somebody else's name over there. */
  | { kind: "unknown" };

/**
 * Lets in whom the company vouches for, if they are ours already. A name over there is bound to a person once, by an
 * address that the company has verified; from then on the name alone counts. Our own second factor is asked for unless
 * the company says that it asked for one.
 */
export async function signInByCompany(
  db: Database,
  claims: CompanyClaims,
  from: From,
  now: Date,
): Promise<CompanyResult> {
  const email = claims.email === undefined ? undefined : normalEmail(claims.email);
  const attempt = await claimAttempt(db, { email: email ?? claims.subject, place: "company" }, now);
  if (attempt.kind !== "open") return { kind: "locked" };
  const row = (await boundTo(db, claims, now)) ?? (email ? await bind(db, claims, email, from, now) : undefined);
  if (!row || row.isDisabled || isLeftBehind(row, now)) return { kind: "unknown" };
  if (!claims.isMultiFactor && (await hasSecondFactor(db, row.id)))
    return { kind: "second_factor", challenge: await factorChallengeFor(db, row.id, attempt.id, now) };
  return letIn(db, row, { ...from, byCompanyFactor: claims.isMultiFactor }, [attempt.id], now);
}

const isTheirs = ({ issuer, subject }: CompanyClaims) =>
  and(eq(operatorIdentities.issuer, issuer), eq(operatorIdentities.subject, subject));

async function boundTo(db: Database, claims: CompanyClaims, now: Date): Promise<OperatorRow | undefined> {
  const [bound] = await db
    .update(operatorIdentities)
    .set({ lastUsedAt: now })
    .where(isTheirs(claims))
    .returning({ operatorId: operatorIdentities.operatorId });
  if (!bound) return undefined;
  const [row] = await db.select().from(operators).where(eq(operators.id, bound.operatorId));
  return row;
}

function bind(
  db: Database,
  claims: CompanyClaims,
  email: string,
  { address }: From,
  now: Date,
): Promise<OperatorRow | undefined> {
  return db.transaction(async (tx) => {
    const [known] = await tx.select().from(operators).where(eq(operators.email, email));
    const isMember = known !== undefined && (await hasAccount(tx, known.id));
    if (!isMember && !(await isInvited(tx, email, now))) return undefined;
    const row = known ?? (await newPerson(tx, email, claims.name, now));
    // One name of one company for each person: another name with the same address is somebody else.
    const bound = await tx
      .insert(operatorIdentities)
      .values({ issuer: claims.issuer, subject: claims.subject, operatorId: row.id, createdAt: now, lastUsedAt: now })
      .onConflictDoNothing()
      .returning({ subject: operatorIdentities.subject });
    if (bound.length === 0) {
      if (!known) throw new Error("two ways back of one new person at the same time");
      return undefined;
    }
    if (!isMember) await acceptOpenInvitations(tx, { id: row.id, email }, address, now);
    await auditPerson(
      tx,
      { operatorId: row.id, address },
      { action: "operator.bind", after: { issuer: claims.issuer } },
    );
    return row;
  });
}

async function hasAccount(db: Database, operatorId: string): Promise<boolean> {
  const [held] = await db
    .select({ id: memberships.clientId })
    .from(memberships)
    .where(and(eq(memberships.operatorId, operatorId), isNull(memberships.endedAt)))
    .limit(1);
  return held !== undefined;
}

/** Their password is nobody's until they choose one by e-mail. */
async function newPerson(db: Database, email: string, name: string | undefined, now: Date): Promise<OperatorRow> {
  const passwordHash = await hashPassword(newOneTimeToken().token);
  const shown = name?.trim() || (email.split("@")[0] ?? email);
  const [row] = await db
    .insert(operators)
    .values({ id: newId(), email, name: shown, passwordHash, createdAt: now, updatedAt: now })
    .returning();
  if (!row) throw new Error("an inserted person is answered");
  return row;
}
