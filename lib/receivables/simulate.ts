import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Brand } from "@/lib/brazil/card-brand";
import { type Cents, splitShares } from "@/lib/money";
import { receivablesOf } from "@/lib/receivables/shares";
import { type Rate, type RateRow, rateFor, rateMethodOf } from "@/lib/sale-plans/rates";
import { cutToShare, feesOf } from "@/lib/splits/fees";

export interface SimulatedSale {
  amount: Cents;
  paymentType: string;
  installments: number;
  brand: Brand | undefined;
  /** The day of its capture in São Paulo. */
  day: CivilDate;
  /** The seller's part, in basis points. */
  shareBps: number;
}

export interface SimulatedPart {
  gross: Cents;
  fee: Cents;
  net: Cents;
}

export interface ReceivableSimulation {
  seller: SimulatedPart;
  merchant: SimulatedPart;
  /** The row that decided the fee; undefined where none fits. */
  rate: Rate | undefined;
  days: { day: CivilDate; seller: Cents; merchant: Cents }[];
}

const SELLER = "seller";

/** Who would get what and when, if one seller on this plan bore the fee: by the functions that book a real sale. */
export function simulateSale(rates: readonly RateRow[], sale: SimulatedSale): ReceivableSimulation {
  const { amount, paymentType, installments, brand, day, shareBps } = sale;
  const { rules, merchant } = splitShares(amount, [{ bps: shareBps }]);
  const gross = rules[0] ?? 0;
  const rate = rateFor(rates, { method: rateMethodOf(paymentType), brand, installments, day });
  const [fee] = feesOf(
    [{ sellerId: SELLER, processingFee: true, chargeEntireFee: false, fareMdrBps: null, fareFee: null }],
    [gross],
    amount,
    { platform: undefined, plans: new Map([[SELLER, rate]]), faresRefundable: "none" },
  );
  const processing = fee ? cutToShare(fee, gross).processing : 0;
  const receivables = receivablesOf(
    [
      { party: SELLER, gross, processingFee: processing, fares: 0 },
      { party: null, gross: merchant, processingFee: 0, fares: 0 },
    ].filter((share) => share.gross > 0),
    { paymentType, paymentArrangement: null, installments, capturedOn: day },
  );
  const days = [...new Set(receivables.map(({ paymentDate }) => paymentDate))].toSorted();
  const netOn = (on: CivilDate, party: string | null): Cents =>
    receivables
      .filter(({ paymentDate, sellerId }) => paymentDate === on && sellerId === party)
      .reduce((sum, receivable) => sum + receivable.gross - receivable.fee, 0);
  return {
    seller: { gross, fee: processing, net: gross - processing },
    merchant: { gross: merchant, fee: 0, net: merchant },
    rate,
    days: days.map((on) => ({ day: on, seller: netOn(on, SELLER), merchant: netOn(on, null) })),
  };
}
