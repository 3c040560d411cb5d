import type { OperationType, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";

/** How often the system tries to release a hold, or to give money back by itself, before people must look (row S15). */
export const MOST_TRIES = 5;

export interface PlannedSlot {
  slotIndex: number;
  status: SlotStatus;
  /** The operation that acted on it last, how often it did, and whether the provider refused. */
  operationId: string | null;
  tries: number;
  refused: boolean;
}

export interface PlannedOperation {
  id: string;
  type: OperationType;
  /** Set for a refund of one card only. */
  slotIndex: number | null;
}

export type SlotCall = "authorize" | "capture" | "void" | "refund";

export type OperationEnd =
  | "authorize.completed"
  | "authorize.failed"
  | "capture.completed"
  | "capture.failed"
  | "void.completed"
  | "rollback.completed"
  | "refund.completed"
  | "refund.failed";

/** What the operation does next. One call at a time, cards in their order (spec/purchases.md). */
export type Move<S> =
  | { do: SlotCall; slot: S }
  /** Row S2. */
  | { do: "cancel"; slot: S }
  | { do: "finish"; fact: OperationEnd }
  /** A card's outcome is unknown or on its way: nothing moves until there is evidence. */
  | { do: "wait" }
  | { do: "review" };

const OPEN: readonly SlotStatus[] = ["processing", "undetermined"];

export function nextMove<S extends PlannedSlot>(operation: PlannedOperation, slots: readonly S[]): Move<S> {
  if (slots.some(({ status }) => OPEN.includes(status))) return { do: "wait" };
  switch (operation.type) {
    case "authorize":
      return authorizing(operation, slots);
    case "capture":
      return capturing(operation, slots);
    case "void":
      return undoing(operation, slots, "void.completed");
    case "rollback":
      return undoing(operation, slots, "rollback.completed");
    case "refund":
      return refunding(operation, slots);
  }
}

const first = <S extends PlannedSlot>(slots: readonly S[], status: SlotStatus): S | undefined =>
  slots.find((slot) => slot.status === status);

const isMine = ({ id }: PlannedOperation, slot: PlannedSlot): boolean => slot.operationId === id;
const isRefused = (operation: PlannedOperation, slot: PlannedSlot): boolean => isMine(operation, slot) && slot.refused;

/** Holds every card in turn; the first that fails ends it, and what is held by then is released. */
function authorizing<S extends PlannedSlot>(operation: PlannedOperation, slots: readonly S[]): Move<S> {
  const pending = first(slots, "pending");
  if (slots.some(({ status }) => status !== "pending" && status !== "pre_authorized")) {
    if (pending) return { do: "cancel", slot: pending };
    // Nothing was captured here: money taken on a card contradicts everything we know.
    if (first(slots, "authorized")) return { do: "review" };
    const held = first(slots, "pre_authorized");
    return held ? again(operation, held, "void") : { do: "finish", fact: "authorize.failed" };
  }
  return pending ? { do: "authorize", slot: pending } : { do: "finish", fact: "authorize.completed" };
}

/** Only while every card holds, or was captured by this very operation (spec/invariants.md M9). */
function capturing<S extends PlannedSlot>(operation: PlannedOperation, slots: readonly S[]): Move<S> {
  const isBroken = slots.some((slot) => slot.status === "voided" || isRefused(operation, slot));
  if (isBroken) return { do: "finish", fact: "capture.failed" };
  const held = first(slots, "pre_authorized");
  return held ? { do: "capture", slot: held } : { do: "finish", fact: "capture.completed" };
}

function undoing<S extends PlannedSlot>(operation: PlannedOperation, slots: readonly S[], fact: OperationEnd): Move<S> {
  const held = first(slots, "pre_authorized");
  if (held) return again(operation, held, "void");
  const captured = first(slots, "authorized");
  return captured ? again(operation, captured, "refund") : { do: "finish", fact };
}

/** Every card is tried once; what one provider refuses does not keep the others. */
function refunding<S extends PlannedSlot>(operation: PlannedOperation, slots: readonly S[]): Move<S> {
  const wanted = slots.filter(({ slotIndex }) => operation.slotIndex === null || slotIndex === operation.slotIndex);
  const next = wanted.find((slot) => slot.status === "authorized" && !isMine(operation, slot));
  if (next) return { do: "refund", slot: next };
  const isAnyRefused = wanted.some((slot) => isRefused(operation, slot));
  return { do: "finish", fact: isAnyRefused ? "refund.failed" : "refund.completed" };
}

const again = <S extends PlannedSlot>(operation: PlannedOperation, slot: S, call: SlotCall): Move<S> =>
  isRefused(operation, slot) && slot.tries >= MOST_TRIES ? { do: "review" } : { do: call, slot };

/** Row O1 by the system: capture after every card holds, rollback after an interrupted capture. */
export function chained(isCapturedAtOnce: boolean, fact: OperationEnd): OperationType | undefined {
  if (fact === "authorize.completed" && isCapturedAtOnce) return "capture";
  return fact === "capture.failed" ? "rollback" : undefined;
}

export interface PurchaseEnd {
  fact: string;
  event?: "paid" | "failed" | "cancelled";
}

/** What the system begins by itself when a provider tells of a change that nobody here asked for. */
export function afterNews(
  status: PurchaseStatus,
  slots: readonly GivenBackSlot[],
  fact: string,
): OperationType | undefined {
  switch (fact) {
    case "hold.ended":
      // Row P8: what one card no longer holds, the others release.
      return status === "pending" ? "void" : undefined;
    case "chargeback.reversed":
    case "refund.reversed":
      // Cancelled means net zero: what a dispute won brings back, or a refund left, goes back to the buyer.
      return status === "cancelled" ? "rollback" : undefined;
    case "refund.done":
      return status === "paid" && isGivenBack(slots) ? "refund" : undefined;
    default:
      return undefined;
  }
}

export interface GivenBackSlot {
  status: SlotStatus;
  /** The bank took a part alone, and what is left was not given back. The model's banks take all. */
  disputedInPart?: boolean;
}

/** Cancelled means that nothing is kept (spec/invariants.md M7). */
const isGivenBack = (slots: readonly GivenBackSlot[]): boolean =>
  slots.every(({ status, disputedInPart }) => GIVEN_BACK.includes(status) && !disputedInPart);

const GIVEN_BACK: readonly SlotStatus[] = ["voided", "charged_back"];

/** Rows P2 to P8: what the end of an operation means for the purchase; undefined when it stays as it is. */
export function purchaseEnd(
  status: PurchaseStatus,
  slots: readonly (GivenBackSlot & { wasCaptured: boolean })[],
  fact: OperationEnd,
  requestedBy: "client" | "system",
): PurchaseEnd | undefined {
  // What a dispute won brought back to a cancelled purchase has been given back: it stays cancelled.
  if (status === "cancelled") return undefined;
  switch (fact) {
    case "authorize.completed":
      return { fact };
    case "authorize.failed":
      return { fact, event: "failed" };
    case "capture.completed":
      return { fact, event: "paid" };
    case "void.completed":
      return { fact: requestedBy === "system" ? "expiry.completed" : fact, event: "cancelled" };
    case "rollback.completed":
      return slots.some(({ wasCaptured }) => wasCaptured)
        ? { fact: "rollback.completed_after_capture", event: "cancelled" }
        : { fact, event: "failed" };
    case "refund.completed":
      // A refund of one card, or of a part, leaves a paid purchase paid.
      return isGivenBack(slots) ? { fact, event: "cancelled" } : undefined;
    default:
      return undefined;
  }
}
