import type { ReceivableType } from "@/db/schema/receivables";
import { linkToBatch } from "@/lib/payouts/links";
import type { BatchRow, LineRow, OrderRow } from "@/lib/payouts/queries";
import type { BatchBody, LineBody, OrderBody } from "@/lib/payouts/schema";

/** With a link to its lines that lasts 30 days from then. */
export const serializeBatch = (
  { clientId, currency: _currency, errorReason, ...row }: BatchRow,
  at: Date,
): BatchBody => ({
  ...row,
  reportUrl: linkToBatch({ id: row.id, clientId }, at),
  error: errorReason === null ? null : { reason: errorReason },
});

const ORDER_TYPES: Readonly<Record<ReceivableType, OrderBody["type"]>> = {
  credit: "authorization",
  refund: "void",
  refund_reversal: "void",
  chargeback: "charge_back",
  chargeback_refund: "charge_back",
};

export const serializeOrder = ({ row, place }: OrderRow): OrderBody => {
  const totalFeeAmount = row.fee + row.anticipationFee;
  return {
    id: row.id,
    chargeId: row.chargeId,
    sellerId: row.sellerId,
    type: ORDER_TYPES[row.type],
    amount: row.gross - totalFeeAmount,
    grossAmount: row.gross,
    totalFeeAmount,
    currency: row.currency,
    installment: row.installment,
    totalInstallments: row.installments,
    paymentMethod: row.paymentMethod,
    paymentArrangement: row.paymentArrangement,
    paymentScheduledAt: row.paymentDate,
    paymentBatchId: place?.batchId ?? null,
    previousBatchId: place?.previousBatchId ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
};

export const serializeLine = (line: LineRow): LineBody => ({
  id: line.id,
  type: line.type,
  amount: line.amount,
  chargeId: line.chargeId,
  orderId: line.sourceType === "receivable" ? line.sourceId : null,
  previousBatchId: line.previousBatchId,
  source: { type: line.sourceType, id: line.sourceId },
});
