import type { SlotStatus } from "@/db/schema/purchases";
import { slotMachine } from "@/lib/purchases/machine";
import { MOST_TRIES, type SlotCall } from "@/lib/purchases/plan";

/** What the provider really holds of one card; we only ever learn of it by answers. */
export type ModelTruth = "none" | "held" | "captured" | "released" | "declined" | "expired" | "charged_back";

/** One card as the model sees it: our row, the provider's truth, and what is under way between them. */
export interface ModelSlot {
  readonly status: SlotStatus;
  /** The active operation acted on it, how often, and whether the provider refused. */
  readonly isMine: boolean;
  readonly tries: number;
  readonly refused: boolean;
  readonly wasCaptured: boolean;
  /** The call whose outcome is on its way or unknown. */
  readonly call: SlotCall | null;
  /** Which of the merchant's providers it is at. */
  readonly provider: number;
  readonly truth: ModelTruth;
  /** A message of ours that the provider may still receive. */
  readonly late: SlotCall | null;
  /** A copy of an answer, or an answer whose worker was given up: it may still be written down by somebody. */
  readonly stale: string | null;
  /** Money was really taken on this card at some time. */
  readonly took: boolean;
  /** Given up as not found, and looked for until a hold could no longer exist. */
  readonly isWatched: boolean;
}

/** A broken invariant, named as in spec/invariants.md. */
export class Violation extends Error {}

export const UNTRIED: ModelSlot = {
  status: "pending",
  isMine: false,
  tries: 0,
  refused: false,
  wasCaptured: false,
  call: null,
  provider: 1,
  truth: "none",
  late: null,
  stale: null,
  took: false,
  isWatched: false,
};

/** A row of the slot's table; a move that is none throws. */
export const move = (slot: ModelSlot, fact: string, changes: Partial<ModelSlot> = {}): ModelSlot => ({
  ...slot,
  ...changes,
  status: slotMachine.next(slot.status, fact),
});

/** The call has its outcome. */
export const settleModelSlot = (slot: ModelSlot, fact: string, changes: Partial<ModelSlot> = {}): ModelSlot =>
  move(slot, fact, { call: null, refused: fact.endsWith(".refused"), ...changes });

/** Only whether tries are left matters: the model begins next to the last one. */
const FIRST_TRY = MOST_TRIES - 1;

export const intend = (slot: ModelSlot, call: SlotCall): ModelSlot =>
  move(slot, `${call}.intended`, {
    call,
    isMine: true,
    tries: slot.isMine ? slot.tries + 1 : FIRST_TRY,
    refused: false,
  });

/** What one operation did to a card is not the next one's. */
export const atRest = (slot: ModelSlot): ModelSlot =>
  slot.isMine || slot.refused || slot.tries > 0 ? { ...slot, isMine: false, refused: false, tries: 0 } : slot;

/** Each different card state once, under a small number: a world is then a few small numbers. */
export class SlotTable {
  private readonly slots: ModelSlot[] = [];
  private readonly byText = new Map<string, number>();
  private readonly byIdentity = new Map<ModelSlot, number>();

  idOf(slot: ModelSlot): number {
    const met = this.byIdentity.get(slot);
    if (met !== undefined) return met;
    const text = textOf(slot);
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const id = this.slots.push(slot) - 1;
    this.byText.set(text, id);
    this.byIdentity.set(slot, id);
    return id;
  }

  at(id: number): ModelSlot {
    const slot = this.slots[id];
    if (!slot) throw new Error("a card state that nobody made");
    return slot;
  }

  /** The one object that stands for this state. */
  same = (slot: ModelSlot): ModelSlot => this.at(this.idOf(slot));
}

const textOf = (slot: ModelSlot): string =>
  `${slot.status},${slot.isMine},${slot.tries},${slot.refused},${slot.wasCaptured},${slot.call},${slot.provider},` +
  `${slot.truth},${slot.late},${slot.stale},${slot.took},${slot.isWatched}`;
