import type { Mistakes } from "@/lib/purchases/model/mistakes";
import { type ModelSlot, type ModelTruth, move, settleModelSlot, Violation } from "@/lib/purchases/model/slot";
import type { SlotCall } from "@/lib/purchases/plan";

/** What the adversary may do in an exploration. */
export interface Powers {
  /** Of the merchant, tried in order. */
  providers: number;
  /** Messages of ours arrive long after their time-out. */
  late: boolean;
  /** Answers come twice, or after their worker was given up. */
  duplicates: boolean;
}

/** What becomes of one card, and what follows for the purchase. */
export interface Happening {
  slot: ModelSlot;
  /** People must look; a provider tells of something nobody asked for. */
  follows?: "review" | "mismatch" | { news: string };
}

/** What a call does at the provider when it arrives, from what is there: every way it can go. */
const EFFECTS: Record<SlotCall, Partial<Record<ModelTruth, readonly ModelTruth[]>>> = {
  authorize: { none: ["held", "declined"] },
  capture: { held: ["captured", "held"] },
  void: { held: ["released", "held"] },
  refund: { captured: ["released", "captured"] },
};

const SETTLED_AS: Record<SlotCall, Partial<Record<ModelTruth, string>>> = {
  authorize: { held: "authorize.approved", declined: "authorize.declined", expired: "authorize.declined" },
  capture: { captured: "capture.captured", held: "capture.refused", expired: "capture.hold_gone" },
  void: { released: "void.voided", expired: "void.voided", held: "void.refused", captured: "void.found_captured" },
  refund: { released: "refund.done", captured: "refund.refused", charged_back: "refund.refused" },
};

const arrivals = ({ truth }: ModelSlot, call: SlotCall): readonly ModelTruth[] => EFFECTS[call][truth] ?? [truth];

/** What the arrival changes at the provider, and in the record of what really happened. */
const arrived = (slot: ModelSlot, truth: ModelTruth): Partial<ModelSlot> => ({
  truth,
  took: slot.took || truth === "captured",
});

const learnt = (slot: ModelSlot, truth: ModelTruth): Partial<ModelSlot> => ({
  ...arrived(slot, truth),
  wasCaptured: slot.wasCaptured || truth === "captured",
});

/** Everything that can become of a call in flight: done or not, its answer given, copied, lost, or the call itself late. */
export function answer(slot: ModelSlot, powers: Powers, mistakes: Mistakes): Happening[] {
  const { call } = slot;
  if (slot.status !== "processing" || !call) return [];
  const happenings: Happening[] = [];
  const push = (made: ModelSlot, follows?: Happening["follows"]) =>
    happenings.push(follows ? { slot: made, follows } : { slot: made });
  for (const truth of arrivals(slot, call)) {
    const fact = SETTLED_AS[call][truth];
    if (fact) {
      for (const known of outcomes(slot, call, fact, truth, powers)) {
        push(known);
        if (powers.duplicates) push({ ...known, stale: fact });
      }
    }
    if (mistakes.believesVoidWithoutAsking && call === "void")
      push(settleModelSlot(slot, "void.voided", arrived(slot, truth)));
    const lost = move(slot, "call.undetermined", arrived(slot, truth));
    push(lost);
    if (powers.duplicates && fact) push({ ...lost, stale: fact });
  }
  push(move(slot, "call.undetermined"));
  if (powers.late) push(move(slot, "call.undetermined", { late: call }));
  if (call === "authorize") {
    push({ ...slot, truth: "held" }, "mismatch");
    // It provably never left: the next provider, or none is left.
    push(neverLeft(slot, powers));
  }
  if (call === "capture" && slot.truth === "held") push({ ...slot, ...learnt(slot, "captured") }, "mismatch");
  return happenings;
}

/** Rows S4 to S6: a decline that allows it is passed on to the next provider, under a reference of its own. */
function outcomes(slot: ModelSlot, call: SlotCall, fact: string, truth: ModelTruth, powers: Powers): ModelSlot[] {
  const settled = settleModelSlot(slot, fact, learnt(slot, truth));
  const isPassedOn = call === "authorize" && truth === "declined" && slot.provider < powers.providers;
  return isPassedOn ? [settled, passedOn(slot)] : [settled];
}

function passedOn(slot: ModelSlot): ModelSlot {
  if (slot.truth === "held" || slot.late === "authorize") {
    throw new Violation("M8: a second authorisation while the first is possible");
  }
  return move(slot, "authorize.passed_on", { provider: slot.provider + 1, truth: "none" });
}

const neverLeft = (slot: ModelSlot, { providers }: Powers): ModelSlot =>
  slot.provider < providers ? passedOn(slot) : settleModelSlot(slot, "authorize.declined");

