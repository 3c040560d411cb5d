import type { OperationType, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import { nextMove, type PlannedSlot, purchaseEnd, type SlotCall } from "@/lib/purchases/plan";

/** What follows the evidence: what was interrupted goes on, everything is given back, or nothing more is done. */
export const FOLLOW_UPS = ["continue", "undo", "leave"] as const;
export type FollowUp = (typeof FOLLOW_UPS)[number];

export interface Interrupted {
  type: OperationType;
  /** Set for a refund of one card only. */
  slotIndex: number | null;
}

export interface ChoiceFrom {
  status: PurchaseStatus;
  capture: boolean;
  interrupted: Interrupted;
  /** As the evidence leaves them. */
  slots: readonly { status: SlotStatus; wasCaptured: boolean; disputedInPart?: boolean }[];
  /** A card holds or took another amount than was asked: it can only be given back. */
  isMismatched: boolean;
}

type Seen = readonly { status: SlotStatus }[];
const isAll = (slots: Seen, ...among: SlotStatus[]): boolean => slots.every(({ status }) => among.includes(status));
const isAny = (slots: Seen, ...among: SlotStatus[]): boolean => slots.some(({ status }) => among.includes(status));

/** Row P10: what may follow, the default first. */
export function followUpsOf({ status, capture, interrupted, slots, isMismatched }: ChoiceFrom): FollowUp[] {
  const { type, slotIndex } = interrupted;
  const hasMoney = isAny(slots, "authorized");
  if (status === "cancelled") return hasMoney ? ["continue"] : ["leave"];
  if (status === "paid") {
    if (!hasMoney) return isAny(slots, "voided") ? ["continue"] : ["leave"];
    return slotIndex === null ? ["continue", "leave"] : ["leave"];
  }
  if (type === "void" || type === "rollback") return ["continue"];
  const isHeld = isAll(slots, "pre_authorized") && !isMismatched;
  if (type === "capture") {
    if (isAll(slots, "authorized", "charged_back")) return isMismatched ? ["undo"] : ["continue"];
    // Going on would begin a capture beside money that another operation took (spec/invariants.md M9).
    return isHeld && !capture ? ["undo", "leave"] : ["undo"];
  }
  // Money was taken: the end can only be net zero, never failed.
  if (isMismatched || slots.some(({ wasCaptured }) => wasCaptured)) return ["undo"];
  if (isAny(slots, "failed", "voided", "canceled")) return ["continue"];
  return isHeld && !capture ? ["leave", "undo"] : ["continue", "undo"];
}

/** The one new operation, or none. */
export function operationFor(
  followUp: FollowUp,
  { status, capture, interrupted, slots }: ChoiceFrom,
): OperationType | undefined {
  switch (followUp) {
    case "leave":
      return undefined;
    case "undo":
      return "rollback";
    case "continue":
      if (status === "cancelled") return "rollback";
      if (interrupted.type === "authorize" && isAll(slots, "pre_authorized")) return capture ? "capture" : undefined;
      return interrupted.type;
  }
}

export interface Foreseen {
  calls: { slotIndex: number; call: SlotCall }[];
  status: PurchaseStatus;
}

const AFTER: Record<SlotCall, SlotStatus> = {
  authorize: "pre_authorized",
  capture: "authorized",
  void: "voided",
  refund: "voided",
};

/** More calls than this no operation on three cards can make. */
const MOST_MOVES = 20;

type SlotNow = PlannedSlot & { wasCaptured: boolean; disputedInPart?: boolean };

/** What an operation would do if nobody refused anything: told before it is begun, by the code that then decides. */
export function foresee(
  status: PurchaseStatus,
  capture: boolean,
  type: OperationType | undefined,
  given: readonly SlotNow[],
): Foreseen {
  const calls: Foreseen["calls"] = [];
  let slots = given.map((slot): SlotNow => ({ ...slot, operationId: null, tries: 0, refused: false }));
  let running = type;
  for (let moves = 0; running && moves < MOST_MOVES; moves++) {
    const operation = { id: running, type: running, slotIndex: null };
    const move = nextMove(operation, slots);
    switch (move.do) {
      case "wait":
      case "review":
        return { calls, status };
      case "finish": {
        const end = purchaseEnd(status, slots, move.fact, "system")?.event;
        if (end) return { calls, status: end };
        running = move.fact === "authorize.completed" && capture ? "capture" : undefined;
        break;
      }
      case "cancel":
        slots = replaced(slots, move.slot, { status: "canceled" });
        break;
      default:
        calls.push({ slotIndex: move.slot.slotIndex, call: move.do });
        slots = replaced(slots, move.slot, {
          status: AFTER[move.do],
          operationId: operation.id,
          wasCaptured: move.slot.wasCaptured || move.do === "capture",
        });
    }
  }
  return { calls, status };
}

const replaced = (slots: readonly SlotNow[], { slotIndex }: SlotNow, changes: Partial<SlotNow>): SlotNow[] =>
  slots.map((slot) => (slot.slotIndex === slotIndex ? { ...slot, ...changes } : slot));
