import { endHold } from "@/lib/charges/engine/deadlines";
import { DANGLING_STEP_SECONDS } from "@/lib/charges/engine/on-query";
import { queryCharge, reconcileCharge, reconcileWhenDue } from "@/lib/charges/engine/settle";
import { watchDangling } from "@/lib/charges/engine/watch-dangling";
import { type Context, inTransaction } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import type { PaymentRow } from "@/lib/purchases/queries";
import { endSlotHold, isAtRest, querySlot, reconcileSlot, reconcileSlotWhenDue, slotDue } from "@/lib/purchases/settle";

type OnSlot = (ctx: Context, slot: PaymentRow) => Promise<void>;
type OnCharge = (ctx: Context, chargeId: string) => Promise<void>;

/** What falls due for a charge belongs to its purchase when it is a card of one. */
const dueFor =
  (onSlot: OnSlot, onCharge: OnCharge): OnCharge =>
  async (ctx, chargeId) => {
    const slot = await slotDue(ctx, chargeId);
    return slot ? onSlot(ctx, slot) : onCharge(ctx, chargeId);
  };

export const queryDue = dueFor(querySlot, queryCharge);
export const reconcileDue = dueFor(reconcileSlotWhenDue, reconcileWhenDue);
/** Somebody waits for the answer: the provider is asked at once, whatever is scheduled. */
export const reconcileNow = dueFor(reconcileSlot, reconcileCharge);
/** An operator asks. */
export const recheck = dueFor(reconcileSlotWhenDue, (ctx, chargeId) =>
  reconcileWhenDue(ctx, chargeId, { isAsked: true }),
);
export const holdEnds = dueFor(endSlotHold, endHold);

/** A hold of the slowest brand is gone after this; what nobody should hold is looked for no longer. */
const DANGLING_DAYS = 28;

const watch: OnCharge = (ctx, chargeId) =>
  watchDangling(ctx, chargeId, {
    again: (at) => inTransaction(ctx, (inside) => schedule(inside, "orphan.watch", chargeId, at)),
    stepSeconds: DANGLING_STEP_SECONDS,
    days: DANGLING_DAYS,
  });

/** Beside an operation of the purchase nothing else is sent for one of its cards. */
export const danglingDue = dueFor(async (ctx, slot) => {
  if (await isAtRest(ctx, slot)) await watch(ctx, slot.chargeId ?? "");
}, watch);
