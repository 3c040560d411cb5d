import { and, eq, isNull } from "drizzle-orm";
import { customRoles, memberships } from "@/db/schema/operators";
import { type Context, inTransaction } from "@/lib/context";
import { heldRole, ofMembership } from "@/lib/operators/held-role";
import { may, type Right } from "@/lib/operators/permissions";
import { DAY_SECONDS } from "@/lib/time";

/** A review above this is confirmed by a second person. */
export const REVIEW_ALONE_UP_TO = 1_000_00;
/** A refund above this is made when a second person confirms the same. */
export const REFUND_ALONE_UP_TO = 10_000_00;
/** What the first of two people proposed stands this long. */
export const PROPOSAL_SECONDS = DAY_SECONDS;

/** The limit, or null while the account has nobody else who could be the second person. */
export async function secondPersonAbove(ctx: Context, right: Right, limit: number): Promise<number | null> {
  const held = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ role: memberships.role, custom: customRoles, merchants: memberships.merchantIds })
      .from(memberships)
      .leftJoin(customRoles, ofMembership)
      .where(and(eq(memberships.clientId, account.id), isNull(memberships.endedAt))),
  );
  return held.filter(({ role, custom, merchants }) => may(heldRole(role, custom, merchants), right)).length > 1
    ? limit
    : null;
}
