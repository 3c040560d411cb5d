import { stampOf } from "@/lib/providers/cielo/dates";
import type { WirePayment, WireRefund } from "@/lib/providers/cielo/wire";
import type { ProviderRefund } from "@/lib/providers/provider";
import {
  attributed,
  doneOf,
  type KnownRefund,
  type Listed,
  type RefundMark,
  takenBy,
} from "@/lib/providers/refund-marks";

const DONE = 3;
const FAILED: readonly number[] = [4, 5];

/**
 * Refunds of a payment, each with the reference of who asked for it; undefined where the record contradicts itself. A list
 * with states decides where there is one. Otherwise the sum of what went back is held against what the books know.
 */
export function refundsOf(own: WirePayment, known: readonly KnownRefund[]): ProviderRefund[] | undefined {
  const sum = own.VoidedAmount ?? 0;
  if (!own.Refunds || own.Refunds.length === 0) return bySum(own, sum, known);
  // In the order of time whatever that of the list: one that comes later leaves the names of the others as they were.
  const listed = own.Refunds.map((one) => ({ one, at: stampOf(one.ReceivedDate ?? own.ReceivedDate) }))
    .sort((a, b) => a.at.localeCompare(b.at))
    .map(({ one, at }, index) => listedOf(own, one, at, index));
  if (own.VoidedAmount != null && (sum < doneOf(listed) || sum > takenBy(listed))) return undefined;
  return named(attributed(listed, marksOf(known)), known);
}

const listedOf = (own: WirePayment, { Amount, Status }: WireRefund, at: string, index: number): Listed => ({
  refundId: `${own.PaymentId}-${index + 1}`,
  amount: Amount,
  status: Status === DONE ? "done" : FAILED.includes(Status) ? "failed" : "pending",
  at,
});

/** What nobody here asked for keeps the name it was found under, also when only the sum was shown then. */
function named(refunds: readonly ProviderRefund[], known: readonly KnownRefund[]): ProviderRefund[] {
  const left = known.filter(({ reference, refundId }) => reference === undefined && refundId !== undefined);
  const taken = (fits: (one: KnownRefund) => boolean): string | undefined => {
    const place = left.findIndex(fits);
    return place < 0 ? undefined : left.splice(place, 1)[0]?.refundId;
  };
  const isOthers = ({ reference, status }: ProviderRefund): boolean => reference === undefined && status !== "failed";
  const same = refunds.map((one) =>
    isOthers(one) ? taken(({ refundId, amount }) => refundId === one.refundId && amount === one.amount) : undefined,
  );
  return refunds.map((one, index) => {
    if (!isOthers(one) || same[index] !== undefined) return one;
    return { ...one, refundId: taken(({ amount }) => amount === one.amount) ?? one.refundId };
  });
}

/** What had gone back, as the books have it, when each was asked for. */
function marksOf(known: readonly KnownRefund[]): RefundMark[] {
  let before = 0;
  return known.flatMap(({ reference, amount, at }) => {
    const mark = { reference: reference ?? "", before, amount, at: Date.parse(at) };
    before += amount;
    return reference === undefined ? [] : [mark];
  });
}

/**
 * What the books have is taken off the sum, what is done first; what is left over was done by somebody else. One that was
 * refused when it was asked for is not taken off another's.
 */
function bySum(own: WirePayment, sum: number, known: readonly KnownRefund[]): ProviderRefund[] {
  const at = stampOf(own.VoidedDate ?? own.ReceivedDate);
  let left = sum;
  const refunds: ProviderRefund[] = [];
  for (const one of known.toSorted((a, b) => Number(b.isDone) - Number(a.isDone))) {
    const isCovered = one.isRefused ? one.amount === left : one.amount <= left;
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
