import { audit } from "@/lib/audit";
import { chargeTakenOver } from "@/lib/charges/answer";
import { refundIntent, refuseStrangers, type StillSo, voidCharge } from "@/lib/charges/change";
import { checkParts } from "@/lib/charges/parts";
import { planVoid } from "@/lib/charges/plan";
import { type Charge, getCharge } from "@/lib/charges/queries";
import type { VoidChargeInput } from "@/lib/charges/schema";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { claimKey } from "@/lib/idempotency";
import { holdToPlan } from "@/lib/plans/hash";
import { rolledBack } from "@/lib/plans/rolled-back";
import type { PlanBody } from "@/lib/plans/schema";
import { lockIdle } from "@/lib/purchases/change";
import { chargeOfSlot } from "@/lib/purchases/intents";
import { insertOperation } from "@/lib/purchases/operations";
import { planOfSlotRefund } from "@/lib/purchases/plan-change";
import { type OperationRow, type PaymentRow, type Purchase, slotOfCharge } from "@/lib/purchases/queries";
import { slotOf } from "@/lib/purchases/slots";
import { driveOperation } from "@/lib/purchases/work";

/** Voids a charge; one that is a card of a purchase takes the purchase's operation lock (spec/purchases.md). */
export async function voidAnyCharge(
  ctx: Context,
  id: string,
  input: VoidChargeInput,
  isStill?: StillSo,
): Promise<Charge> {
  const slot = await inTransaction(ctx, (inside) => slotOfCharge(inside, id));
  return slot ? refundSlot(ctx, slot, id, input, isStill) : voidCharge(ctx, id, input, isStill);
}

/** Gives back captured money of one card, in whole or in part, while the client waits. */
async function refundSlot(
  ctx: Context,
  slot: PaymentRow,
  id: string,
  input: VoidChargeInput,
  isStill: StillSo | undefined,
): Promise<Charge> {
  const accepted = await inTransaction(ctx, async (inside) => {
    const { idempotency, account } = inside;
    if (idempotency) await claimKey(inside.db, account.id, idempotency, { resourceId: id }, now(inside));
    const { purchase, charge, operation } = await acceptRefund(inside, slot, id, input, isStill);
    await holdToPlan(inside, (planning) => planOfSlotRefund(planning, purchase, charge, input));
    return operation;
  });
  const driven = await driveOperation(ctx, accepted.id);
  return driven === "held" ? inTransaction(ctx, (inside) => getCharge(inside, id)) : chargeTakenOver(ctx, id);
}

/** What voiding it would do, a card of a purchase or not; nothing of it stays. */
export const planAnyVoid = (ctx: Context, id: string, input: VoidChargeInput): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    const slot = await slotOfCharge(inside, id);
    if (!slot) return planVoid(inside, id, input);
    const { purchase, charge } = await acceptRefund(inside, slot, id, input);
    return planOfSlotRefund(inside, purchase, charge, input);
  });

async function acceptRefund(
  inside: Context,
  slot: PaymentRow,
  id: string,
  input: VoidChargeInput,
  isStill?: StillSo,
): Promise<{ purchase: Purchase; charge: Charge; operation: OperationRow }> {
  const purchase = await lockIdle(inside, slot.purchaseId);
  await isStill?.(inside);
  const charge = await chargeOfSlot(inside, slotOf(purchase, id));
  refuseStrangers(charge, input);
  const { status } = charge.row;
  if (status === "pending" || status === "pre_authorized") {
    throw new DomainError("purchase_slot_charge", "a held card is voided with its purchase");
  }
  if (status !== "authorized" || purchase.row.status !== "paid" || purchase.row.reviewReason) {
    throw new DomainError("charge_invalid_state", `a ${status} charge of a purchase cannot be voided now`);
  }
  const { amount, parts } = refundIntent(inside, charge, input);
  if (parts) await checkParts(inside, charge, parts, amount);
  await audit(inside, { action: "charge.void", object: "charge", objectId: id, after: { amount, kind: "refund" } });
  const part = { slotIndex: slot.slotIndex, amount, ...(parts ? { splitRules: [...parts] } : {}) };
  const operation = await insertOperation(inside, purchase.row.id, { type: "refund", requestedBy: "client", part });
  return { purchase, charge, operation };
}
