import type { ChargeStatus } from "@/db/schema/charges";
import { defineMachine } from "@/lib/machine";

/**
 * spec/contract.md 8.5. A charge is a purchase of one slot: what a slot calls processing shows here as pending,
 * capture_pending or refund_pending. `pre_authorized` is a hold, `authorized` is captured money.
 * Rows [id, from, fact, to]; the runtime guard and the database trigger both come from them.
 */
export const chargeMachine = defineMachine<ChargeStatus>("charge", [
  ["C1", "pending", "authorize.approved", "pre_authorized"],
  ["C2", "pending", "capture.captured", "authorized"],
  ["C3", "pending", "payment.received", "authorized"],
  ["C4", "pending", "authorize.refused", "failed"],
  ["C5", "pending", "open.closed", "canceled"],
  ["C6", "pending", "capture.undetermined", "capture_pending"],
  ["C7", "pending", "capture.hold_gone", "voided"],
  ["C8", "pending", "void.voided", "voided"],
  ["C9", "pending", "void.undetermined", "refund_pending"],
  ["C10", "pre_authorized", "capture.undetermined", "capture_pending"],
  ["C11", "pre_authorized", "capture.captured", "authorized"],
  ["C12", "pre_authorized", "capture.hold_gone", "voided"],
  ["C13", "pre_authorized", "void.voided", "voided"],
  ["C14", "pre_authorized", "void.undetermined", "refund_pending"],
  ["C15", "pre_authorized", "hold.ended", "voided"],
  ["C16", "capture_pending", "capture.captured", "authorized"],
  ["C17", "capture_pending", "capture.refused", "pre_authorized"],
  ["C18", "capture_pending", "capture.hold_gone", "voided"],
  ["C19", "capture_pending", "void.voided", "voided"],
  ["C20", "capture_pending", "void.undetermined", "refund_pending"],
  ["C21", "authorized", "refund.undetermined", "refund_pending"],
  ["C22", "authorized", "refund.done", "voided"],
  ["C23", "refund_pending", "refund.done", "voided"],
  ["C24", "refund_pending", "refund.part_done", "authorized"],
  ["C25", "refund_pending", "refund.refused", "authorized"],
  ["C26", "refund_pending", "void.voided", "voided"],
  ["C27", "refund_pending", "void.refused", "pre_authorized"],
  ["C28", "refund_pending", "void.found_captured", "authorized"],
  ["C29", "authorized", "chargeback.confirmed", "charged_back"],
  ["C30", "charged_back", "chargeback.reversed", "authorized"],
  // The provider could not give back what it had said that it gave: the money is there again.
  ["C31", "voided", "refund.reversed", "authorized"],
]);
