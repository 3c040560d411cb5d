import type { SlotStatus } from "@/db/schema/purchases";
import type { CardLine, SlotWord } from "@/lib/checkout/card-lines";
import { severalActions, severalRefusal } from "@/lib/checkout/declines";
import { hasOtherMethod, offeredActions, takesPayments } from "@/lib/checkout/methods";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import type { SeenPayment } from "@/lib/checkout/payment-view";
import type { PaymentState, PaymentView, RefundLine } from "@/lib/checkout/view";
import type { PaymentRow, Purchase } from "@/lib/purchases/queries";

/** Numbers of an approval, by the charge of a slot. */
export type Approvals = ReadonlyMap<string, { authorizationCode: string | null; nsu: string | null }>;

function purchaseState({ row, payments, active }: Purchase): PaymentState {
  if (row.reviewReason) return "review";
  const refunded = refundedOf(payments);
  switch (row.status) {
    case "paid":
      if (payments.some(({ status }) => status === "charged_back")) return "disputed";
      if (active?.type === "refund") return "refunding";
      return refunded > 0 ? "partlyRefunded" : "paid";
    case "failed":
      return "released";
    case "cancelled":
      return payments.some(({ wasCaptured }) => wasCaptured) ? "refunded" : "canceled";
    case "pending":
      if (payments.some(({ status }) => status === "undetermined")) return "confirming";
      if (!active && payments.every(({ status }) => status === "pre_authorized") && !row.capture) return "authorised";
      return "running";
  }
}

const refundedOf = (payments: readonly PaymentRow[]): number =>
  payments.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0);

/** What a buyer is told of one card; a release is seen by what happened to the others. */
function wordOf(slot: PaymentRow, { payments, active }: Purchase): SlotWord {
  const isUndoing =
    active?.type === "void" || active?.type === "rollback" || payments.some(({ status }) => status === "failed");
  const words: Record<SlotStatus, SlotWord> = {
    pending: "waiting",
    processing: isUndoing ? "releasing" : "processing",
    undetermined: "confirming",
    pre_authorized: isUndoing ? "releasing" : "held",
    authorized: "paid",
    failed: "declined",
    voided: "released",
    canceled: "waiting",
    charged_back: "paid",
  };
  return words[slot.status];
}

export function purchaseView(
  purchase: Purchase,
  holdUntil: Date | null,
  approvals: Approvals,
  refunds: RefundLine[],
  seen: SeenPayment,
): PaymentView {
  const { row, payments } = purchase;
  const { session, at } = seen;
  const state = purchaseState(purchase);
  const failed = payments.find(({ status }) => status === "failed");
  const refusal = failed ? severalRefusal(failed.declineReason ?? undefined) : null;
  const cards = payments.map((slot): CardLine => {
    const approval = approvals.get(slot.chargeId ?? "");
    return {
      index: slot.slotIndex,
      word: wordOf(slot, purchase),
      brand: slot.card?.brand ?? null,
      last4: slot.card?.last4digits ?? null,
      amount: slot.amount,
      installments: slot.installments,
      authorizationCode: approval?.authorizationCode ?? null,
      nsu: approval?.nsu ?? null,
      refusal: slot === failed ? refusal : null,
    };
  });
  return {
    id: row.id,
    token: paymentTokenOf(row.id),
    state,
    order: seen.order,
    amount: row.amount,
    refunded: state === "refunded" ? row.amount : refundedOf(payments),
    difference: 0,
    createdAt: row.createdAt,
    endedAt: row.status === "pending" ? row.createdAt : row.updatedAt,
    method: "cards",
    cards,
    refunds,
    sentBack: [],
    email: seen.email,
    pix: null,
    endToEndId: null,
    boleto: null,
    continueUrl: null,
    challenge: null,
    device: null,
    confirmingInSeconds: null,
    holdUntil: state === "authorised" ? holdUntil : null,
    refusal,
    declinedCard: failed?.slotIndex ?? null,
    actions: refusal ? severalActions(refusal, offeredActions(session, "cards")) : [],
    canPayAgain: takesPayments(session, at),
    hasOther: hasOtherMethod(session, "credit"),
    canRenew: takesPayments(session, at),
    instead: null,
    insteadToken: null,
    canSimulate: false,
    asked: seen.asked,
    plan: null,
  };
}
