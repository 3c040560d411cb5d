import type { ReceivableType } from "@/db/schema/receivables";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Party } from "@/lib/ledger/accounts";
import type { NewReceivable } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";
import { allocate } from "@/lib/money";
import { paymentArrangementOf } from "@/lib/receivables/arrangement";
import type { GivenBack } from "@/lib/receivables/giving-back";
import type { Movement } from "@/lib/receivables/movements";

/** The merchant's own, unless said otherwise: taken from money that was released already, or given to it. */
export function takenAtOnce(
  { charge: { row, brand } }: Movement,
  type: ReceivableType,
  at: Date,
): Omit<NewReceivable, "gross"> {
  const day = saoPauloDay(at);
  return {
    sellerId: null,
    type,
    status: "paid",
    installment: null,
    installments: row.installments ?? 1,
    fee: 0,
    anticipationFee: 0,
    paymentMethod: row.paymentType,
    paymentArrangement: paymentArrangementOf(row.paymentType, brand),
    paymentDate: day,
    originalPaymentDate: day,
    reduces: null,
    availableAt: at,
  };
}

/** What a party gave back, row by row: of instalments that wait, and of what was released. The fee comes back with it. */
export function refundRows(
  of: Movement,
  party: Party,
  { reductions, available }: Pick<GivenBack, "reductions" | "available">,
  feeReturned: Cents,
  at: Date,
): NewReceivable[] {
  const debit = takenAtOnce(of, "refund", at);
  const rows = [
    ...reductions.map((reduction) => ({ ...debit, ...reduction.receivable, net: reduction.amount })),
    ...(available > 0 ? [{ ...debit, net: available }] : []),
  ];
  if (rows.length === 0) return [];
  const fees =
    feeReturned > 0
      ? allocate(
          feeReturned,
          rows.map(({ net }) => net),
        )
      : rows.map(() => 0);
  return rows.map(({ net, ...row }, index) => {
    const fee = fees[index] ?? 0;
    return { ...row, sellerId: party, gross: -(net + fee), fee: -fee };
  });
}
