import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { platformFeeRules } from "@/db/schema/merchants";
import type { Context } from "@/lib/context";

export type FeeRuleRow = typeof platformFeeRules.$inferSelect;

/** Live rules of some merchants, in the order methods and bands are listed. */
export async function feeRulesOf(ctx: Context, merchantIds: readonly string[]): Promise<FeeRuleRow[]> {
  if (merchantIds.length === 0) return [];
  return ctx.db
    .select()
    .from(platformFeeRules)
    .where(
      and(
        eq(platformFeeRules.clientId, ctx.account.id),
        inArray(platformFeeRules.merchantId, [...merchantIds]),
        isNull(platformFeeRules.deletedAt),
      ),
    )
    .orderBy(asc(platformFeeRules.createdAt), asc(platformFeeRules.paymentMethod), asc(platformFeeRules.band));
}
