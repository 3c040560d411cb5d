import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Party } from "@/lib/ledger/accounts";
import type { NewReceivable } from "@/lib/ledger/post";
import { type Cents, instalments, matrix, sumOf } from "@/lib/money";
import { paymentDateOf } from "@/lib/receivables/payment-dates";

/** What one party has in a captured amount, and what it pays for it. */
export interface Share {
  party: Party;
  gross: Cents;
  processingFee: Cents;
  fares: Cents;
}

export interface SoldOn {
  paymentType: string;
  paymentArrangement: string | null;
  installments: number;
  /** Which bears what does not divide; the first unless said. */
  remainder?: "first" | "last";
  capturedOn: CivilDate;
}

/** One receivable for each party and instalment, each instalment's sum what the provider pays then. */
export function receivablesOf(shares: readonly Share[], sale: SoldOn): NewReceivable[] {
  const { installments: count, paymentType, paymentArrangement } = sale;
  const total = sumOf(shares.map(({ gross }) => gross));
  const gross = matrix(
    shares.map((share) => share.gross),
    instalments(total, count, sale.remainder),
  );
  const fees = feesOf(shares, gross, count);
  return shares.flatMap(({ party }, row) =>
    Array.from({ length: count }, (_, column) => {
      const paymentDate = paymentDateOf(sale, column + 1);
      return {
        sellerId: party,
        type: "credit" as const,
        status: "waiting_funds" as const,
        installment: column + 1,
        installments: count,
        gross: gross[row]?.[column] ?? 0,
        fee: fees[row]?.[column] ?? 0,
        anticipationFee: 0,
        paymentMethod: paymentType,
        paymentArrangement,
        paymentDate,
        originalPaymentDate: paymentDate,
        reduces: null,
        availableAt: null,
      };
    }).filter((receivable) => receivable.gross > 0),
  );
}

/** Processing fee and fares over the instalments (spec/money.md section 3), none above its gross (rulings, 92). */
function feesOf(shares: readonly Share[], gross: readonly Cents[][], count: number): Cents[][] {
  const parts = shares.map(({ processingFee }) => processingFee);
  const processing = matrix(parts, instalments(sumOf(parts), count));
  return shares.map(({ fares }, row) => {
    const ofFares = instalments(fares, count);
    const fees = (processing[row] ?? []).map((fee, column) => fee + (ofFares[column] ?? 0));
    return withinGross(fees, gross[row] ?? []);
  });
}

/** What an instalment cannot bear goes to the next; what the last cannot, to the one before. */
function withinGross(fees: readonly Cents[], gross: readonly Cents[]): Cents[] {
  if (sumOf(fees) > sumOf(gross)) throw new RangeError("the fees of a share exceed it");
  const forward = carried(fees, gross);
  return carried(forward.reverse(), [...gross].reverse()).reverse();
}

function carried(fees: readonly Cents[], gross: readonly Cents[]): Cents[] {
  let over = 0;
  const kept = fees.map((fee, index) => {
    const due = fee + over;
    const borne = index === fees.length - 1 ? due : Math.min(due, gross[index] ?? 0);
    over = due - borne;
    return borne;
  });
  return kept;
}
