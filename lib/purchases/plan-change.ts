import { beginModification, type Intent, refundIntent } from "@/lib/charges/change";
import { bookedBy, outcomeOf } from "@/lib/charges/outcome";
import type { Charge } from "@/lib/charges/queries";
import type { VoidInput } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { rolledBack } from "@/lib/plans/rolled-back";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import { capturePurchase, voidPurchase } from "@/lib/purchases/change";
import { chargeOfSlot } from "@/lib/purchases/intents";
import { getPurchase } from "@/lib/purchases/queries";

interface Change {
  charge: Charge;
  intent: Intent;
}

/** What each card's change would do if its provider approves it, one card after the other; nothing of it stays. */
const planOfChanges = (ctx: Context, changes: readonly Change[]): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    let plan = NOTHING;
    for (const { charge, intent } of changes) {
      const { attempt, provider, ...begun } = await beginModification(inside, charge, intent, "client");
      const outcome = await outcomeOf(inside, begun.charge, attempt, provider);
      const booked = bookedBy(charge.splits, outcome.drafts);
      const pending = intent.operation === "capture" ? "capture_pending" : "refund_pending";
      plan = {
        ...plan,
        providers: plan.providers.some(({ id }) => id === provider.id)
          ? plan.providers
          : [...plan.providers, { id: provider.id, type: provider.kind }],
        status: outcome.charge.row.status,
        shares: [...plan.shares, ...booked.shares],
        fees: [...plan.fees, ...booked.fees],
        journals: [...plan.journals, ...booked.journals],
        events: [...plan.events, ...[pending, ...outcome.events].map((event) => `transaction.${event}`)],
      };
    }
    return plan;
  });

/** Of one card of a purchase, in whole or in part; inside the transaction that accepted it. */
export const planOfSlotRefund = (ctx: Context, charge: Charge, input: VoidInput): Promise<PlanBody> =>
  planOfChanges(ctx, [{ charge, intent: refundIntent(ctx, charge, input) }]);

/** Of all cards of a purchase, by the very acceptance of the call; the status is the purchase's own and no part of it. */
export const planPurchaseChange = (ctx: Context, id: string, call: "capture" | "void"): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    await (call === "capture" ? capturePurchase(inside, id, {}) : voidPurchase(inside, id));
    const { payments } = await getPurchase(inside, id);
    const changes: Change[] = [];
    for (const slot of payments) {
      if (slot.status !== "pre_authorized" && slot.status !== "authorized") continue;
      const charge = await chargeOfSlot(inside, slot);
      if (slot.status === "authorized" && charge.row.capturedAmount === charge.row.refundedAmount) continue;
      changes.push({ charge, intent: intentOf(inside, charge, call) });
    }
    return { ...(await planOfChanges(inside, changes)), status: null };
  });

function intentOf(ctx: Context, charge: Charge, call: "capture" | "void"): Intent {
  const { amount, status } = charge.row;
  if (status === "authorized") return refundIntent(ctx, charge, {});
  return { operation: call, kind: call, amount };
}
