import { sql } from "drizzle-orm";
import { type OperationType, purchaseOperations, purchases } from "@/db/schema/purchases";
import { type Changes, insertReturning, updateReturning } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { pipelined } from "@/lib/pipeline";
import { operationMachine, purchaseMachine } from "@/lib/purchases/machine";
import { recordMove } from "@/lib/purchases/moves";
import { isActive, type OperationRow, type Purchase, type PurchaseRow } from "@/lib/purchases/queries";
import { purchaseBody } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";
import { type SessionPlace, settlePlace } from "@/lib/sessions/places";

export const OPERATION_REQUESTED = "purchase/operation.requested";

export interface NewOperation {
  type: OperationType;
  requestedBy: "client" | "system";
  /** A refund of one card only. */
  part?: {
    slotIndex: number;
    amount: number;
    splitRules?: { sellerId: string; amount: number }[];
  };
}

/** The database's clock: leases and due operations go by no other. */
export const PRESENT = sql`now()`;

/** Row O1. A unique index refuses a second active operation, whoever asks. */
export async function insertOperation(ctx: Context, purchaseId: string, given: NewOperation): Promise<OperationRow> {
  const at = now(ctx);
  const [operation] = await insertReturning(ctx.db, purchaseOperations, [
    {
      id: newId(),
      clientId: ctx.account.id,
      purchaseId,
      type: given.type,
      requestedBy: given.requestedBy,
      ...given.part,
      scenario: ctx.scenario ?? null,
      runAt: PRESENT,
      createdAt: at,
      updatedAt: at,
    },
  ]);
  if (!operation) throw new Error("the operation was not written");
  return operation;
}

/** Tells the engine: a worker begins at once. Without it the sweep would, within a minute. */
export const announceOperation = (ctx: Context, operation: OperationRow): Promise<void> =>
  enqueue(ctx.db, ctx.account.id, OPERATION_REQUESTED, { clientId: ctx.account.id, operationId: operation.id });

/** Ends, or claims, the operation; every write carries the epoch, and a stale one throws. */
export async function moveOperation(
  ctx: Context,
  operation: OperationRow,
  fact: string,
  changes: Changes<typeof purchaseOperations> = {},
): Promise<OperationRow> {
  const { id, purchaseId, epoch, status } = operation;
  const [[moved]] = await pipelined([
    updateReturning(
      ctx.db,
      purchaseOperations,
      { ...changes, status: operationMachine.next(status, fact), updatedAt: now(ctx) },
      { id, epoch, status },
    ),
    recordMove(ctx, purchaseId, "operation", operationMachine.row(status, fact), { operationId: id }),
  ]);
  if (!moved) throw new OperationLost();
  return moved;
}

/** Somebody else works on the operation now: stop at once, everything they need is in the database. */
export class OperationLost extends Error {}

export async function movePurchase(
  ctx: Context,
  row: PurchaseRow,
  fact: string,
  changes: Partial<typeof purchases.$inferInsert> = {},
): Promise<PurchaseRow> {
  const { id, status } = row;
  const [[moved]] = await pipelined([
    updateReturning(
      ctx.db,
      purchases,
      { ...changes, status: purchaseMachine.next(status, fact), updatedAt: now(ctx) },
      { id, status },
    ),
    recordMove(ctx, id, "purchase", purchaseMachine.row(status, fact), {}),
  ]);
  if (!moved) throw new OperationLost();
  if (moved.sessionId) {
    await settlePlace(ctx, moved.sessionId, placeOfPurchase(row, row), placeOfPurchase(row, moved), "paymentFailed");
  }
  return moved;
}

/** Captured money that a rollback gave back was never a payment; a paid purchase that is voided was one. */
export function placeOfPurchase(
  before: Pick<PurchaseRow, "status">,
  { status }: Pick<PurchaseRow, "status">,
): SessionPlace {
  if (status === "cancelled") return before.status === "paid" ? "returned" : "free";
  return status === "pending" ? "reserved" : status === "paid" ? "paid" : "free";
}

export type PurchaseEvent = "pending" | "paid" | "failed" | "cancelled" | "pending_review";

/** In the transaction of the change, with the snapshot right after it. The purchase's row lock is held. */
export const announcePurchase = (ctx: Context, purchase: Purchase, event: PurchaseEvent, isFirst = false) =>
  emit(ctx, {
    object: "purchase",
    event,
    entityId: purchase.row.id,
    data: purchaseBody.parse(serializePurchase(purchase)),
    ...(isFirst ? { previous: { version: 0, at: null } } : {}),
  });

export const withOperation = (purchase: Purchase, operation: OperationRow): Purchase => ({
  ...purchase,
  active: isActive(operation) ? operation : undefined,
});
