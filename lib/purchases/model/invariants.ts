import type { SlotStatus } from "@/db/schema/purchases";
import { type ModelSlot, Violation } from "@/lib/purchases/model/slot";
import type { World } from "@/lib/purchases/model/world";

const ENDS: ReadonlySet<SlotStatus> = new Set(["authorized", "failed", "voided", "canceled", "charged_back"]);

/** What is wrong with one card whatever the purchase is. */
export function slotFaultOf({ status, truth, late, isWatched, took, wasCaptured }: ModelSlot): string | undefined {
  if (status === "failed" && (truth === "held" || late === "authorize") && !isWatched) {
    return "M16: a card given up may be held, and nobody looks";
  }
  if (status === "voided" && (truth === "held" || truth === "captured")) {
    return "M16: a card shown voided still holds or has paid";
  }
  if (status === "authorized" && !took) return "M5: a card shown captured never paid";
  if (wasCaptured && !took) return "P3: money in the books that was never taken";
  return undefined;
}

/** spec/invariants.md, judged with the provider's truth in hand. */
export function checkInvariants({ status, operation, isReviewed, slots, capture }: World): void {
  const isOver = status !== "pending";
  const isQuiet = !operation && !isReviewed;
  for (const { truth, took, isWatched, status: shown } of slots) {
    if (status === "failed" && took) throw new Violation("M6: failed, and money was taken");
    if (status === "cancelled" && truth === "captured" && isQuiet)
      throw new Violation("M7: cancelled, and money was kept");
    if (isOver && truth === "held" && !isWatched) throw new Violation("M16: ended, and a card is still held");
    if (status === "paid" && shown === "pre_authorized") throw new Violation("M5: paid, and a card has not");
    if (isOver && isQuiet && !ENDS.has(shown)) throw new Violation("L4: ended, and a card has not");
  }
  if (isOver || !isQuiet) return;
  const isWaiting = !capture && slots.every((slot) => slot.status === "pre_authorized");
  if (!isWaiting) throw new Violation("L2: pending, and nothing will ever move it");
}

export const isRest = ({ status, operation, isReviewed, slots }: World): boolean =>
  operation === null && (isReviewed || status !== "pending" || slots.every((slot) => slot.status === "pre_authorized"));
