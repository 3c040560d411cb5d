import { is, SQL, sql } from "drizzle-orm";
import { type OperationType, purchaseOperations, purchases } from "@/db/schema/purchases";
import type { Changes } from "@/db/statements";
import { changedRow, storedRow } from "@/db/stored";
import { change, insertion, type Write, writeTogether } from "@/db/writes";
import { type Context, isMissedWrite, leaveWithCommit, now } from "@/lib/context";
import { emission, emit, lastEventOf } from "@/lib/events";
import { newId } from "@/lib/ids";
import { enqueueing } from "@/lib/outbox";
import { pipelined } from "@/lib/pipeline";
import { operationMachine, purchaseMachine } from "@/lib/purchases/machine";
import { recordedMove } from "@/lib/purchases/moves";
import { isActive, type OperationRow, type Purchase, type PurchaseRow } from "@/lib/purchases/queries";
import { purchaseBody } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";
import { type SessionPlace, settlePlace } from "@/lib/sessions/places";
import { realNow } from "@/lib/time";

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
export function beginningOperation(ctx: Context, purchaseId: string, given: NewOperation): Moving<OperationRow> {
  const at = now(ctx);
  const row = {
    id: newId(),
    clientId: ctx.account.id,
    purchaseId,
    type: given.type,
    requestedBy: given.requestedBy,
    ...given.part,
    scenario: ctx.scenario ?? null,
    createdAt: at,
    updatedAt: at,
  };
  return {
    // Only the database's clock is compared: this one is for whoever looks at the row in memory.
    after: storedRow(purchaseOperations, { ...row, runAt: realNow() }),
    writes: [insertion(purchaseOperations, { ...row, runAt: PRESENT })],
  };
}

export async function insertOperation(...begun: Parameters<typeof beginningOperation>): Promise<OperationRow> {
  const { after, writes } = beginningOperation(...begun);
  await writeMoves(begun[0], writes);
  return after;
}

/** Tells the engine: a worker begins at once. Without it the sweep would, within a minute. */
export const announcingOperation = ({ account }: Context, { id, purchaseId }: OperationRow): Write =>
  enqueueing(account.id, OPERATION_REQUESTED, { clientId: account.id, operationId: id, purchaseId });

/** What will be once its writes are made, by `writeMoves` or in the statement of what follows. */
export interface Moving<T> {
  after: T;
  writes: readonly Write[];
}

/** In one statement, each row at most once. A row that is no more as it was known stops whoever believed it. */
export async function writeMoves(ctx: Context, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  try {
    await writeTogether(ctx.db, writes);
  } catch (thrown) {
    if (isMissedWrite(thrown)) throw new OperationLost();
    throw thrown;
  }
}

/** The same for the last writes of a transaction (`leaveWithCommit`). */
export function leaveMoves(ctx: Context, writes: readonly Write[]): void {
  if (writes.length === 0) return;
  leaveWithCommit(ctx, writes, (thrown) => (isMissedWrite(thrown) ? new OperationLost() : thrown));
}

/** A row that is still as it was known. */
const MUST = { isMust: true } as const;

/** Ends, or claims, the operation; every write carries the epoch, and a stale one throws. */
export function movingOperation(
  ctx: Context,
  operation: OperationRow,
  fact: string,
  changes: Changes<typeof purchaseOperations> = {},
): Moving<OperationRow> {
  const { id, purchaseId, status } = operation;
  const all = { ...changes, status: operationMachine.next(status, fact), updatedAt: now(ctx) };
  const writes = [
    change(purchaseOperations, all, { id, epoch: operation.epoch, status }, MUST),
    recordedMove(ctx, purchaseId, "operation", operationMachine.row(status, fact), { operationId: id }),
  ];
  return { after: changedRow(purchaseOperations, operation, known(all)), writes };
}

export async function moveOperation(...moved: Parameters<typeof movingOperation>): Promise<OperationRow> {
  const { after, writes } = movingOperation(...moved);
  await writeMoves(moved[0], writes);
  return after;
}

/** What the database's clock says of leases is compared nowhere else. */
const known = (changes: Changes<typeof purchaseOperations>): Partial<typeof purchaseOperations.$inferInsert> =>
  // Guarantee: without the expressions, values remain.
  Object.fromEntries(Object.entries(changes).filter(([, value]) => !is(value, SQL)));

/** Somebody else works on the operation now: stop at once, everything they need is in the database. */
export class OperationLost extends Error {}

export async function movePurchase(
  ctx: Context,
  row: PurchaseRow,
  fact: string,
  changes: Partial<typeof purchases.$inferInsert> = {},
): Promise<PurchaseRow> {
  const { after, writes } = movingPurchase(ctx, row, fact, changes);
  await pipelined([writeMoves(ctx, writes), movePlace(ctx, row, after)]);
  return after;
}

export function movingPurchase(
  ctx: Context,
  row: PurchaseRow,
  fact: string,
  changes: Partial<typeof purchases.$inferInsert> = {},
): Moving<PurchaseRow> {
  const all = { ...changes, status: purchaseMachine.next(row.status, fact), updatedAt: now(ctx) };
  const writes = [
    change(purchases, all, { id: row.id, status: row.status }, MUST),
    recordedMove(ctx, row.id, "purchase", purchaseMachine.row(row.status, fact), {}),
  ];
  return { after: changedRow(purchases, row, all), writes };
}

/** Its place on its link, once it has moved. */
export async function movePlace(ctx: Context, from: PurchaseRow, to: PurchaseRow): Promise<void> {
  if (!to.sessionId) return;
  await settlePlace(ctx, to.sessionId, placeOfPurchase(from, from), placeOfPurchase(from, to), "paymentFailed");
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
export const announcePurchase = (ctx: Context, purchase: Purchase, event: PurchaseEvent) =>
  emit(ctx, newsOf(purchase, event));

/** The same among the last writes of the transaction. */
export async function leaveNews(ctx: Context, purchase: Purchase, event: PurchaseEvent): Promise<void> {
  const last = await lastEventOf(ctx, purchase.row.id);
  leaveWithCommit(ctx, [emission(ctx, newsOf(purchase, event), last).write]);
}

/** The first of its events, as a write of the statement that makes the purchase. */
export const announcingNew = (ctx: Context, purchase: Purchase): Write =>
  emission(ctx, newsOf(purchase, "pending"), { version: 0, at: null }).write;

const newsOf = (purchase: Purchase, event: PurchaseEvent) => ({
  object: "purchase",
  event,
  entityId: purchase.row.id,
  data: purchaseBody.parse(serializePurchase(purchase)),
});

export const withOperation = (purchase: Purchase, operation: OperationRow): Purchase => ({
  ...purchase,
  active: isActive(operation) ? operation : undefined,
});
