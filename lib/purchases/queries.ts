import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { purchaseOperations, purchasePayments, purchases } from "@/db/schema/purchases";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import { pipelined } from "@/lib/pipeline";
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
  const purchase = await find(ctx, id, undefined);
  if (!purchase) throw purchaseNotFound();
  return purchase;
}

/** Locks the purchase until the transaction ends: first in the lock order of everything that changes it. */
export const lockPurchase = (ctx: Context, id: string): Promise<Purchase | undefined> => find(ctx, id, "update");

/** The parts are read behind the lock, in one round trip with it. */
async function find(ctx: Context, id: string, lock: "update" | undefined): Promise<Purchase | undefined> {
  const [[row], payments, [active]] = await pipelined([
    findRows(ctx.db, purchases, { clientId: ctx.account.id, id }, { lock }),
    findRows(ctx.db, purchasePayments, { purchaseId: id }),
    findRows(ctx.db, purchaseOperations, { purchaseId: id }, { condition: IS_ACTIVE }),
  ]);
  return row && { row, payments: payments.sort((a, b) => a.slotIndex - b.slotIndex), active };
}

const IS_ACTIVE = sql`${purchaseOperations.status} in ('pending', 'processing')`;

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
    .where(and(inArray(purchaseOperations.purchaseId, [...ids]), IS_ACTIVE));

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
  const [slot] = await findRows(ctx.db, purchasePayments, { chargeId });
  return slot;
}
