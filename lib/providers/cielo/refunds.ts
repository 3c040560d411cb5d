import { instantOf } from "@/lib/providers/cielo/dates";
import type { WirePayment, WireRefund } from "@/lib/providers/cielo/wire";
import type { ProviderRefund } from "@/lib/providers/provider";
import { attributed, doneOf, type KnownRefund, type Listed, type Mark, takenBy } from "@/lib/providers/refund-marks";

const DONE = 3;
const FAILED: readonly number[] = [4, 5];

/**
 * Refunds of a payment, each with the reference of who asked for it; undefined where the record contradicts itself. A list
 * with states decides where there is one. Otherwise the sum of what went back is held against what the books know.
 */
export function refundsOf(own: WirePayment, known: readonly KnownRefund[]): ProviderRefund[] | undefined {
  const sum = own.VoidedAmount ?? 0;
  if (!own.Refunds || own.Refunds.length === 0) return bySum(own, sum, known);
  const listed = own.Refunds.map((one, index) => listedOf(own, one, index)).sort((a, b) => a.at.localeCompare(b.at));
  if (own.VoidedAmount != null && (sum < doneOf(listed) || sum > takenBy(listed))) return undefined;
  return attributed(listed, marksOf(known));
}

const listedOf = (own: WirePayment, { Amount, Status, ReceivedDate }: WireRefund, index: number): Listed => ({
  refundId: `${own.PaymentId}-${index + 1}`,
  amount: Amount,
  status: Status === DONE ? "done" : FAILED.includes(Status) ? "failed" : "pending",
  at: instantOf(ReceivedDate ?? own.ReceivedDate).toISOString(),
});

/** What had gone back, as the books have it, when each was asked for. */
function marksOf(known: readonly KnownRefund[]): Mark[] {
  let before = 0;
  return known.flatMap(({ reference, amount, at }) => {
    const mark = { reference: reference ?? "", before, amount, at: Date.parse(at) };
    before += amount;
    return reference === undefined ? [] : [mark];
  });
}

/** What the books have is taken off the sum, what is done first; what is left over was done by somebody else. */
function bySum(own: WirePayment, sum: number, known: readonly KnownRefund[]): ProviderRefund[] {
  const at = instantOf(own.VoidedDate ?? own.ReceivedDate).toISOString();
  let left = sum;
  const refunds: ProviderRefund[] = [];
  for (const one of known.toSorted((a, b) => Number(b.isDone) - Number(a.isDone))) {
    const isCovered = one.amount <= left;
    if (!isCovered && !one.isAccepted) continue;
    if (isCovered) left -= one.amount;
    refunds.push({
      refundId: one.refundId ?? refundIdOf(own, one.reference ?? ""),
      ...(one.reference === undefined ? {} : { reference: one.reference }),
      amount: one.amount,
      status: isCovered ? "done" : "pending",
      at: one.at,
    });
  }
  if (left > 0) refunds.push({ refundId: `${own.PaymentId}-${sum}`, amount: left, status: "done", at });
  return refunds;
}

export const refundIdOf = ({ PaymentId }: Pick<WirePayment, "PaymentId">, reference: string): string =>
  `${PaymentId}-${reference}`;

/** Gone back, or on its way, as far as the record shows. */
export const returnedOf = (own: WirePayment): number | undefined => {
  const all = refundsOf(own, []);
  return all && takenBy(all);
};
