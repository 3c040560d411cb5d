import { and, asc, desc, eq, gte, inArray, lte, type SQL } from "drizzle-orm";
import { purchaseOperations, purchasePayments, purchases } from "@/db/schema/purchases";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { PurchaseFilters } from "@/lib/purchases/schema";

export type PurchaseRow = typeof purchases.$inferSelect;
export type PaymentRow = typeof purchasePayments.$inferSelect;
export type OperationRow = typeof purchaseOperations.$inferSelect;

/** A purchase with its cards in their order. */
export interface Purchase {
  row: PurchaseRow;
  payments: PaymentRow[];
  /** Pending or processing; at most one. */
  active: OperationRow | undefined;
}

const ACTIVE = ["pending", "processing"] as const;
export const isActive = ({ status }: OperationRow): boolean => ACTIVE.some((one) => one === status);

const ownedBy = (ctx: Context): SQL => eq(purchases.clientId, ctx.account.id);

export const purchaseNotFound = (): DomainError => new DomainError("purchase_not_found", "the purchase does not exist");

export async function getPurchase(ctx: Context, id: string): Promise<Purchase> {
  const [row] = await ctx.db
    .select()
    .from(purchases)
    .where(and(ownedBy(ctx), eq(purchases.id, id)));
  if (!row) throw purchaseNotFound();
  return withParts(ctx, row);
}

/** Locks the purchase until the transaction ends: first in the lock order of everything that changes it. */
export async function lockPurchase(ctx: Context, id: string): Promise<Purchase | undefined> {
  const [row] = await ctx.db
    .select()
    .from(purchases)
    .where(and(ownedBy(ctx), eq(purchases.id, id)))
    .for("update");
  return row && withParts(ctx, row);
}

async function withParts(ctx: Context, row: PurchaseRow): Promise<Purchase> {
  const [payments, [active]] = await Promise.all([paymentsOf(ctx, [row.id]), activeOf(ctx, [row.id])]);
  return { row, payments, active };
}

const paymentsOf = (ctx: Context, ids: readonly string[]): Promise<PaymentRow[]> =>
  ctx.db
    .select()
    .from(purchasePayments)
    .where(inArray(purchasePayments.purchaseId, [...ids]))
    .orderBy(asc(purchasePayments.slotIndex));

const activeOf = (ctx: Context, ids: readonly string[]): Promise<OperationRow[]> =>
  ctx.db
    .select()
    .from(purchaseOperations)
    .where(and(inArray(purchaseOperations.purchaseId, [...ids]), inArray(purchaseOperations.status, [...ACTIVE])));

/** The page and its exact total, from one snapshot. */
export async function listPurchases(ctx: Context, filters: PurchaseFilters): Promise<Paged<Purchase>> {
  const where = and(
    ownedBy(ctx),
    filters.status && eq(purchases.status, filters.status),
    filters.merchantId ? eq(purchases.merchantId, filters.merchantId) : undefined,
    filters.orderId === undefined ? undefined : eq(purchases.orderId, filters.orderId),
    filters.id ? eq(purchases.id, filters.id) : undefined,
    filters.sessionId ? eq(purchases.sessionId, filters.sessionId) : undefined,
    filters.createdAtGte && gte(purchases.createdAt, filters.createdAtGte),
    filters.createdAtLte && lte(purchases.createdAt, filters.createdAtLte),
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const totalItems = await ctx.db.$count(purchases, where);
  const rows = await ctx.db
    .select()
    .from(purchases)
    .where(where)
    .orderBy(order(purchases.createdAt), order(purchases.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  if (rows.length === 0) return { totalItems, items: [] };
  const ids = rows.map(({ id }) => id);
  const [payments, active] = await Promise.all([paymentsOf(ctx, ids), activeOf(ctx, ids)]);
  return {
    totalItems,
    items: rows.map((row) => ({
      row,
      payments: payments.filter(({ purchaseId }) => purchaseId === row.id),
      active: active.find(({ purchaseId }) => purchaseId === row.id),
    })),
  };
}

/** The slot whose charge this is; undefined for a charge outside purchases. */
export async function slotOfCharge(ctx: Context, chargeId: string): Promise<PaymentRow | undefined> {
  const [slot] = await ctx.db.select().from(purchasePayments).where(eq(purchasePayments.chargeId, chargeId));
  return slot;
}
