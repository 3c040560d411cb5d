import { and, asc, count, eq, inArray, isNotNull, isNull, max, ne } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { merchants as merchantRows } from "@/db/schema/merchants";
import { customRoles, memberships, operatorSessions, operators, operatorTotps, passkeys } from "@/db/schema/operators";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { keptRole, ownRole, type RoleChoice } from "@/lib/operators/custom-roles";
import { namedRole, ofMembership } from "@/lib/operators/held-role";
import { type CustomRole, type RefundLimits, type RoleName, usualLimits } from "@/lib/operators/permissions";
import { type OperatorRole, revokeSessionsOf } from "@/lib/operators/sessions";
import { tellOfMember } from "@/lib/operators/told";
import { withTeam } from "@/lib/operators/with-team";
import { realNow } from "@/lib/time";

export interface Member {
  id: string;
  name: string;
  email: string;
  role: RoleName | CustomRole;
  /** The merchants that exist for this person; null is all of them. */
  merchants: readonly string[] | null;
  /** What this person may give back alone; null for roles without a limit. */
  refunds: RefundLimits | null;
  lastSeenAt: Date | null;
  /** What they sign in with besides the password. */
  factor: "app" | "passkey" | null;
  joinedAt: Date;
}

/** A role with a limit has the role's own until somebody set another. */
export function limitsOf(role: OperatorRole, own: { each: number | null; daily: number | null }): RefundLimits | null {
  const usual = usualLimits(role);
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
  const held = db
    .select({ operatorId: passkeys.operatorId, keys: count().as("keys") })
    .from(passkeys)
    .groupBy(passkeys.operatorId)
    .as("held");
  const rows = await db
    .select({
      id: operators.id,
      name: operators.name,
      email: operators.email,
      role: memberships.role,
      custom: customRoles,
      merchants: memberships.merchantIds,
      each: memberships.refundEach,
      daily: memberships.refundDaily,
      joinedAt: memberships.createdAt,
      lastSeenAt: seen.at,
      totpSince: operatorTotps.confirmedAt,
      keys: held.keys,
    })
    .from(memberships)
    .innerJoin(operators, eq(operators.id, memberships.operatorId))
    .leftJoin(customRoles, ofMembership)
    .leftJoin(held, eq(held.operatorId, operators.id))
    .leftJoin(seen, eq(seen.operatorId, operators.id))
    .leftJoin(operatorTotps, and(eq(operatorTotps.operatorId, operators.id), isNotNull(operatorTotps.confirmedAt)))
    .where(and(eq(memberships.clientId, account.id), isNull(memberships.endedAt)))
    .orderBy(asc(memberships.createdAt), asc(operators.id));
  return rows.map(({ each, daily, totpSince, keys, role: name, custom, ...member }) => {
    const role = namedRole(name, custom);
    return {
      ...member,
      role,
      refunds: limitsOf(role, { each, daily }),
      factor: totpSince ? "app" : keys ? "passkey" : null,
    };
  });
}

/** The limits that come with a role, before anybody sets others. */
export const limitsOfChoice = async (ctx: Context, choice: RoleChoice): Promise<RefundLimits | undefined> =>
  usualLimits(typeof choice === "string" ? choice : await ownRole({ ...ctx, db: systemDb() }, choice.customRoleId));

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
  role: RoleChoice;
  /** Absent or null: all of them. */
  merchants?: readonly string[] | null | undefined;
  /** Absent: the role's own. */
  refunds?: RefundLimits | undefined;
}

/** Other rights or other merchants are another access: the person signs in again everywhere. */
export function changeMember(ctx: Context, operatorId: string, change: MemberChange): Promise<TeamOutcome> {
  return withTeam(ctx, async (inside) => {
    const before = await memberOf(inside, operatorId);
    const kept = await keptRole(inside, change.role);
    if (before.role === "owner" && kept.role !== "owner" && !(await hasOtherOwner(inside, operatorId)))
      return "last_owner";
    const after = {
      ...kept,
      merchantIds: kept.role === "owner" ? null : await knownMerchants(inside, change.merchants),
      refundEach: change.refunds?.each ?? null,
      refundDaily: change.refunds?.daily ?? null,
    };
    await inside.db.update(memberships).set(after).where(isMember(inside, operatorId));
    const isOther = before.role !== after.role || before.customRoleId !== after.customRoleId;
    if (isOther || !isSameReach(before.merchantIds, after.merchantIds))
      await revokeSessionsOf(inside.db, operatorId, realNow());
    await audit(inside, { action: "member.change", object: "operator", objectId: operatorId, before, after });
    const { principal } = inside;
    await tellOfMember(inside, "role_changed", {
      operatorId,
      by: principal.kind === "operator" ? principal.operatorId : null,
    });
    return "done";
  });
}

const isSameReach = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === null || other === null
    ? one === other
    : one.length === other.length && one.every((merchant) => other.includes(merchant));

/** Merchants of the account, each once. Somebody limited to none of them sees nothing, which is not everything. */
export async function knownMerchants(
  { db, account }: Context,
  asked: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!asked) return null;
  const known = await db
    .select({ id: merchantRows.id })
    .from(merchantRows)
    .where(and(eq(merchantRows.clientId, account.id), inArray(merchantRows.id, [...asked])));
  if (known.length !== new Set(asked).size) throw notFound("merchant");
  return known.map(({ id }) => id);
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

const isMember = ({ account }: Context, operatorId: string) =>
  and(eq(memberships.clientId, account.id), eq(memberships.operatorId, operatorId), isNull(memberships.endedAt));

async function memberOf(ctx: Context, operatorId: string) {
  const [row] = await ctx.db
    .select({
      role: memberships.role,
      customRoleId: memberships.customRoleId,
      merchantIds: memberships.merchantIds,
      refundEach: memberships.refundEach,
      refundDaily: memberships.refundDaily,
    })
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
