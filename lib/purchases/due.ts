import { endHold } from "@/lib/charges/engine/deadlines";
import { askAbout, look } from "@/lib/charges/engine/settle";
import type { Context } from "@/lib/context";
import type { PaymentRow } from "@/lib/purchases/queries";
import { askAboutSlot, endSlotHold, lookAtSlot, slotDue } from "@/lib/purchases/settle";

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
