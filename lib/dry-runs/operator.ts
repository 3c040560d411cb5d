import { inArray } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { sellers } from "@/db/schema/sellers";
import { type PaymentAction, rightFor } from "@/lib/charges/operator-actions";
import { planCapture } from "@/lib/charges/plan";
import { type Context, inSnapshot } from "@/lib/context";
import { type DryRun, planned } from "@/lib/dry-runs/service";
import { may } from "@/lib/operators/permissions";
import { reaching, unlimited } from "@/lib/operators/reach";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { PlanBody } from "@/lib/plans/schema";
import { planCommit } from "@/lib/prepayments/plan";
import { type PurchaseAction, purchaseRight } from "@/lib/purchases/operator-service";
import { planPurchaseChange } from "@/lib/purchases/plan-change";
import { planAnyVoid } from "@/lib/purchases/refund-part";
import { shownSeller } from "@/lib/sellers/operator-queries";

const MOVES_NOTHING = new Set<PaymentAction>(["recheck", "hand_back", "simulate"]);

/** What the action would do now, for whoever may take it; nothing for one that moves no money. */
export async function paymentPlan(
  ctx: Context,
  role: OperatorRole,
  chargeId: string,
  action: PaymentAction,
  amount?: number,
): Promise<DryRun | undefined> {
  if (MOVES_NOTHING.has(action) || !may(role, rightFor(action))) return undefined;
  const reached = await reaching(ctx, "charge", chargeId);
  return planned(reached, () =>
    action === "capture"
      ? planCapture(reached, chargeId, { amount })
      : planAnyVoid(reached, chargeId, {
          amount: action === "refund" ? amount : undefined,
          splitRules: undefined,
          delayToCompose: undefined,
        }),
  );
}

export async function purchasePlanFor(
  ctx: Context,
  role: OperatorRole,
  purchaseId: string,
  action: PurchaseAction,
): Promise<DryRun | undefined> {
  if (action === "recheck" || !may(role, purchaseRight(action))) return undefined;
  const reached = await reaching(ctx, "purchase", purchaseId);
  return planned(reached, () => planPurchaseChange(reached, purchaseId, action === "capture" ? "capture" : "void"), {
    envelope: "purchases",
  });
}

export async function prepaymentPlan(ctx: Context, role: OperatorRole, id: string): Promise<DryRun | undefined> {
  if (!may(role, "prepayment.commit")) return undefined;
  const reached = await reaching(ctx, "prepayment", id);
  return planned(reached, () => planCommit(reached, id), { errorKeys: "I" });
}

/**
 * What providers of a plan are called, and sellers for whoever may see them; its own action has shown that they are
 * theirs.
 */
export async function namesInPlan(
  ctx: Context,
  role: OperatorRole,
  plan: Pick<PlanBody, "providers" | "shares" | "fees">,
): Promise<ReadonlyMap<string, string>> {
  const parties = may(role, "sellers.see") ? [...plan.shares, ...plan.fees] : [];
  const sellerIds = parties.flatMap(({ sellerId }) => sellerId ?? []);
  const providerIds = plan.providers.map(({ id }) => id);
  return inSnapshot(unlimited(ctx), async ({ db }) => {
    const asked =
      providerIds.length === 0 ? [] : await db.select().from(providers).where(inArray(providers.id, providerIds));
    const known = sellerIds.length === 0 ? [] : await db.select().from(sellers).where(inArray(sellers.id, sellerIds));
    return new Map([
      ...asked.map(({ id, name }) => [id, name] as const),
      ...known.map((row) => [row.id, shownSeller(role, row).name] as const),
    ]);
  });
}
