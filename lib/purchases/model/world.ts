import type { OperationType, PurchaseStatus } from "@/db/schema/purchases";
import { operationMachine, purchaseMachine } from "@/lib/purchases/machine";
import type { Mistakes } from "@/lib/purchases/model/mistakes";
import type { Happening } from "@/lib/purchases/model/provider";
import { atRest, intend, type ModelSlot, move, UNTRIED, Violation } from "@/lib/purchases/model/slot";
import {
  afterNews,
  chained,
  type Move,
  nextMove,
  type OperationEnd,
  type PlannedSlot,
  purchaseEnd,
} from "@/lib/purchases/plan";

/** One purchase, its cards, and all that is under way. */
export interface World {
  status: PurchaseStatus;
  capture: boolean;
  isReviewed: boolean;
  /** A card answered for another amount: nothing may move any more. */
  isMismatched: boolean;
  operation: { type: OperationType; by: "client" | "system"; isForgotten: boolean } | null;
  slots: readonly ModelSlot[];
}

export const begin = (cards: number, capture: boolean): World => ({
  status: "pending",
  capture,
  isReviewed: false,
  isMismatched: false,
  operation: { type: "authorize", by: "client", isForgotten: false },
  slots: Array.from({ length: cards }, () => UNTRIED),
});

/** The active operation and the cards as the real plan wants them. */
const OPERATION = "active";
const planned = (slots: readonly ModelSlot[]): PlannedSlot[] =>
  slots.map(({ status, isMine, tries, refused }, slotIndex) => ({
    slotIndex,
    status,
    operationId: isMine ? OPERATION : null,
    tries,
    refused,
  }));

const withSlot = (world: World, index: number, slot: ModelSlot): World => ({
  ...world,
  slots: world.slots.map((one, at) => (at === index ? slot : one)),
});

/** What our side does next, or nothing: it waits, or nobody asked anything. */
export function act(world: World, mistakes: Mistakes): World[] {
  const { operation } = world;
  if (!operation || operation.isForgotten) return [];
  const slots = planned(world.slots);
  const next =
    mistakenMove(world, mistakes) ?? nextMove({ id: OPERATION, type: operation.type, slotIndex: null }, slots);
  // Claimed again and again without progress, at whatever point: row O11.
  const worlds = [review(world)];
  if (mistakes.nobodySweeps) worlds.push({ ...world, operation: { ...operation, isForgotten: true } });
  return [...worlds, ...done(world, next, mistakes)];
}

function done(world: World, next: Move<PlannedSlot>, mistakes: Mistakes): World[] {
  const slotOf = ({ slotIndex }: PlannedSlot): ModelSlot => world.slots[slotIndex] ?? UNTRIED;
  switch (next.do) {
    case "wait":
    case "review":
      return [];
    case "cancel":
      return [withSlot(world, next.slot.slotIndex, move(slotOf(next.slot), "lower_slot.failed"))];
    case "finish":
      return [finish(world, next.fact, mistakes)];
    default: {
      checkIntent(world, next.do);
      const { slotIndex } = next.slot;
      const intended = withSlot(world, slotIndex, intend(slotOf(next.slot), next.do));
      if (next.do !== "authorize") return [intended];
      return [intended, withSlot(world, slotIndex, move(slotOf(next.slot), "payment.impossible"))];
    }
  }
}

function checkIntent({ slots, isMismatched }: World, call: string): void {
  if (isMismatched) throw new Violation("M15: a call after an answer for another amount");
  if (call !== "capture") return;
  const isSafe = slots.every(
    ({ status, isMine }) => status === "pre_authorized" || (status === "authorized" && isMine),
  );
  if (!isSafe) throw new Violation("M9: a capture begins while a card is not held");
}

