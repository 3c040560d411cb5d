import { asc, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { type ChargeStatus, charges } from "@/db/schema/charges";
import { customers } from "@/db/schema/customers";
import { merchants } from "@/db/schema/merchants";
import { type PurchaseStatus, purchasePayments, purchases, type SlotStatus } from "@/db/schema/purchases";
import { sessions } from "@/db/schema/sessions";
import { chargesMeant, customersMeant, type PaymentFilters } from "@/lib/charges/search";
import { readSearch, type SearchTerm } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import { together } from "@/lib/flights";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";

export interface ListedPurchase {
  id: string;
  status: PurchaseStatus;
  /** Every card holds its part and nothing was taken yet. */
  isHeld: boolean;
  /** Money was once taken on a card. */
  wasPaid: boolean;
  originalAmount: number;
  refundedAmount: number;
  currency: string;
  cards: { brand: string | undefined; lastFour: string | undefined; amount: number; status: SlotStatus }[];
  buyer: Buyer | undefined;
  orderId: string | null;
  merchant: string | null;
  provider: string | null;
  declineCode: string | null;
  link: { id: string; name: string | null } | undefined;
  needsReview: boolean;
  createdAt: Date;
}

/** These purchases with their cards, in no order; the caller found them. */
export async function purchasesOf(
  { db }: Context,
  role: OperatorRole,
  ids: readonly string[],
): Promise<ListedPurchase[]> {
  if (ids.length === 0) return [];
  const [rows, slots] = await together([
    db
      .select({ row: purchases, customer: customers, merchant: merchants.name, linkName: sessions.name })
      .from(purchases)
      .leftJoin(customers, eq(customers.id, purchases.customerId))
      .leftJoin(merchants, eq(merchants.id, purchases.merchantId))
      .leftJoin(sessions, eq(sessions.id, purchases.sessionId))
      .where(inArray(purchases.id, [...ids])),
    db
      .select({ slot: purchasePayments, provider: charges.providerType })
      .from(purchasePayments)
      .leftJoin(charges, eq(charges.id, purchasePayments.chargeId))
      .where(inArray(purchasePayments.purchaseId, [...ids]))
      .orderBy(asc(purchasePayments.slotIndex)),
  ]);
  return rows.map(({ row, customer, merchant, linkName }) => {
    const own = slots.filter(({ slot }) => slot.purchaseId === row.id);
    const providers = [...new Set(own.flatMap(({ provider }) => provider ?? []))];
    return {
      id: row.id,
      status: row.status,
      isHeld: row.status === "pending" && own.every(({ slot }) => slot.status === "pre_authorized"),
      wasPaid: own.some(({ slot }) => slot.wasCaptured),
      originalAmount: row.amount,
      refundedAmount: own.reduce((sum, { slot }) => sum + slot.refundedAmount, 0),
      currency: row.currency,
      cards: own.map(({ slot }) => ({
        brand: slot.card?.brand,
        lastFour: slot.card?.last4digits,
        amount: slot.amount,
        status: slot.status,
      })),
      buyer: shownBuyer(role, customer),
      orderId: row.orderId,
      merchant,
      provider: providers.length > 0 ? providers.join(", ") : null,
      declineCode:
        row.status === "failed" ? (own.find(({ slot }) => slot.declineReason)?.slot.declineReason ?? null) : null,
      link: row.sessionId ? { id: row.sessionId, name: linkName } : undefined,
      needsReview: row.reviewReason !== null,
      createdAt: row.createdAt,
    };
  });
}

/** The filters of the list, in the words of a purchase. */
export function purchaseNarrowing(ctx: Context, filters: PaymentFilters): (SQL | undefined)[] {
  return [
    eq(purchases.clientId, ctx.account.id),
    filters.status?.length ? or(...filters.status.map((status) => LIKE_CHARGES[status])) : undefined,
    filters.method?.length && !filters.method.includes("credit") ? sql`false` : undefined,
    filters.merchantId ? eq(purchases.merchantId, filters.merchantId) : undefined,
    filters.provider?.length ? hasCharge(inArray(charges.providerType, [...filters.provider])) : undefined,
    filters.declineCode ? hasSlot(eq(purchasePayments.declineReason, filters.declineCode)) : undefined,
    filters.sessionId ? eq(purchases.sessionId, filters.sessionId) : undefined,
    filters.ids && inArray(purchases.id, [...filters.ids]),
    filters.from && gte(purchases.createdAt, filters.from),
    filters.until && lt(purchases.createdAt, filters.until),
    meant(ctx, readSearch(filters.search ?? "")),
  ];
}

const hasSlot = (condition: SQL): SQL =>
  sql`exists (select from ${purchasePayments} where ${purchasePayments.purchaseId} = ${purchases.id} and ${condition})`;
const hasCharge = (condition: SQL): SQL =>
  sql`exists (select from ${charges} where ${charges.purchaseId} = ${purchases.id} and ${condition})`;

const is = (status: PurchaseStatus): SQL => eq(purchases.status, status);
const both = (one: SQL, other: SQL): SQL => sql`(${one} and ${other})`;
const HELD = sql`not ${hasSlot(sql`${purchasePayments.status} <> 'pre_authorized'`)}`;
const WAS_PAID = hasSlot(eq(purchasePayments.wasCaptured, true));

/** Purchases that people mean when they ask for charges of a state. */
const LIKE_CHARGES: Record<ChargeStatus, SQL> = {
  pending: both(is("pending"), sql`not ${HELD}`),
  pre_authorized: both(is("pending"), HELD),
  capture_pending: sql`false`,
  authorized: is("paid"),
  failed: is("failed"),
  canceled: both(is("cancelled"), sql`not ${WAS_PAID}`),
  voided: both(is("cancelled"), WAS_PAID),
  refund_pending: sql`false`,
  charged_back: hasSlot(eq(purchasePayments.status, "charged_back")),
};

/** By what its charges are found by, and by what is its own. */
function meant(ctx: Context, terms: readonly SearchTerm[]): SQL | undefined {
  if (terms.length === 0) return undefined;
  const client = ctx.account.id;
  const [only] = terms;
  if (terms.length === 1 && only?.kind === "amount") {
    return or(
      eq(purchases.amount, only.value),
      sql`${purchases.id} in (select s.purchase_id from ${purchasePayments} s
           where s.client_id = ${client} and s.amount = ${only.value})`,
    );
  }
  const own = terms.flatMap(({ kind, value }) => {
    if (kind === "id") return [sql`select ${String(value)}::uuid`];
    if (kind === "order")
      return [sql`select p.id from ${purchases} p where p.client_id = ${client} and p.order_id = ${String(value)}`];
    return [];
  });
  const theirs = customersMeant(ctx, terms).map(
    (customer) => sql`select p.id from ${purchases} p where p.customer_id in ${customer}`,
  );
  const inside = sql`select c.purchase_id from ${charges} c
    where c.purchase_id is not null and c.id in (${chargesMeant(ctx, terms)})`;
  return sql`${purchases.id} in (${sql.join([inside, ...own, ...theirs], sql` union all `)})`;
}
