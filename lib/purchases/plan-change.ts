import type { ChargeStatus } from "@/db/schema/charges";
import type { PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import { beginModification, type ChangeIntent, refundIntent } from "@/lib/charges/change";
import { bookedBy, plannedOutcome, postPlanned } from "@/lib/charges/outcome";
import type { Charge } from "@/lib/charges/queries";
import type { VoidChargeInput } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { rolledBack } from "@/lib/plans/rolled-back";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import { capturePurchase, voidPurchase } from "@/lib/purchases/change";
import { chargeOfSlot } from "@/lib/purchases/intents";
import { placeOfPurchase } from "@/lib/purchases/operations";
import { type OperationEnd, purchaseEnd } from "@/lib/purchases/plan";
import { getPurchase, type PaymentRow, type Purchase, type PurchaseRow } from "@/lib/purchases/queries";
import { toldOfSession } from "@/lib/sessions/told";

interface Change {
  charge: Charge;
  intent: ChangeIntent;
}

/** What each card's change would do if its provider approves it, one card after the other; nothing of it stays. */
const planOfChanges = (
  ctx: Context,
  { row, payments }: Purchase,
  fact: OperationEnd,
  changes: readonly Change[],
): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    let plan = NOTHING;
    const after = new Map<string | null, ChargeStatus>();
    for (const { charge, intent } of changes) {
      const { attempt, provider, ...begun } = await beginModification(inside, charge, intent, "client");
      const outcome = await plannedOutcome(inside, begun.charge, attempt, provider);
      after.set(charge.row.id, outcome.charge.row.status);
      // What one card takes of a seller's balance is not there for the next.
      await postPlanned(inside, outcome);
      const booked = bookedBy(outcome.charge.splits, outcome.drafts);
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
    const slots = payments.map((slot) => ({ ...slot, status: slotAfter(slot, after.get(slot.chargeId)) }));
    const end = purchaseEnd(row.status, slots, fact, "client");
    if (end?.event === undefined) return plan;
    const told = await toldOfEnd(inside, row, end.event);
    return { ...plan, events: [...plan.events, `purchase.${end.event}`, ...told] };
  });

const slotAfter = ({ status }: PaymentRow, charge: ChargeStatus | undefined): SlotStatus =>
  charge === "voided" || charge === "authorized" ? charge : status;

/** What the session of a purchase that ends so tells. */
export const toldOfEnd = (ctx: Context, row: PurchaseRow, status: PurchaseStatus): Promise<string[]> =>
  toldOfSession(ctx, row.sessionId, placeOfPurchase(row, row), placeOfPurchase(row, { status }));

/** Of one card of a purchase, in whole or in part; inside the transaction that accepted it. */
export const planOfSlotRefund = (
  ctx: Context,
  purchase: Purchase,
  charge: Charge,
  input: VoidChargeInput,
): Promise<PlanBody> =>
  planOfChanges(ctx, purchase, "refund.completed", [{ charge, intent: refundIntent(ctx, charge, input) }]);

/** Of all cards of a purchase, by the very acceptance of the call; the status is the purchase's own and no part of it. */
export const planPurchaseChange = (ctx: Context, id: string, call: "capture" | "void"): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    await (call === "capture" ? capturePurchase(inside, id, {}) : voidPurchase(inside, id));
    const purchase = await getPurchase(inside, id);
    const changes: Change[] = [];
    for (const slot of purchase.payments) {
      if (slot.status !== "pre_authorized" && slot.status !== "authorized") continue;
      const charge = await chargeOfSlot(inside, slot);
      if (slot.status === "authorized" && charge.row.capturedAmount === charge.row.refundedAmount) continue;
      changes.push({ charge, intent: intentOf(inside, charge, call) });
    }
    const fact = purchase.row.status === "paid" ? "refund.completed" : (`${call}.completed` as const);
    return { ...(await planOfChanges(inside, purchase, fact, changes)), status: null };
  });

function intentOf(ctx: Context, charge: Charge, call: "capture" | "void"): ChangeIntent {
  const { amount, status } = charge.row;
  if (status === "authorized") return refundIntent(ctx, charge, {});
  return { operation: call, kind: call, amount };
}
