import { arrangementOf, type PaymentArrangement } from "@/lib/brazil/card-arrangement";
import { brandOfName } from "@/lib/brazil/card-brand";

/** The function of the card that each method uses; a voucher uses neither. */
const CARD_FUNCTION: Readonly<Record<string, "credit" | "debit">> = {
  credit: "credit",
  apple_pay: "credit",
  click_to_pay: "credit",
  debit: "debit",
};

/** What a receivable of this sale belongs to: null for what is no card, and for cards without an arrangement. */
export function paymentArrangementOf(paymentType: string, brand: string | undefined): PaymentArrangement | null {
  const cardFunction = CARD_FUNCTION[paymentType];
  return (cardFunction && brand && arrangementOf(brandOfName(brand), cardFunction)) || null;
}

const WITHOUT_CARD: readonly string[] = ["pix", "boleto", "nupay", "drip", "picpay"];

/** The account of what the provider owes: methods without a card stand for themselves. */
export const receivableAccountOf = (paymentType: string, brand: string | undefined): string | null =>
  WITHOUT_CARD.includes(paymentType) ? paymentType.toUpperCase() : paymentArrangementOf(paymentType, brand);
