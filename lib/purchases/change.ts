import { runText } from "@/db/driver/run-text";
import { auditing } from "@/lib/audit";
import { type Context, sqlState } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { pipelined } from "@/lib/pipeline";
import {
  announcingOperation,
  beginningOperation,
  leaveMoves,
  type NewOperation,
  withOperation,
} from "@/lib/purchases/operations";
import { lockPurchase, type OperationRow, type Purchase, purchaseNotFound } from "@/lib/purchases/queries";

const SHORT_WAIT = "set local lock_timeout = '2s'";
const LOCK_RETRY_SECONDS = 1;
/** Three cards take about this long. */
const OPERATION_RETRY_SECONDS = 5;
const LOCK_NOT_AVAILABLE = "55P03";

export interface Changed {
  purchase: Purchase;
  operation: OperationRow;
}

/** Takes what every card holds: only when capture was left to the client and all cards are held. */
export async function capturePurchase(
  ctx: Context,
  id: string,
  given: { amount?: number | undefined },
): Promise<Changed> {
  const purchase = await lockIdle(ctx, id);
  const { row, payments } = purchase;
  const isHeld = payments.every(({ status }) => status === "pre_authorized");
  if (row.reviewReason || row.status !== "pending" || row.capture || !isHeld) throw invalidState(purchase, "captured");
  if (given.amount !== undefined && given.amount !== row.amount) {
    throw new DomainError("purchase_intent_mismatch", "a purchase is captured in full");
  }
  return request(ctx, purchase, { type: "capture", requestedBy: "client" });
}

/** Releases what the cards hold, or gives back what they paid. */
export async function voidPurchase(ctx: Context, id: string): Promise<Changed> {
  const purchase = await lockIdle(ctx, id);
  const { row } = purchase;
  if (row.reviewReason || (row.status !== "pending" && row.status !== "paid")) throw invalidState(purchase, "voided");
  return request(ctx, purchase, { type: row.status === "paid" ? "refund" : "void", requestedBy: "client" });
}

async function request(ctx: Context, purchase: Purchase, asked: NewOperation): Promise<Changed> {
  const { after: operation, writes } = beginningOperation(ctx, purchase.row.id, asked);
  leaveMoves(ctx, [
    ...writes,
    announcingOperation(ctx, operation),
    auditing(ctx, { action: `purchase.${asked.type}`, object: "purchase", objectId: purchase.row.id }),
  ]);
  return { purchase: withOperation(purchase, operation), operation };
}

/** The purchase, locked, with nothing running on it: of any number that try at once, one goes on. */
export async function lockIdle(ctx: Context, id: string): Promise<Purchase> {
  const purchase = await lockSoon(ctx, id);
  if (!purchase) throw purchaseNotFound();
  if (purchase.active) throw inProgress(OPERATION_RETRY_SECONDS);
  return purchase;
}

async function lockSoon(ctx: Context, id: string): Promise<Purchase | undefined> {
  try {
    const [, locked] = await pipelined([runText(ctx.db, SHORT_WAIT, []), lockPurchase(ctx, id)]);
    return locked;
  } catch (thrown) {
    if (sqlState(thrown) === LOCK_NOT_AVAILABLE) throw inProgress(LOCK_RETRY_SECONDS);
    throw thrown;
  }
}

const inProgress = (retryAfterSeconds: number): DomainError =>
  new DomainError("purchase_operation_in_progress", "an operation of this purchase is running", { retryAfterSeconds });

const invalidState = ({ row }: Purchase, done: string): DomainError =>
  new DomainError(
    "purchase_invalid_state",
    row.reviewReason ? `a purchase under review cannot be ${done}` : `this ${row.status} purchase cannot be ${done}`,
  );
