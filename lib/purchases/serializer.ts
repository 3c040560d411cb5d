import type { OperationRow, PaymentRow, Purchase, PurchaseRow } from "@/lib/purchases/queries";
import type { PurchaseBody } from "@/lib/purchases/schema";

/** The only place where a purchase becomes a wire object; `accepted` is the operation of a 202 answer. */
export function serializePurchase({ row, payments, active }: Purchase, accepted?: OperationRow): PurchaseBody {
  return {
    id: row.id,
    merchantId: row.merchantId,
    amount: row.amount,
    currency: "BRL",
    capture: row.capture,
    status: row.status,
    ...(row.reviewReason && row.reviewSince
      ? { pendingReview: { reason: row.reviewReason, since: row.reviewSince } }
      : {}),
    ...(accepted ? { operation: serializeOperation(accepted) } : {}),
    ...(active && !accepted ? { activeOperation: serializeOperation(active) } : {}),
    orderId: row.orderId,
    sessionId: row.sessionId,
    ...(row.metadata ? { metadata: row.metadata } : {}),
    ...(row.splitRules ? { splitRules: row.splitRules } : {}),
    payments: payments.map(serializePayment),
    createdAt: row.createdAt,
    updatedAt: lastChange(row, payments),
  };
}

/** Whatever of it changed last: the order, or one of its cards. */
const lastChange = (row: PurchaseRow, payments: readonly PaymentRow[]): Date =>
  payments.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), row.updatedAt);

const serializeOperation = ({ id, type, status }: OperationRow) => ({ id, type, status });

const serializePayment = (slot: PaymentRow): PurchaseBody["payments"][number] => ({
  slotIndex: slot.slotIndex,
  amount: slot.amount,
  paymentMethod: { paymentType: "credit", installments: slot.installments },
  status: slot.status,
  ...(slot.chargeId ? { chargeId: slot.chargeId } : {}),
  ...(slot.declineReason ? { declineReason: slot.declineReason } : {}),
  refundedAmount: slot.refundedAmount,
  paymentSource:
    slot.sourceType === "card"
      ? { sourceType: "card", cardId: slot.cardId ?? "" }
      : { sourceType: "token", tokenId: slot.tokenId ?? "" },
  ...(slot.card ? { card: slot.card } : {}),
  ...(slot.splitRules ? { splitRules: slot.splitRules } : {}),
});
