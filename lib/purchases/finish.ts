import type { Context } from "@/lib/context";
import { type ClaimedOperation, take } from "@/lib/purchases/claim";
import {
  announcePurchase,
  insertOperation,
  moveOperation,
  movePurchase,
  withOperation,
} from "@/lib/purchases/operations";
import { chained, type OperationEnd, purchaseEnd } from "@/lib/purchases/plan";
import type { Purchase } from "@/lib/purchases/queries";

/** Ends the operation, and the purchase with it; a chained operation begins in the same transaction. */
export async function finishOperation(
  ctx: Context,
  held: ClaimedOperation,
  fact: OperationEnd,
): Promise<ClaimedOperation | undefined> {
  const error = fact.endsWith(".failed") ? (held.operation.error ?? reasonOf(held.purchase)) : null;
  const operation = await moveOperation(ctx, held.operation, fact, {
    leaseUntil: null,
    runAt: null,
    error,
  });
  const purchase = await endPurchase(ctx, withOperation(held.purchase, operation), fact, operation.requestedBy);
  const next = chained(purchase.row.capture, fact);
  if (!next) return undefined;
  const free = await insertOperation(ctx, purchase.row.id, { type: next, requestedBy: "system" });
  return take(ctx, purchase, free);
}

const reasonOf = ({ payments }: Purchase): string | null =>
  payments.find(({ declineReason }) => declineReason !== null)?.declineReason ?? null;

async function endPurchase(
  ctx: Context,
  purchase: Purchase,
  fact: OperationEnd,
  requestedBy: "client" | "system",
): Promise<Purchase> {
  const ended = purchaseEnd(purchase.row.status, purchase.payments, fact, requestedBy);
  if (!ended) return purchase;
  const moved = { ...purchase, row: await movePurchase(ctx, purchase.row, ended.fact) };
  if (ended.event) await announcePurchase(ctx, moved, ended.event);
  return moved;
}