/** A message that was under way reaches the provider after all, or is lost for good. */
export function arrive(slot: ModelSlot): Happening[] {
  const { late } = slot;
  if (!late) return [];
  const effects = arrivals(slot, late).map((truth) => ({ slot: { ...slot, ...arrived(slot, truth), late: null } }));
  return [...effects, { slot: { ...slot, late: null } }];
}

/** A second writer comes with an answer of yesterday: its epoch is over, and it changes nothing. */
export function repeat(slot: ModelSlot, mistakes: Mistakes): Happening[] {
  const { stale } = slot;
  if (!stale) return [];
  const dropped = { ...slot, stale: null };
  return [{ slot: mistakes.believesStaleAnswers ? settleModelSlot(dropped, stale) : dropped }];
}

/**
 * An answer to a query. While a message may still arrive, only positive evidence counts; negative evidence lets a
 * capture, a void or a refund be sent once more under its own reference.
 */
export function ask(slot: ModelSlot, isReviewed: boolean, powers: Powers, mistakes: Mistakes): Happening[] {
  const { call, truth, late } = slot;
  if (slot.status !== "undetermined" || isReviewed || !call) return [];
  const happenings: Happening[] = [{ slot, follows: "review" }];
  if (call === "authorize" && mistakes.givesUpOnUnknown)
    happenings.push({ slot: settleModelSlot(slot, "authorize.declined") });
  if (call === "authorize" && mistakes.failsOverOnUnknown && slot.provider < powers.providers) {
    happenings.push({ slot: passedOn({ ...slot, status: "processing" }) });
  }
  if (call === "authorize" && mistakes.sendsAuthorizationAgain) {
    if (truth === "held" || late) throw new Violation("M8: two authorisations of one card");
    happenings.push({ slot: { ...slot, late: "authorize" } });
  }
  if (call === "authorize" && truth === "none") {
    if (mistakes.believesFirstNotFound) happenings.push({ slot: settleModelSlot(slot, "authorize.declined") });
    else if (!late) happenings.push({ slot: settleModelSlot(slot, "authorize.declined", { isWatched: true }) });
    return happenings;
  }
  const fact = SETTLED_AS[call][truth];
  if (!fact) return happenings;
  const isNegative = fact.endsWith(".refused");
  if (isNegative && late) return happenings;
  happenings.push({ slot: settleModelSlot(slot, fact, learnt(slot, truth)) });
  // The decline of a call whose worker died is passed on like any other.
  if (call === "authorize" && truth === "declined" && !late && slot.provider < powers.providers) {
    happenings.push({ slot: passedOn(slot) });
  }
  if (isNegative && powers.late) happenings.push({ slot: { ...slot, late: call } });
  return happenings;
}

/** What happens at the provider without anybody of ours, and what we see of it when nothing runs. */
export function happen(slot: ModelSlot, hasOperation: boolean): Happening[] {
  const happenings: Happening[] = [];
  if (slot.truth === "held") happenings.push({ slot: { ...slot, truth: "expired" } });
  if (slot.isWatched && slot.truth === "held") happenings.push({ slot: { ...slot, truth: "released" } });
  if (slot.truth === "captured") {
    happenings.push({ slot: { ...slot, truth: "charged_back" } });
    // Given back at the provider's own console.
    happenings.push({ slot: { ...slot, truth: "released" } });
  }
  if (slot.truth === "charged_back" && slot.status === "charged_back" && !hasOperation) {
    happenings.push({
      slot: move(slot, "chargeback.reversed", { truth: "captured" }),
      follows: { news: "chargeback.reversed" },
    });
  }
  if (slot.truth === "released" && slot.took && slot.status === "voided" && !hasOperation) {
    happenings.push({ slot: move(slot, UNDONE, { truth: "captured" }), follows: { news: UNDONE } });
  }
  if (hasOperation) return happenings;
  const fact = SEEN[slot.status]?.[slot.truth];
  if (fact === "refund.done") {
    const returned = move(move(slot, "refund.intended"), fact);
    happenings.push({ slot: returned, follows: { news: fact } });
  } else if (fact) happenings.push({ slot: move(slot, fact), follows: { news: fact } });
  return happenings;
}

/** Given back, and not after all. */
const UNDONE = "refund.reversed";

/** Rows S21 and S23, and S17 with S18 by somebody else's hand. */
const SEEN: Partial<Record<ModelSlot["status"], Partial<Record<ModelTruth, string>>>> = {
  pre_authorized: { expired: "hold.ended" },
  authorized: { charged_back: "chargeback.confirmed", released: "refund.done" },
};
