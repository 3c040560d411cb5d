import { and, asc, eq, isNotNull, isNull, max, ne } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { memberships, operatorSessions, operators, operatorTotps } from "@/db/schema/operators";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { REFUND_LIMITS } from "@/lib/operators/permissions";
import { type OperatorRole, revokeSessionsOf } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

export interface RefundLimits {
  each: number;
  daily: number;
}

export interface Member {
  id: string;
  name: string;
  email: string;
  role: OperatorRole;
  /** What this person may give back alone; null for roles without a limit. */
  refunds: RefundLimits | null;
  lastSeenAt: Date | null;
  hasTotp: boolean;
  joinedAt: Date;
}

/** A role with a limit has the role's own until somebody set another. */
export function limitsOf(role: OperatorRole, own: { each: number | null; daily: number | null }): RefundLimits | null {
  const usual = REFUND_LIMITS[role];
  return usual ? { each: own.each ?? usual.each, daily: own.daily ?? usual.daily } : null;
}

/** People belong to several accounts, so only the system sees them: every question here names the account. */
export async function listMembers({ account }: Context): Promise<Member[]> {
  const db = systemDb();
  const seen = db
    .select({ operatorId: operatorSessions.operatorId, at: max(operatorSessions.lastSeenAt).as("at") })
    .from(operatorSessions)
    .groupBy(operatorSessions.operatorId)
    .as("seen");
  const rows = await db
    .select({
      id: operators.id,
      name: operators.name,
      email: operators.email,
      role: memberships.role,
      each: memberships.refundEach,
      daily: memberships.refundDaily,
      joinedAt: memberships.createdAt,
      lastSeenAt: seen.at,
      totpSince: operatorTotps.confirmedAt,
    })
    .from(memberships)
    .innerJoin(operators, eq(operators.id, memberships.operatorId))
    .leftJoin(seen, eq(seen.operatorId, operators.id))
    .leftJoin(operatorTotps, and(eq(operatorTotps.operatorId, operators.id), isNotNull(operatorTotps.confirmedAt)))
    .where(and(eq(memberships.clientId, account.id), isNull(memberships.endedAt)))
    .orderBy(asc(memberships.createdAt), asc(operators.id));
  return rows.map(({ each, daily, totpSince, ...member }) => ({
    ...member,
    refunds: limitsOf(member.role, { each, daily }),
    hasTotp: totpSince !== null,
  }));
}

/** What one member may give back alone, asked for each refund inside its transaction. */
export async function refundLimitsOf(
  { db, account }: Context,
  operatorId: string,
  role: OperatorRole,
): Promise<RefundLimits | null> {
  const [own] = await db
    .select({ each: memberships.refundEach, daily: memberships.refundDaily })
    .from(memberships)
    .where(and(eq(memberships.clientId, account.id), eq(memberships.operatorId, operatorId)));
  return limitsOf(role, own ?? { each: null, daily: null });
}

export type TeamOutcome = "done" | "last_owner";

export interface MemberChange {
  role: OperatorRole;
  /** Absent: the role's own. */
  refunds?: RefundLimits | undefined;
}

/** Another role is another set of rights: the person signs in again everywhere. */
export function changeMember(ctx: Context, operatorId: string, change: MemberChange): Promise<TeamOutcome> {
  return withTeam(ctx, async (inside) => {
    const before = await memberOf(inside, operatorId);
    if (before.role === "owner" && change.role !== "owner" && !(await hasOtherOwner(inside, operatorId)))
      return "last_owner";
    const after = {
      role: change.role,
      refundEach: change.refunds?.each ?? null,
      refundDaily: change.refunds?.daily ?? null,
    };
    await inside.db.update(memberships).set(after).where(isMember(inside, operatorId));
    if (before.role !== change.role) await revokeSessionsOf(inside.db, operatorId, realNow());
    await audit(inside, { action: "member.change", object: "operator", objectId: operatorId, before, after });
    return "done";
  });
}

/** Out at once: the sessions end with the membership. */
export function removeMember(ctx: Context, operatorId: string): Promise<TeamOutcome> {
  return withTeam(ctx, async (inside) => {
    const before = await memberOf(inside, operatorId);
    if (before.role === "owner" && !(await hasOtherOwner(inside, operatorId))) return "last_owner";
    await inside.db.update(memberships).set({ endedAt: realNow() }).where(isMember(inside, operatorId));
    await revokeSessionsOf(inside.db, operatorId, realNow());
    await audit(inside, { action: "member.remove", object: "operator", objectId: operatorId, before });
    return "done";
  });
}

/** One change of a team at a time: two owners cannot remove each other in the same moment. */
export function withTeam<T>(ctx: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return systemDb().transaction(async (db: Database) => {
    await db.select({ id: clients.id }).from(clients).where(eq(clients.id, ctx.account.id)).for("update");
    return work({ ...ctx, db, isInTransaction: true });
  });
}

const isMember = ({ account }: Context, operatorId: string) =>
  and(eq(memberships.clientId, account.id), eq(memberships.operatorId, operatorId), isNull(memberships.endedAt));

async function memberOf(ctx: Context, operatorId: string) {
  const [row] = await ctx.db
    .select({ role: memberships.role, refundEach: memberships.refundEach, refundDaily: memberships.refundDaily })
    .from(memberships)
    .where(isMember(ctx, operatorId));
  if (!row) throw notFound("operator");
  return row;
}

async function hasOtherOwner({ db, account }: Context, operatorId: string): Promise<boolean> {
  const [other] = await db
    .select({ id: operators.id })
    .from(memberships)
    .innerJoin(operators, eq(operators.id, memberships.operatorId))
    .where(
      and(
        eq(memberships.clientId, account.id),
        eq(memberships.role, "owner"),
        isNull(memberships.endedAt),
        ne(memberships.operatorId, operatorId),
        eq(operators.isDisabled, false),
      ),
    )
    .limit(1);
  return other !== undefined;
}
