import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { purchaseOperations } from "@/db/schema/purchases";
import { leaseEnd } from "@/lib/charges/engine/lease";
import { type Context, now } from "@/lib/context";
import { moveOperation, OperationLost } from "@/lib/purchases/operations";
import { isActive, lockPurchase, type OperationRow, type Purchase } from "@/lib/purchases/queries";

/** A purchase and the operation on it that this worker holds, inside one transaction. */
export interface Held {
  purchase: Purchase;
  operation: OperationRow;
}

export type Claim = { is: "held"; held: Held } | { is: "busy" } | { is: "over" };

/** Row O2: takes an operation that nobody works on. Only the database's clock decides about leases. */
export async function claim(ctx: Context, operationId: string): Promise<Claim> {
  const [known] = await ctx.db.select().from(purchaseOperations).where(eq(purchaseOperations.id, operationId));
  const purchase = known && (await lockPurchase(ctx, known.purchaseId));
  if (!purchase || purchase.active?.id !== operationId) return { is: "over" };
  const [free] = await ctx.db
    .select()
    .from(purchaseOperations)
    .where(
      and(
        eq(purchaseOperations.id, operationId),
        or(isNull(purchaseOperations.leaseUntil), lt(purchaseOperations.leaseUntil, sql`now()`)),
      ),
    )
    .for("update");
  if (!free) return { is: "busy" };
  return { is: "held", held: await take(ctx, purchase, free) };
}

/** The operation just made, or found free, becomes this worker's; the purchase is locked. */
export async function take(ctx: Context, purchase: Purchase, free: OperationRow): Promise<Held> {
  const operation = await moveOperation(ctx, free, "claimed", {
    epoch: free.epoch + 1,
    idleClaims: free.idleClaims + 1,
    leaseUntil: leaseEnd,
    runAt: sql`now()`,
  });
  return { purchase: { ...purchase, active: operation }, operation };
}

/** The fence of every transaction that records something: a stale epoch changes nothing and throws. */
export async function hold(ctx: Context, claimed: OperationRow): Promise<Held> {
  const purchase = await lockPurchase(ctx, claimed.purchaseId);
  const [operation] = await ctx.db
    .update(purchaseOperations)
    .set({ leaseUntil: leaseEnd, idleClaims: 0, updatedAt: now(ctx) })
    .where(
      and(
        eq(purchaseOperations.id, claimed.id),
        eq(purchaseOperations.epoch, claimed.epoch),
        eq(purchaseOperations.status, "processing"),
      ),
    )
    .returning();
  if (!purchase || !operation) throw new OperationLost();
  return { purchase: { ...purchase, active: operation }, operation };
}

/** Nothing to do until a query is answered: the lease goes back, and the sweep leaves the operation alone. */
export async function park(ctx: Context, { operation }: Held): Promise<void> {
  if (!isActive(operation)) return;
  await ctx.db
    .update(purchaseOperations)
    .set({ leaseUntil: null, runAt: null })
    .where(and(eq(purchaseOperations.id, operation.id), eq(purchaseOperations.epoch, operation.epoch)));
}
