import { sql } from "drizzle-orm";
import { purchaseOperations } from "@/db/schema/purchases";
import { findRows, updateReturning, updateRows } from "@/db/statements";
import { leaseEnd } from "@/lib/charges/engine/lease";
import { type Context, now } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";
import { type Moving, movingOperation, OperationLost, PRESENT, writeMoves } from "@/lib/purchases/operations";
import { isActive, lockPurchase, type OperationRow, type Purchase } from "@/lib/purchases/queries";

/** A purchase and the operation on it that this worker holds, inside one transaction. */
export interface ClaimedOperation {
  purchase: Purchase;
  operation: OperationRow;
}

/** Held once its writes are made: they leave with what follows, in its transaction. */
export type Claim = ({ is: "held" } & Moving<ClaimedOperation>) | { is: "busy" } | { is: "over" };

/**
 * Row O2: takes an operation that nobody works on. Only the database's clock decides about leases. Without `ofPurchase`
 * it is looked up whose the operation is.
 */
export async function claimOperation(ctx: Context, operationId: string, ofPurchase?: string): Promise<Claim> {
  const purchaseId = ofPurchase ?? (await findRows(ctx.db, purchaseOperations, { id: operationId }))[0]?.purchaseId;
  if (!purchaseId) return { is: "over" };
  const [purchase, [free]] = await pipelined([
    lockPurchase(ctx, purchaseId),
    findRows(ctx.db, purchaseOperations, { id: operationId }, { condition: IS_FREE, lock: "update" }),
  ]);
  if (purchase?.active?.id !== operationId) return { is: "over" };
  if (!free) return { is: "busy" };
  return { is: "held", ...takingOperation(ctx, purchase, free) };
}

const IS_FREE = sql`(${purchaseOperations.leaseUntil} is null or ${purchaseOperations.leaseUntil} < now())`;

/** The operation just made, or found free, becomes this worker's; the purchase is locked. */
export async function take(ctx: Context, purchase: Purchase, free: OperationRow): Promise<ClaimedOperation> {
  const { after, writes } = takingOperation(ctx, purchase, free);
  await writeMoves(ctx, writes);
  return after;
}

/** The same as writes of what follows. */
export function takingOperation(ctx: Context, purchase: Purchase, free: OperationRow): Moving<ClaimedOperation> {
  const { after: operation, writes } = movingOperation(ctx, free, "claimed", {
    epoch: free.epoch + 1,
    idleClaims: free.idleClaims + 1,
    leaseUntil: leaseEnd,
    runAt: PRESENT,
  });
  return { after: { purchase: { ...purchase, active: operation }, operation }, writes };
}

/** The fence of every transaction that records something: a stale epoch changes nothing and throws. */
export async function hold(ctx: Context, claimed: OperationRow): Promise<ClaimedOperation> {
  const [purchase, [operation]] = await pipelined([
    lockPurchase(ctx, claimed.purchaseId),
    updateReturning(
      ctx.db,
      purchaseOperations,
      { leaseUntil: leaseEnd, idleClaims: 0, updatedAt: now(ctx) },
      { id: claimed.id, epoch: claimed.epoch, status: "processing" },
    ),
  ]);
  if (!purchase || !operation) throw new OperationLost();
  return { purchase: { ...purchase, active: operation }, operation };
}

/** Nothing to do until a query is answered: the lease goes back, and the sweep leaves the operation alone. */
export async function park(ctx: Context, { operation }: ClaimedOperation): Promise<void> {
  if (!isActive(operation)) return;
  const { id, epoch } = operation;
  await updateRows(ctx.db, purchaseOperations, { leaseUntil: null, runAt: null }, { id, epoch });
}
