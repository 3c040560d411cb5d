import { effectiveRate, FULL_BPS, sumOf } from "@/lib/money";
import type { ItemRow, Prepayment } from "@/lib/prepayments/queries";
import type { PrepaymentBody } from "@/lib/prepayments/schema";

/** A pending one whose time is over reads expired. */
export const serializePrepayment = ({ row, items }: Prepayment, at: Date): PrepaymentBody => ({
  id: row.id,
  sellerId: row.sellerId,
  status: row.status === "pending" && row.expiresAt < at ? "expired" : row.status,
  automatic: row.automatic,
  grossAmount: row.grossAmount,
  netAmount: row.netAmount,
  markupAmount: row.markupAmount,
  feeAmount: row.feeAmount,
  effectiveRate: effectiveRate(row.grossAmount, row.feeAmount + row.markupAmount),
  monthlyRate: row.monthlyRateBps / FULL_BPS,
  markup: row.markupBps / FULL_BPS,
  expiresAt: row.expiresAt,
  endDate: row.endDate,
  receiptDates: row.receiptDates,
  paymentDate: row.paymentDate,
  groups: groupsOf(items),
  items: items.map((item) => ({
    receivableUnitExternalId: item.receivableId,
    grossAmount: item.grossAmount,
    netAmount: item.netAmount,
    markupAmount: item.markupAmount,
    feeAmount: item.feeAmount,
    daysToAnticipate: item.daysToAnticipate,
    settlementDate: item.settlementDate,
    paymentArrangement: item.paymentArrangement,
  })),
  createdAt: row.createdAt,
});

function groupsOf(items: readonly ItemRow[]): PrepaymentBody["groups"] {
  const days = new Map<string, ItemRow[]>();
  for (const item of items) {
    const known = days.get(item.settlementDate);
    if (known) known.push(item);
    else days.set(item.settlementDate, [item]);
  }
  return [...days].map(([receiptDate, own]) => ({
    receiptDate,
    receivableCount: own.length,
    grossAmount: sumOf(own.map(({ grossAmount }) => grossAmount)),
    netAmount: sumOf(own.map(({ netAmount }) => netAmount)),
    markupAmount: sumOf(own.map(({ markupAmount }) => markupAmount)),
    feeAmount: sumOf(own.map(({ feeAmount }) => feeAmount)),
  }));
}
