import type { Write } from "@/db/writes";
import type { Context } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";
import { type ClaimedOperation, takingOperation } from "@/lib/purchases/claim";
import {
  beginningOperation,
  leaveMoves,
  leaveNews,
  movePlace,
  movingOperation,
  movingPurchase,
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
  const { after, writes } = movingOperation(ctx, held.operation, fact, { leaseUntil: null, runAt: null, error });
  const purchase = await endPurchase(ctx, withOperation(held.purchase, after), { fact, writes, by: after.requestedBy });
  const next = chained(purchase.row.capture, fact);
  if (!next) return undefined;
  const begun = beginningOperation(ctx, purchase.row.id, { type: next, requestedBy: "system" });
  const taken = takingOperation(ctx, purchase, begun.after);
  // One after the other: a statement does not see the row that it makes.
  leaveMoves(ctx, begun.writes);
  leaveMoves(ctx, taken.writes);
  return taken.after;
}

const reasonOf = ({ payments }: Purchase): string | null =>
  payments.find(({ declineReason }) => declineReason !== null)?.declineReason ?? null;

interface Ending {
  fact: OperationEnd;
  /** Of the operation that ends. */
  writes: readonly Write[];
  by: "client" | "system";
}

async function endPurchase(ctx: Context, purchase: Purchase, { fact, writes, by }: Ending): Promise<Purchase> {
  const ended = purchaseEnd(purchase.row.status, purchase.payments, fact, by);
  if (!ended) {
    leaveMoves(ctx, writes);
    return purchase;
  }
  const { after: row, writes: moving } = movingPurchase(ctx, purchase.row, ended.fact);
  const moved = { ...purchase, row };
  leaveMoves(ctx, [...writes, ...moving]);
  await pipelined([movePlace(ctx, purchase.row, row), ended.event ? leaveNews(ctx, moved, ended.event) : undefined]);
  return moved;
}
