import type { OperationStatus, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import { defineMachine } from "@/lib/machine";

/**
 * The tables of spec/purchases.md under its own row numbers, [row, from, fact, to]. The guard, the database trigger,
 * the model and the published page are made from them. Rows that create (O1, P1) have no state to come from.
 */
export const slotMachine = defineMachine<SlotStatus>("purchase payment", [
  ["S1", "pending", "authorize.intended", "processing"],
  ["S2", "pending", "lower_slot.failed", "canceled"],
  ["S3", "pending", "payment.impossible", "failed"],
  ["S4", "processing", "authorize.approved", "pre_authorized"],
  ["S5", "processing", "authorize.passed_on", "processing"],
  ["S5", "undetermined", "authorize.passed_on", "processing"],
  ["S6", "processing", "authorize.declined", "failed"],
  ["S7", "processing", "call.undetermined", "undetermined"],
  ["S8", "undetermined", "authorize.approved", "pre_authorized"],
  ["S8", "undetermined", "authorize.declined", "failed"],
  ["S9", "pre_authorized", "capture.intended", "processing"],
  ["S10", "processing", "capture.captured", "authorized"],
  ["S10", "undetermined", "capture.captured", "authorized"],
  ["S11", "processing", "capture.refused", "pre_authorized"],
  ["S11", "undetermined", "capture.refused", "pre_authorized"],
  ["S12", "processing", "capture.hold_gone", "voided"],
  ["S12", "undetermined", "capture.hold_gone", "voided"],
  ["S13", "pre_authorized", "void.intended", "processing"],
  ["S14", "processing", "void.voided", "voided"],
  ["S14", "undetermined", "void.voided", "voided"],
  ["S15", "processing", "void.refused", "pre_authorized"],
  ["S15", "undetermined", "void.refused", "pre_authorized"],
  ["S16", "processing", "void.found_captured", "authorized"],
  ["S16", "undetermined", "void.found_captured", "authorized"],
  ["S17", "authorized", "refund.intended", "processing"],
  ["S18", "processing", "refund.done", "voided"],
  ["S18", "undetermined", "refund.done", "voided"],
  ["S19", "processing", "refund.part_done", "authorized"],
  ["S19", "undetermined", "refund.part_done", "authorized"],
  ["S20", "processing", "refund.refused", "authorized"],
  ["S20", "undetermined", "refund.refused", "authorized"],
  ["S21", "authorized", "chargeback.confirmed", "charged_back"],
  ["S22", "charged_back", "chargeback.reversed", "authorized"],
  ["S23", "pre_authorized", "hold.ended", "voided"],
  ["S24", "undetermined", "review.opened", "undetermined"],
  // A refund that was done and failed at the provider after all; of a part, the card stays what it is.
  ["S25", "voided", "refund.reversed", "authorized"],
  ["S25", "authorized", "refund.reversed", "authorized"],
  ["S25", "charged_back", "refund.reversed", "charged_back"],
]);

export const operationMachine = defineMachine<OperationStatus>("purchase operation", [
  ["O2", "pending", "claimed", "processing"],
  ["O2", "processing", "claimed", "processing"],
  ["O3", "processing", "authorize.completed", "completed"],
  ["O4", "processing", "authorize.failed", "failed"],
  ["O5", "processing", "capture.completed", "completed"],
  ["O6", "processing", "capture.failed", "failed"],
  ["O7", "processing", "void.completed", "completed"],
  ["O8", "processing", "rollback.completed", "completed"],
  ["O9", "processing", "refund.completed", "completed"],
  ["O10", "processing", "refund.failed", "failed"],
  ["O11", "processing", "review.opened", "failed"],
]);

export const purchaseMachine = defineMachine<PurchaseStatus>("purchase", [
  ["P2", "pending", "authorize.failed", "failed"],
  ["P3", "pending", "authorize.completed", "pending"],
  ["P4", "pending", "capture.completed", "paid"],
  ["P5", "pending", "void.completed", "cancelled"],
  ["P6", "pending", "rollback.completed_after_capture", "cancelled"],
  ["P6", "pending", "rollback.completed", "failed"],
  ["P7", "paid", "refund.completed", "cancelled"],
  ["P8", "pending", "expiry.completed", "cancelled"],
  ["P9", "pending", "review.opened", "pending"],
  ["P9", "paid", "review.opened", "paid"],
  // A dispute won after the end is given back by the system (row S22), and that may need people too.
  ["P9", "cancelled", "review.opened", "cancelled"],
  ["P10", "pending", "review.resolved", "pending"],
  ["P10", "paid", "review.resolved", "paid"],
  ["P10", "cancelled", "review.resolved", "cancelled"],
]);
