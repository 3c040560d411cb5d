import { and, eq, inArray, sql } from "drizzle-orm";
import { memberships, OPERATOR_ROLES } from "@/db/schema/operators";
import { type Context, inTransaction } from "@/lib/context";
import { may, type Right } from "@/lib/operators/permissions";

/** A review above this is confirmed by a second person. */
export const REVIEW_ALONE_UP_TO = 1_000_00;

/** The limit, or null while the account has nobody else who could be the second person. */
export async function secondPersonAbove(ctx: Context, right: Right, limit: number): Promise<number | null> {
  const roles = OPERATOR_ROLES.filter((role) => may(role, right));
  const [row] = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ people: sql<number>`count(*)::int` })
      .from(memberships)
      .where(and(eq(memberships.clientId, account.id), inArray(memberships.role, roles))),
  );
  return (row?.people ?? 0) > 1 ? limit : null;
}
