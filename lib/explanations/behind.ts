import { and, eq, inArray, or } from "drizzle-orm";
import { salePlanRates, salePlans } from "@/db/schema/sale-plans";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import type { ExplanationBody } from "@/lib/explanations/schema";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { shownSeller } from "@/lib/sellers/operator-queries";

/** What rows name by ids alone, for people. */
export interface Behind {
  /** The plan that each rule is of. */
  plans: ReadonlyMap<string, { id: string; name: string }>;
  sellers: ReadonlyMap<string, string>;
}

const NOTHING: Behind = { plans: new Map(), sellers: new Map() };

/** Nothing for whoever may not see sellers. */
export async function behind(
  ctx: Context,
  role: OperatorRole,
  { ruleIds, rows }: Pick<ExplanationBody, "ruleIds" | "rows">,
): Promise<Behind> {
  const sellerIds = rows.flatMap(({ source }) => (source.type === "seller" ? [source.id] : []));
  if (!may(role, "sellers.see") || ruleIds.length + sellerIds.length === 0) return NOTHING;
  return inSnapshot(ctx, async ({ db, account }) => {
    const plans =
      ruleIds.length === 0
        ? []
        : await db
            .selectDistinct({ rateId: salePlanRates.id, id: salePlans.id, name: salePlans.name })
            .from(salePlans)
            .leftJoin(salePlanRates, and(eq(salePlanRates.planId, salePlans.id), inArray(salePlanRates.id, ruleIds)))
            .where(
              and(
                eq(salePlans.clientId, account.id),
                or(inArray(salePlans.id, ruleIds), inArray(salePlanRates.id, ruleIds)),
              ),
            );
    const known = sellerIds.length === 0 ? [] : await db.select().from(sellers).where(inArray(sellers.id, sellerIds));
    return {
      plans: new Map(
        plans.flatMap(({ rateId, ...plan }) => [
          [plan.id, plan] as const,
          ...(rateId ? [[rateId, plan] as const] : []),
        ]),
      ),
      sellers: new Map(known.map((row) => [row.id, shownSeller(role, row).name])),
    };
  });
}
