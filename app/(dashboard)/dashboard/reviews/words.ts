import { getTranslations } from "next-intl/server";
import type { OperationType, PurchaseStatus, ReviewReason, SlotStatus } from "@/db/schema/purchases";
import type { ProviderTruth } from "@/lib/charges/review/statement";
import type { WaitingForPeople } from "@/lib/insights/waiting";

const KIND_TEXTS = {
  charge: "kindCharge",
  purchase: "kindPurchase",
  unanswered: "kindUnanswered",
  proposed: "kindProposed",
  not_returned: "kindNotReturned",
  kept_apart: "kindKeptApart",
} as const satisfies Record<WaitingForPeople["kind"], string>;

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
} as const satisfies Record<ProviderTruth, string>;

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

/** Of attempts. */
const ANSWER_TEXTS = {
  running: "result_running",
  processing: "result_processing",
  success: "result_success",
  failed: "result_failed",
  timeout: "result_timeout",
  internal_error: "result_internal_error",
} as const;
const isAnswer = (text: string): text is keyof typeof ANSWER_TEXTS => Object.hasOwn(ANSWER_TEXTS, text);
const isReason = (text: string): text is ReviewReason => Object.hasOwn(REASON_TEXTS, text);

export async function reviewWords() {
  const [t, payments] = await Promise.all([getTranslations("reviews"), getTranslations("payments")]);
  return {
    /** Causes that only the engine knows are told by how the attempt stands. */
    answer: ({ status, reason }: { status: string; reason: string | null }): string =>
      reason && isReason(reason)
        ? t(REASON_TEXTS[reason])
        : payments(isAnswer(status) ? ANSWER_TEXTS[status] : "stageUnknown"),
    kind: (kind: WaitingForPeople["kind"]) => t(KIND_TEXTS[kind]),
    why: ({ kind, reason }: Pick<WaitingForPeople, "kind" | "reason">): string =>
      kind === "unanswered"
        ? t("silent", { provider: reason })
        : kind === "not_returned"
          ? t("notReturned", { provider: reason })
          : kind === "kept_apart"
            ? t("keptApart", { provider: reason })
            : kind === "proposed"
              ? t("secondPerson")
              : // Guarantee: a check of the tables allows these reasons alone.
                t(REASON_TEXTS[reason as ReviewReason]),
    // Guarantee: as above.
    reason: (reason: string) => t(REASON_TEXTS[reason as ReviewReason]),
    truth: (truth: ProviderTruth) => t(TRUTH_TEXTS[truth]),
    slot: (status: SlotStatus) => t(SLOT_TEXTS[status]),
    purchase: (status: PurchaseStatus) => t(PURCHASE_TEXTS[status]),
    operation: (type: OperationType) => t(OPERATION_TEXTS[type]),
  };
}
