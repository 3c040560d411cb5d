import { DomainError, invalid } from "@/lib/errors";
import { sumOf } from "@/lib/money";
import type { NewPurchase } from "@/lib/purchases/schema";

export const FEWEST_CARDS = 2;
export const MOST_CARDS = 3;
const LEAST_PER_CARD = 100;
const LEAST_IN_ALL = 200;

export type CardSource = { sourceType: "card"; cardId: string } | { sourceType: "token"; tokenId: string };

export interface CheckedPayment {
  amount: number;
  installments: number;
  source: CardSource;
}

/** The rules that need no look-up, in the order of spec/purchases.md: count, currency, source, minimums, sum. */
export function checkPayments({ payments, currency, amount }: NewPurchase): CheckedPayment[] {
  if (payments.length < FEWEST_CARDS || payments.length > MOST_CARDS) {
    throw new DomainError("invalid_payments_count", `a purchase is paid with ${FEWEST_CARDS} or ${MOST_CARDS} cards`);
  }
  const misplaced = payments.flatMap(({ slotIndex }, index) =>
    slotIndex === undefined || slotIndex === index
      ? []
      : [`payments.${index}.slotIndex: must be the position, ${index}`],
  );
  if (misplaced.length > 0) throw invalid(...misplaced);
  if (currency !== "BRL") throw new DomainError("currency_not_brl", "a purchase is paid in BRL");
  const checked = payments.map((payment, index) => ({
    amount: payment.amount,
    installments: payment.paymentMethod.installments,
    source: sourceOf(payment.paymentSource, index),
  }));
  if (payments.some((payment) => payment.amount < LEAST_PER_CARD)) {
    throw new DomainError("payment_amount_below_minimum", `each card pays at least ${LEAST_PER_CARD} cents`);
  }
  if (amount < LEAST_IN_ALL) {
    throw new DomainError("payment_amount_below_minimum", `a purchase is of at least ${LEAST_IN_ALL} cents`);
  }
  if (sumOf(payments.map((payment) => payment.amount)) !== amount) {
    throw new DomainError("payments_amount_mismatch", "the payments do not add up to the amount");
  }
  return checked;
}

function sourceOf(given: NewPurchase["payments"][number]["paymentSource"], index: number): CardSource {
  const { sourceType, cardId, tokenId } = given ?? {};
  const isCard = sourceType === "card";
  if (sourceType === undefined || (isCard ? cardId : tokenId) === undefined) {
    throw new DomainError("payment_source_required", `payments.${index}.paymentSource: needs a saved card or a token`);
  }
  if ((isCard ? tokenId : cardId) !== undefined) {
    throw invalid(`payments.${index}.paymentSource: a cardId or a tokenId, as its sourceType says`);
  }
  return isCard ? { sourceType, cardId: cardId ?? "" } : { sourceType, tokenId: tokenId ?? "" };
}
