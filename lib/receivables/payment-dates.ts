import { type CivilDate, creditSettlementDay, nextBankDay } from "@/lib/brazil/bank-calendar";

type PaymentDate = (capturedOn: CivilDate, installment: number) => CivilDate;

const sameDay: PaymentDate = (capturedOn) => capturedOn;
const nextDay: PaymentDate = (capturedOn) => nextBankDay(capturedOn);

/** spec/brazil.md section 5 and spec/settlement.md section 1. */
const PAYMENT_DATES: Readonly<Record<string, PaymentDate>> = {
  credit: creditSettlementDay,
  apple_pay: creditSettlementDay,
  click_to_pay: creditSettlementDay,
  voucher: creditSettlementDay,
  debit: nextDay,
  boleto: nextDay,
  nupay: nextDay,
  drip: nextDay,
  picpay: nextDay,
  pix: sameDay,
};

/** The day in São Paulo on which instalment `installment` (from 1) of a sale can be used. */
export function paymentDateOf(paymentType: string, capturedOn: CivilDate, installment: number): CivilDate {
  const dateOf = PAYMENT_DATES[paymentType];
  if (!dateOf) throw new Error(`no payment date for ${paymentType}`);
  return dateOf(capturedOn, installment);
}
