import { getTranslations } from "next-intl/server";
import type { OperationType, PurchaseStatus, ReviewReason, SlotStatus } from "@/db/schema/purchases";
import type { Waiting } from "@/lib/insights/waiting";
import type { FollowUp, Truth } from "@/lib/purchases/review/choices";

const KIND_TEXTS = {
  charge: "kindCharge",
  purchase: "kindPurchase",
  unanswered: "kindUnanswered",
  proposed: "kindProposed",
} as const satisfies Record<Waiting["kind"], string>;

const REASON_TEXTS = {
  reconciliation_failed: "reasonReconciliation",
  amount_mismatch: "reasonMismatch",
  claims_exhausted: "reasonClaims",
} as const satisfies Record<ReviewReason, string>;

const TRUTH_TEXTS = {
  held: "truthHeld",
  captured: "truthCaptured",
  absent: "truthAbsent",
  refunded: "truthRefunded",
} as const satisfies Record<Truth, string>;

const FOLLOW_TEXTS = {
  continue: "followContinue",
  undo: "followUndo",
  leave: "followLeave",
} as const satisfies Record<FollowUp, string>;

const SLOT_TEXTS = {
  pending: "slotPending",
  processing: "slotProcessing",
  undetermined: "slotUndetermined",
  pre_authorized: "slotHeld",
  authorized: "slotPaid",
  failed: "slotDeclined",
  voided: "slotReturned",
  canceled: "slotCanceled",
  charged_back: "slotDisputed",
} as const satisfies Record<SlotStatus, string>;

const PURCHASE_TEXTS = {
  pending: "purchasePending",
  paid: "purchasePaid",
  failed: "purchaseFailed",
  cancelled: "purchaseCancelled",
} as const satisfies Record<PurchaseStatus, string>;

const OPERATION_TEXTS = {
  authorize: "opAuthorize",
  rollback: "opRollback",
  capture: "opCapture",
  void: "opVoid",
  refund: "opRefund",
} as const satisfies Record<OperationType, string>;

export async function reviewWords() {
  const t = await getTranslations("reviews");
  return {
    kind: (kind: Waiting["kind"]) => t(KIND_TEXTS[kind]),
    // Guarantee: a check of the tables allows these reasons alone.
    reason: (reason: string) => t(REASON_TEXTS[reason as ReviewReason]),
    truth: (truth: Truth) => t(TRUTH_TEXTS[truth]),
    follow: (follow: FollowUp) => t(FOLLOW_TEXTS[follow]),
    slot: (status: SlotStatus) => t(SLOT_TEXTS[status]),
    purchase: (status: PurchaseStatus) => t(PURCHASE_TEXTS[status]),
    operation: (type: OperationType) => t(OPERATION_TEXTS[type]),
  };
}