function mistakenMove({ operation, slots }: World, mistakes: Mistakes): Move<PlannedSlot> | undefined {
  const all = planned(slots);
  const held = all.find(({ status }) => status === "pre_authorized");
  const isWaiting = all.some(({ status }) => status === "processing" || status === "undetermined");
  if (operation?.type === "capture" && !isWaiting) {
    const taken = all.find(({ status }) => status === "authorized");
    if (mistakes.isPaidAfterFirstCapture && taken) return { do: "finish", fact: "capture.completed" };
    if (mistakes.goesOnAfterRefusedCapture) {
      const next = all.find(({ status, refused }) => status === "pre_authorized" && !refused);
      if (next) return { do: "capture", slot: next };
    }
  }
  if (operation?.type !== "authorize") return undefined;
  if (mistakes.capturesCardByCard && held) {
    const isClean = all.every(({ status }) => ["pending", "pre_authorized", "authorized"].includes(status));
    if (isClean) return { do: "capture", slot: held };
  }
  if (mistakes.failsBeforeVoidsAreConfirmed) {
    const isOver = all.some(({ status }) => status === "failed") && !all.some(({ status }) => status === "pending");
    if (isOver) return { do: "finish", fact: "authorize.failed" };
  }
  return undefined;
}

function finish(world: World, end: OperationEnd, mistakes: Mistakes): World {
  const { operation, capture } = world;
  if (!operation) throw new Violation("an operation ends twice");
  operationMachine.next("processing", end);
  const forgotten = mistakes.callsRollbackFailed
    ? world.slots.map((slot) => ({ ...slot, wasCaptured: false }))
    : world.slots;
  const ended = purchaseEnd(world.status, forgotten, end, operation.by);
  const status = ended ? purchaseMachine.next(world.status, ended.fact) : world.status;
  const type = mistakes.leavesOutRollback && end === "capture.failed" ? undefined : chained(capture, end);
  return rested({ ...world, status, operation: type ? { type, by: "system", isForgotten: false } : null });
}

const rested = (world: World): World => ({ ...world, slots: world.slots.map(atRest) });

/** Rows O11, P9, S7 and S24. */
export function review(world: World): World {
  operationMachine.next("processing", "review.opened");
  purchaseMachine.next(world.status, "review.opened");
  return rested({
    ...world,
    operation: null,
    isReviewed: true,
    slots: world.slots.map((slot) => {
      if (slot.status === "processing") return move(slot, "call.undetermined");
      return slot.status === "undetermined" ? move(slot, "review.opened") : slot;
    }),
  });
}

export function request(world: World, type: OperationType, by: "client" | "system"): World {
  if (world.operation) throw new Violation("L3: a second operation at the same time");
  return rested({ ...world, operation: { type, by, isForgotten: false } });
}

/** What a client may ask now. */
export function asks(world: World, mistakes: Mistakes): World[] {
  const { operation, isReviewed, status, slots, capture } = world;
  if ((operation && !mistakes.acceptsSecondOperation) || isReviewed) return [];
  const worlds: World[] = [];
  const isHeld = slots.every((slot) => slot.status === "pre_authorized");
  if (status === "pending" && !capture && isHeld) worlds.push(request(world, "capture", "client"));
  if (status === "pending") worlds.push(request(world, "void", "client"));
  if (status === "paid") worlds.push(request(world, "refund", "client"));
  return worlds;
}

/** One card has changed; what follows for the purchase. */
export function happened(world: World, index: number, { slot, follows }: Happening, mistakes: Mistakes): World {
  const changed = withSlot(world, index, slot);
  if (!follows) return changed;
  if (follows === "review") return review(changed);
  if (follows === "mismatch") {
    const mismatched = { ...changed, isMismatched: true };
    return mistakes.goesOnAfterMismatch
      ? withSlot(
          mismatched,
          index,
          move(slot, slot.call === "capture" ? "capture.captured" : "authorize.approved", { call: null }),
        )
      : review(mismatched);
  }
  const { news } = follows;
  if (world.isReviewed || isLeftOut(news, mistakes)) return changed;
  const type = afterNews(world.status, changed.slots, news);
  return type ? request(changed, type, "system") : changed;
}

const isLeftOut = (news: string, mistakes: Mistakes): boolean =>
  (news === "hold.ended" && mistakes.leavesOutP8 === true) ||
  (news === "chargeback.reversed" && mistakes.keepsDisputeWonAfterCancel === true) ||
  (news === "refund.reversed" && mistakes.keepsFailedRefundAfterCancel === true);
