import { endHold } from "@/lib/charges/engine/deadlines";
import { ORPHAN_STEP_SECONDS } from "@/lib/charges/engine/inquire";
import { askAbout, look } from "@/lib/charges/engine/settle";
import { watchStrays } from "@/lib/charges/engine/strays";
import { type Context, inTransaction } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import type { PaymentRow } from "@/lib/purchases/queries";
import { askAboutSlot, endSlotHold, isAtRest, lookAtSlot, slotDue } from "@/lib/purchases/settle";

type OnSlot = (ctx: Context, slot: PaymentRow) => Promise<void>;
type OnCharge = (ctx: Context, chargeId: string) => Promise<void>;

/** What falls due for a charge belongs to its purchase when it is a card of one. */
const dueFor =
  (onSlot: OnSlot, onCharge: OnCharge): OnCharge =>
  async (ctx, chargeId) => {
    const slot = await slotDue(ctx, chargeId);
    return slot ? onSlot(ctx, slot) : onCharge(ctx, chargeId);
  };

export const queryDue = dueFor(askAboutSlot, askAbout);
export const lookDue = dueFor(lookAtSlot, look);
export const holdEnds = dueFor(endSlotHold, endHold);

/** A hold of the slowest brand is gone after this; what nobody should hold is looked for no longer. */
const STRAY_DAYS = 28;

const watch: OnCharge = (ctx, chargeId) =>
  watchStrays(ctx, chargeId, {
    again: (at) => inTransaction(ctx, (inside) => schedule(inside, "orphan.watch", chargeId, at)),
    stepSeconds: ORPHAN_STEP_SECONDS,
    days: STRAY_DAYS,
  });

/** Beside an operation of the purchase nothing else is sent for one of its cards. */
export const strayDue = dueFor(async (ctx, slot) => {
  if (await isAtRest(ctx, slot)) await watch(ctx, slot.chargeId ?? "");
}, watch);
