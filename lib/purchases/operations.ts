import { is, SQL, sql } from "drizzle-orm";
import { type OperationType, purchaseOperations, purchases } from "@/db/schema/purchases";
import { type Changes, insertReturning, updateReturning } from "@/db/statements";
import { changedRow } from "@/db/stored";
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
  /** Where something else names it in the same round trip. */
  id?: string;
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
      id: given.id ?? newId(),
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
export const announceOperation = (ctx: Context, { id }: Pick<OperationRow, "id">): Promise<void> =>
  enqueue(ctx.db, ctx.account.id, OPERATION_REQUESTED, { clientId: ctx.account.id, operationId: id });

/** What will be once its statements are answered: what follows leaves with them, and nothing commits before `written`. */
export interface Moving<T> {
  after: T;
  written: Promise<unknown>;
}

/** Ends, or claims, the operation; every write carries the epoch, and a stale one throws. */
export function movingOperation(
  ctx: Context,
  operation: OperationRow,
  fact: string,
  changes: Changes<typeof purchaseOperations> = {},
): Moving<OperationRow> {
  const { id, purchaseId, status } = operation;
  const all = { ...changes, status: operationMachine.next(status, fact), updatedAt: now(ctx) };
  const written = pipelined([
    changeOperation(ctx, operation, all),
    recordMove(ctx, purchaseId, "operation", operationMachine.row(status, fact), { operationId: id }),
  ]);
  return { after: changedRow(purchaseOperations, operation, known(all)), written };
}

export async function moveOperation(...moved: Parameters<typeof movingOperation>): Promise<OperationRow> {
  const { after, written } = movingOperation(...moved);
  await written;
  return after;
}

async function changeOperation(
  ctx: Context,
  { id, epoch, status }: OperationRow,
  changes: Changes<typeof purchaseOperations>,
): Promise<void> {
  const [moved] = await updateReturning(ctx.db, purchaseOperations, changes, { id, epoch, status });
  if (!moved) throw new OperationLost();
}

/** What the database's clock says of leases is compared nowhere else. */
const known = (changes: Changes<typeof purchaseOperations>): Partial<typeof purchaseOperations.$inferInsert> =>
  // Guarantee: without the expressions, values remain.
  Object.fromEntries(Object.entries(changes).filter(([, value]) => !is(value, SQL)));

/** Somebody else works on the operation now: stop at once, everything they need is in the database. */
export class OperationLost extends Error {}

export function movingPurchase(
  ctx: Context,
  row: PurchaseRow,
  fact: string,
  changes: Partial<typeof purchases.$inferInsert> = {},
): Moving<PurchaseRow> {
  const all = { ...changes, status: purchaseMachine.next(row.status, fact), updatedAt: now(ctx) };
  const moved = changedRow(purchases, row, all);
  const { id, sessionId } = moved;
  const places = [placeOfPurchase(row, row), placeOfPurchase(row, moved)] as const;
  const written = pipelined([
    changePurchase(ctx, row, all),
    recordMove(ctx, id, "purchase", purchaseMachine.row(row.status, fact), {}),
    sessionId ? settlePlace(ctx, sessionId, ...places, "paymentFailed") : undefined,
  ]);
  return { after: moved, written };
}

export async function movePurchase(...moved: Parameters<typeof movingPurchase>): Promise<PurchaseRow> {
  const { after, written } = movingPurchase(...moved);
  await written;
  return after;
}

async function changePurchase(
  ctx: Context,
  { id, status }: PurchaseRow,
  changes: Partial<typeof purchases.$inferInsert>,
): Promise<void> {
  const [moved] = await updateReturning(ctx.db, purchases, changes, { id, status });
  if (!moved) throw new OperationLost();
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
