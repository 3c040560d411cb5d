import type { Draws } from "@/lib/testing/simulator/seeded";

/** Everything that can become of a call, by what it asks for. */
export type AuthorizeAnswer =
  | "approve"
  | "decline"
  | "decline_try_elsewhere"
  | "done_answer_lost"
  | "nothing_answer_lost"
  | "declined_answer_lost"
  | "arrives_late"
  | "arrives_after_the_window"
  | "pending_then_approved"
  | "pending_then_declined"
  | "pending_for_ever"
  | "another_amount"
  | "never_left"
  | "rejected"
  | "reversed_by_provider";
export type OpenAnswer =
  | "made"
  | "made_answer_lost"
  | "nothing_answer_lost"
  | "arrives_late"
  | "never_left"
  | "rejected";
export type ChangeAnswer =
  | "done"
  | "done_answer_lost"
  | "nothing_answer_lost"
  | "arrives_late"
  | "refused"
  | "rejected"
  | "never_left"
  | "hold_gone"
  | "pending_done"
  | "pending_failed";
export type QueryAnswer = "true" | "unavailable" | "not_found_yet";

export interface Mood {
  authorize: readonly (readonly [AuthorizeAnswer, number])[];
  /** Of a Pix or a boleto. */
  open: readonly (readonly [OpenAnswer, number])[];
  capture: readonly (readonly [ChangeAnswer, number])[];
  void: readonly (readonly [ChangeAnswer, number])[];
  refund: readonly (readonly [ChangeAnswer, number])[];
  query: readonly (readonly [QueryAnswer, number])[];
  /** How likely each of a worker's steps is its last, and how likely it is held up past its lease. */
  crash: number;
  stall: number;
  /** Cards that are disputed once captured, or whose hold the provider ends by itself. */
  dispute: number;
  reversal: number;
}

const CALM: Mood = {
  authorize: [["approve", 1]],
  open: [["made", 1]],
  capture: [["done", 1]],
  void: [["done", 1]],
  refund: [["done", 1]],
  query: [["true", 1]],
  crash: 0,
  stall: 0,
  dispute: 0,
  reversal: 0,
};

const UNSURE: Mood = {
  authorize: [
    ["approve", 55],
    ["decline", 5],
    ["decline_try_elsewhere", 6],
    ["done_answer_lost", 6],
    ["nothing_answer_lost", 5],
    ["declined_answer_lost", 4],
    ["arrives_late", 5],
    ["arrives_after_the_window", 2],
    ["pending_then_approved", 3],
    ["pending_then_declined", 2],
    ["pending_for_ever", 1],
    ["another_amount", 2],
    ["never_left", 3],
    ["rejected", 2],
    ["reversed_by_provider", 2],
  ],
  open: [
    ["made", 70],
    ["made_answer_lost", 10],
    ["nothing_answer_lost", 6],
    ["arrives_late", 5],
    ["never_left", 5],
    ["rejected", 4],
  ],
  capture: [
    ["done", 60],
    ["done_answer_lost", 10],
    ["nothing_answer_lost", 6],
    ["arrives_late", 5],
    ["refused", 7],
    ["rejected", 2],
    ["never_left", 4],
    ["hold_gone", 5],
  ],
  void: [
    ["done", 60],
    ["done_answer_lost", 12],
    ["nothing_answer_lost", 8],
    ["arrives_late", 6],
    ["refused", 6],
    ["rejected", 3],
    ["never_left", 5],
  ],
  refund: [
    ["done", 55],
    ["done_answer_lost", 10],
    ["nothing_answer_lost", 7],
    ["refused", 10],
    ["pending_done", 7],
    ["pending_failed", 6],
    ["never_left", 5],
  ],
  query: [
    ["true", 88],
    ["unavailable", 9],
    ["not_found_yet", 3],
  ],
  crash: 0,
  stall: 0,
  dispute: 0.1,
  reversal: 0.06,
};

/** The temper of a schedule: what fails in it, and how often. */
export function moodOf(draws: Draws): Mood {
  return draws.weighted<Mood>([
    [CALM, 4],
    [{ ...CALM, crash: 0.05, stall: 0.04 }, 22],
    [UNSURE, 30],
    [{ ...UNSURE, crash: 0.03, stall: 0.03 }, 36],
    [{ ...UNSURE, crash: 0.12, stall: 0.05 }, 8],
  ]);
}
