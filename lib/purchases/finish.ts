import type { Context } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";
import { type ClaimedOperation, take } from "@/lib/purchases/claim";
import {
  announcePurchase,
  beginningOperation,
  movingOperation,
  movingPurchase,
  withOperation,
  writeMoves,
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
  const { after, writes } = movingOperation(ctx, held.operation, fact, { leaseUntil: null, runAt: null, error });
  const [, purchase] = await pipelined([
    writeMoves(ctx, writes),
    endPurchase(ctx, withOperation(held.purchase, after), fact, after.requestedBy),
  ]);
  const next = chained(purchase.row.capture, fact);
  if (!next) return undefined;
  const { after: free, writes: begun } = beginningOperation(ctx, purchase.row.id, {
    type: next,
    requestedBy: "system",
  });
  const [, taken] = await pipelined([writeMoves(ctx, begun), take(ctx, purchase, free)]);
  return taken;
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
  const { after: row, written } = movingPurchase(ctx, purchase.row, ended.fact);
  const moved = { ...purchase, row };
  await pipelined([written, ended.event ? announcePurchase(ctx, moved, ended.event) : undefined]);
  return moved;
}
