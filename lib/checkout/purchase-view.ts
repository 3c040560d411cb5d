import type { SlotStatus } from "@/db/schema/purchases";
import type { Charge } from "@/lib/charges/queries";
import type { CardLine, SlotWord } from "@/lib/checkout/card-lines";
import { severalActions, severalRefusal } from "@/lib/checkout/declines";
import { hasOtherMethod, offeredActions, takesPayments } from "@/lib/checkout/methods";
import { disputesOf, paidMomentOf, refundLinesOf } from "@/lib/checkout/money-lines";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import type { SeenPayment } from "@/lib/checkout/payment-view";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import { sumOf } from "@/lib/money";
import type { MoneyLine } from "@/lib/payment-documents/views";
import type { PaymentRow, Purchase } from "@/lib/purchases/queries";

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

/** Lines of the cards' money, the newest first, each with the card it belongs to. */
const linesOfCards = (
  payments: readonly PaymentRow[],
  charges: readonly Charge[],
  linesOf: (charge: Charge) => readonly MoneyLine[],
): MoneyLine[] =>
  charges
    .flatMap((charge) => {
      const card = payments.find(({ chargeId }) => chargeId === charge.row.id)?.card;
      const named = card ? { card: { brand: card.brand, last4: card.last4digits } } : {};
      return linesOf(charge).map((line) => ({ ...line, ...named }));
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());

const momentsOf = (moments: readonly (Date | null | undefined)[]): number[] =>
  moments.flatMap((moment) => (moment ? [moment.getTime()] : []));

/** The last of its cards makes it paid, or held. */
function paidAt(charges: readonly Charge[]): Date | undefined {
  const moments = momentsOf(charges.map(paidMomentOf));
  return moments.length > 0 ? new Date(Math.max(...moments)) : undefined;
}

/** The first hold that ends takes the others with it. */
function heldUntil(charges: readonly Charge[]): Date | null {
  const ends = momentsOf(charges.map(({ row }) => row.expiresAt));
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** `charges` are those of its cards, as far as they were made. */
export function purchaseView(purchase: Purchase, charges: readonly Charge[], seen: SeenPayment): PaymentView {
  const { row, payments } = purchase;
  const { session, at } = seen;
  const state = purchaseState(purchase);
  const failed = payments.find(({ status }) => status === "failed");
  const refusal = failed ? severalRefusal(failed.declineReason ?? undefined) : null;
  const captured = sumOf(charges.map(({ row: { capturedAmount } }) => capturedAmount));
  // A capture that broke off took some of the cards alone, and was given back.
  const isTaken = row.status !== "pending" && captured > 0;
  const amount = isTaken ? captured : row.amount;
  const cards = payments.map((slot): CardLine => {
    const charge = charges.find(({ row: { id } }) => id === slot.chargeId);
    const approved = charge?.attempts.find(({ authorizationCode }) => authorizationCode);
    return {
      index: slot.slotIndex,
      word: wordOf(slot, purchase),
      brand: slot.card?.brand ?? null,
      last4: slot.card?.last4digits ?? null,
      amount: isTaken ? (charge?.row.capturedAmount ?? 0) : slot.amount,
      installments: slot.installments,
      authorizationCode: approved?.authorizationCode ?? null,
      nsu: approved?.authorizationNsu ?? null,
      refusal: slot === failed ? refusal : null,
    };
  });
  return {
    id: row.id,
    token: paymentTokenOf(row.id),
    state,
    order: seen.order,
    amount,
    refunded: sumOf(charges.map(({ row: { refundedAmount } }) => refundedAmount)),
    difference: 0,
    lateFees: 0,
    notCharged: row.amount - amount,
    createdAt: row.createdAt,
    endedAt: paidAt(charges) ?? (row.status === "pending" ? row.createdAt : row.updatedAt),
    method: "cards",
    cards,
    refunds: linesOfCards(payments, charges, refundLinesOf),
    disputes: linesOfCards(payments, charges, disputesOf),
    sentBack: [],
    email: seen.email,
    pix: null,
    endToEndId: null,
    boleto: null,
    continueUrl: null,
    challenge: null,
    device: null,
    confirmingInSeconds: null,
    holdUntil: state === "authorised" ? heldUntil(charges) : null,
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
