import { and, eq, inArray, or, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { cards, customers } from "@/db/schema/customers";
import { salePlanRates, salePlans } from "@/db/schema/sale-plans";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import type { ExplanationBody } from "@/lib/explanations/schema";
import { shownName } from "@/lib/operators/buyers";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { shownSeller } from "@/lib/sellers/operator-queries";

/** What rows name by ids alone, for people. */
export interface Behind {
  /** The plan that each rule is of. */
  plans: ReadonlyMap<string, { id: string; name: string; isDefault: boolean }>;
  sellers: ReadonlyMap<string, string>;
  payments: ReadonlyMap<string, PaymentBehind>;
}

export interface PaymentBehind {
  orderId: string | null;
  /** As the role sees people. */
  buyer: string | undefined;
}

type Shown = Pick<ExplanationBody, "ruleIds" | "rows">;

/** Nothing of what the role may not see. */
export async function behind(ctx: Context, role: OperatorRole, shown: Shown): Promise<Behind> {
  const [ofSellers, payments] = await Promise.all([sellersBehind(ctx, role, shown), paymentsBehind(ctx, role, shown)]);
  return { ...ofSellers, payments };
}

const NOTHING: Pick<Behind, "plans" | "sellers"> = { plans: new Map(), sellers: new Map() };

async function paymentsBehind(ctx: Context, role: OperatorRole, { rows }: Shown): Promise<Behind["payments"]> {
  const ids = [...new Set(rows.flatMap(({ chargeId }) => chargeId ?? []))];
  if (!may(role, "payments.see") || ids.length === 0) return new Map();
  const found = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ id: charges.id, orderId: charges.orderId, name: customers.name, holder: cards.cardHolderName })
      .from(charges)
      .leftJoin(cards, eq(cards.id, charges.cardId))
      .leftJoin(
        customers,
        eq(customers.id, sql`coalesce(${charges.customerId}, ${charges.sourceCustomerId}, ${cards.customerId})`),
      )
      .where(and(eq(charges.clientId, account.id), inArray(charges.id, ids))),
  );
  return new Map(
    found.map(({ id, orderId, name, holder }) => {
      const known = name || holder;
      return [id, { orderId, buyer: known ? shownName(role, known) : undefined }];
    }),
  );
}

async function sellersBehind(
  ctx: Context,
  role: OperatorRole,
  { ruleIds, rows }: Shown,
): Promise<Pick<Behind, "plans" | "sellers">> {
  const sellerIds = rows.flatMap(({ source }) => (source.type === "seller" ? [source.id] : []));
  if (!may(role, "sellers.see") || ruleIds.length + sellerIds.length === 0) return NOTHING;
  return inSnapshot(ctx, async ({ db, account }) => {
    const plans =
      ruleIds.length === 0
        ? []
        : await db
            .selectDistinct({
              rateId: salePlanRates.id,
              id: salePlans.id,
              name: salePlans.name,
              isDefault: salePlans.isDefault,
            })
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
