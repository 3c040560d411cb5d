import { type CivilDate, creditSettlementDay, nextBankDay } from "@/lib/brazil/bank-calendar";

type PaymentDate = (capturedOn: CivilDate, installment: number, installments: number) => CivilDate;

/** Pix in installments is the provider's credit to the buyer: the merchant has all of it on the next bank day. */
const ofPix: PaymentDate = (capturedOn, _, installments) => (installments > 1 ? nextBankDay(capturedOn) : capturedOn);
const nextDay: PaymentDate = (capturedOn) => nextBankDay(capturedOn);

/** spec/brazil.md section 5 and spec/settlement.md section 1. */
const PAYMENT_DATES: Readonly<Record<string, PaymentDate>> = {
  credit: creditSettlementDay,
  voucher: creditSettlementDay,
  debit: nextDay,
  boleto: nextDay,
  nupay: nextDay,
  drip: nextDay,
  picpay: nextDay,
  apple_pay: nextDay,
  click_to_pay: nextDay,
  pix: ofPix,
};

/** The day in São Paulo on which instalment `installment` (from 1) of a sale can be used. */
export function paymentDateOf(
  { paymentType, capturedOn, installments }: { paymentType: string; capturedOn: CivilDate; installments: number },
  installment: number,
): CivilDate {
  const dateOf = PAYMENT_DATES[paymentType];
  if (!dateOf) throw new Error(`no payment date for ${paymentType}`);
  return dateOf(capturedOn, installment, installments);
}
