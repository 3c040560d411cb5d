import { asc, eq, gte, inArray, isNotNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { equalsLiteral, isOneOf } from "@/db/literals";
import { charges } from "@/db/schema/charges";
import { type PurchaseStatus, purchasePayments, purchases, type SlotStatus } from "@/db/schema/purchases";
import { whereIdIn } from "@/db/where-id-in";
import { aroundOf } from "@/lib/charges/around";
import { holdsEnded } from "@/lib/charges/holds-ended";
import type { ListState } from "@/lib/charges/list-states";
import { anyMeant, type Meant, ofPayers, orOfAmount } from "@/lib/charges/meant";
import {
  buyersNamed,
  chargesMeant,
  chargesOfBuyer,
  chargesOfBuyers,
  customersMeant,
  type PaymentFilters,
  paymentsNamed,
} from "@/lib/charges/search";
import { type MeantTerm, readSearch } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import { type Buyer, shownName } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";

export interface ListedPurchase {
  id: string;
  status: PurchaseStatus;
  /** Every card holds its part and nothing was taken yet. */
  isHeld: boolean;
  /** Money was once taken on a card. */
  wasPaid: boolean;
  /** Canceled because nobody captured it in time. */
  hasHoldEnded: boolean;
  originalAmount: number;
  capturedAmount: number;
  refundedAmount: number;
  chargedBackAmount: number;
  /** When the money of its last card was captured. */
  capturedAt: Date | null;
  currency: string;
  cards: { brand: string | undefined; lastFour: string | undefined; amount: number; status: SlotStatus }[];
  buyer: Buyer | undefined;
  /** Name on the first card: of payment links often all that is known of who paid. */
  holder: string | undefined;
  orderId: string | null;
  merchant: string | null;
  /** The kinds and the connections that its cards went through. */
  provider: string | null;
  connection: string | null;
  declineCode: string | null;
  link: { id: string; name: string | null } | undefined;
  needsReview: boolean;
  createdAt: Date;
}

/** These purchases with their cards, in no order; the caller found them. */
export async function purchasesOf(ctx: Context, role: OperatorRole, ids: readonly string[]): Promise<ListedPurchase[]> {
  if (ids.length === 0) return [];
  const { db } = ctx;
  const [rows, slots] = await pipelined([
    db.select().from(purchases).where(whereIdIn(purchases.id, ids)),
    db
      .select({
        slot: purchasePayments,
        charge: {
          id: charges.id,
          status: charges.status,
          capturedAmount: charges.capturedAmount,
          chargedBackAmount: charges.chargedBackAmount,
          capturedAt: charges.capturedAt,
          provider: charges.providerType,
          connectionId: charges.providerId,
        },
      })
      .from(purchasePayments)
      .leftJoin(charges, eq(charges.id, purchasePayments.chargeId))
      .where(whereIdIn(purchasePayments.purchaseId, ids))
      .orderBy(asc(purchasePayments.slotIndex)),
  ]);
  const [around, ended] = await pipelined([
    aroundOf(
      ctx,
      role,
      rows.map(({ id, customerId, merchantId, sessionId }) => ({
        buyerId: customerId,
        merchantId,
        sessionId,
        connectionIds: slots.flatMap(({ slot, charge }) =>
          slot.purchaseId === id ? (charge?.connectionId ?? []) : [],
        ),
      })),
    ),
    holdsEnded(
      ctx,
      slots.flatMap(({ charge }) => charge ?? []),
    ),
  ]);
  return rows.map((row) => {
    const own = slots.filter(({ slot }) => slot.purchaseId === row.id);
    const holder = own[0]?.slot.card?.cardHolderName;
    const providers = [...new Set(own.flatMap(({ charge }) => charge?.provider ?? []))];
    const connections = own.flatMap(
      ({ charge }) => (charge?.connectionId && around.connection(charge.connectionId)) || [],
    );
    return {
      id: row.id,
      status: row.status,
      isHeld: row.status === "pending" && own.every(({ slot }) => slot.status === "pre_authorized"),
      wasPaid: own.some(({ slot }) => slot.wasCaptured),
      hasHoldEnded:
        row.status === "cancelled" && own.some(({ charge }) => charge && ended.get(charge.id) === "not_captured"),
      originalAmount: row.amount,
      capturedAmount: own.reduce((sum, { charge }) => sum + (charge?.capturedAmount ?? 0), 0),
      chargedBackAmount: own.reduce((sum, { charge }) => sum + (charge?.chargedBackAmount ?? 0), 0),
      capturedAt: own.reduce<Date | null>((last, { charge }) => latest(last, charge?.capturedAt ?? null), null),
      refundedAmount: own.reduce((sum, { slot }) => sum + slot.refundedAmount, 0),
      currency: row.currency,
      cards: own.map(({ slot }) => ({
        brand: slot.card?.brand,
        lastFour: slot.card?.last4digits,
        amount: slot.amount,
        status: slot.status,
      })),
      buyer: around.buyer(row.customerId),
      holder: holder ? shownName(role, holder) : undefined,
      orderId: row.orderId,
      merchant: around.merchant(row.merchantId),
      provider: providers.join(", ") || null,
      connection: [...new Set(connections)].join(", ") || null,
      declineCode:
        row.status === "failed" ? (own.find(({ slot }) => slot.declineReason)?.slot.declineReason ?? null) : null,
      link: around.link(row.sessionId),
      needsReview: row.reviewReason !== null,
      createdAt: row.createdAt,
    };
  });
}

const latest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other);

/** The filters of the list, in the words of a purchase. */
export function purchaseNarrowing(ctx: Context, role: OperatorRole, filters: PaymentFilters): (SQL | undefined)[] {
  return [
    eq(purchases.clientId, ctx.account.id),
    likeAny(ctx, filters.status),
    likeAny(ctx, filters.said),
    filters.method?.length && !filters.method.includes("credit") ? sql`false` : undefined,
    filters.merchantId ? eq(purchases.merchantId, filters.merchantId) : undefined,
    filters.provider?.length ? hasCharge(ctx, inArray(charges.providerType, [...filters.provider])) : undefined,
    filters.declineCode ? ofSlots(ctx, eq(purchasePayments.declineReason, filters.declineCode)) : undefined,
    filters.sessionId ? eq(purchases.sessionId, filters.sessionId) : undefined,
    filters.minAmount === undefined ? undefined : gte(purchases.amount, filters.minAmount),
    filters.maxAmount === undefined ? undefined : lte(purchases.amount, filters.maxAmount),
    filters.cards === undefined ? undefined : hasCards(filters.cards),
    filters.hasSplit ? isNotNull(purchases.splitRules) : undefined,
    filters.buyer ? ofBuyer(ctx, role, filters.buyer, filters.paidByBuyer) : undefined,
    filters.ids && whereIdIn(purchases.id, filters.ids),
    filters.from && gte(purchases.createdAt, filters.from),
    filters.until && lt(purchases.createdAt, filters.until),
    meant(ctx, role, readSearch(filters.search ?? "")),
    filters.meant &&
      anyMeant(
        purchases.orderId,
        filters.meant,
        [meant(ctx, role, filters.meant.whole), filters.meant.begun?.purchase],
        thatAre(ctx, role, filters.meant),
      ),
  ];
}

/** Asked of each row that is walked past; `offset 0` keeps the planner from reading the whole other table instead. */
const hasSlot = (condition: SQL): SQL =>
  sql`exists (select from ${purchasePayments} where ${purchasePayments.purchaseId} = ${purchases.id} and ${condition} offset 0)`;
const hasCards = (count: number): SQL =>
  sql`(${hasSlot(eq(purchasePayments.slotIndex, count - 1))} and not ${hasSlot(eq(purchasePayments.slotIndex, count))})`;
const hasCharge = (ctx: Context, condition: SQL): SQL =>
  sql`${purchases.id} in (select ${charges.purchaseId} from ${charges}
       where ${charges.clientId} = ${ctx.account.id} and ${charges.purchaseId} is not null and ${condition})`;
/** Of few cards, found by an index of their own. */
const ofSlots = (ctx: Context, condition: SQL): SQL =>
  sql`${purchases.id} in (select ${purchasePayments.purchaseId} from ${purchasePayments}
       where ${purchasePayments.clientId} = ${ctx.account.id} and ${condition})`;

/** Some card went through this connection to a provider. */
export const hasChargeAt = (connectionId: string): SQL =>
  sql`exists (select from ${purchasePayments} join ${charges} on ${charges.id} = ${purchasePayments.chargeId}
       where ${purchasePayments.purchaseId} = ${purchases.id} and ${charges.providerId} = ${connectionId} offset 0)`;

export const hasSlotOfBrand = (brand: string): SQL => hasSlot(sql`${purchasePayments.card} ->> 'brand' = ${brand}`);

/** Whose order it is, or whose card is in it. */
const ofBuyer = (ctx: Context, role: OperatorRole, typed: string, paid: readonly string[] = []): SQL =>
  sql`${purchases.id} in (
    select p.id from ${purchases} p where p.customer_id in ${buyersNamed(ctx, role, typed)}
    union all
    select c.purchase_id from ${charges} c where c.purchase_id is not null and c.id in (${chargesOfBuyer(ctx, role, typed)})
    union all
    ${paymentsNamed(paid)})`;

const is = (status: PurchaseStatus): SQL => eq(purchases.status, status);
const both = (one: SQL, other: SQL): SQL => sql`(${one} and ${other})`;
const HELD = sql`not ${hasSlot(sql`${purchasePayments.status} <> 'pre_authorized'`)}`;
const WAS_PAID = hasSlot(eq(purchasePayments.wasCaptured, true));

const likeAny = (ctx: Context, states: readonly ListState[] | undefined): SQL | undefined =>
  states?.length ? or(...states.map((state) => likeCharges(ctx, state))) : undefined;

/** Purchases that people mean when they ask for charges of a state. */
function likeCharges(ctx: Context, state: ListState): SQL {
  switch (state) {
    case "pending":
      return both(is("pending"), sql`not ${HELD}`);
    case "pre_authorized":
      return both(is("pending"), HELD);
    case "authorized":
      return is("paid");
    case "failed":
      return is("failed");
    case "canceled":
      return both(is("cancelled"), sql`not ${WAS_PAID}`);
    case "refunded":
      // Of one that is pending the refund is a part of undoing it.
      return both(
        isOneOf(purchases.status, ["paid", "cancelled"]),
        ofSlots(ctx, sql`${purchasePayments.refundedAmount} > 0`),
      );
    case "charged_back":
      return ofSlots(ctx, equalsLiteral(purchasePayments.status, "charged_back"));
    case "capture_pending":
    case "released":
    case "expired":
      return sql`false`;
  }
}

const thatAre = (ctx: Context, role: OperatorRole, { terms, buyers, links, held }: Meant): SQL[] => [
  ...terms.flatMap((each) => meant(ctx, role, each) ?? []),
  ...(buyers
    ? [
        ofPayers(
          purchases.id,
          [
            sql`select p.id from ${purchases} p where p.customer_id in (select unnest(${`{${buyers.join(",")}}`}::uuid[]))`,
            sql`select c.purchase_id from ${charges} c
                 where c.purchase_id is not null and c.id in (${chargesOfBuyers(ctx, buyers)})`,
            sql`select p.id from ${purchases} p where p.session_id in (${paymentsNamed(links)})`,
          ],
          held?.purchase,
        ),
      ]
    : []),
];

/** By what its charges are found by, and by what is its own. */
function meant(ctx: Context, role: OperatorRole, terms: readonly MeantTerm[]): SQL | undefined {
  if (terms.length === 0) return undefined;
  const client = ctx.account.id;
  const own = terms.flatMap(({ kind, value }) => {
    if (kind === "id") return [sql`select ${String(value)}::uuid`];
    if (kind === "payments") return [paymentsNamed(value.split(","))];
    if (kind === "order")
      return [sql`select p.id from ${purchases} p where p.client_id = ${client} and p.order_id = ${String(value)}`];
    return [];
  });
  const theirs = customersMeant(ctx, role, terms).map(
    (customer) => sql`select p.id from ${purchases} p where p.customer_id in ${customer}`,
  );
  const inside = sql`select c.purchase_id from ${charges} c
    where c.purchase_id is not null and c.id in (${chargesMeant(ctx, role, terms)})`;
  const ofSlot = (amount: number): SQL => sql`select s.purchase_id from ${purchasePayments} s
    where s.client_id = ${client} and s.amount = ${amount}`;
  return orOfAmount(purchases.id, [inside, ...own, ...theirs], terms, {
    side: "purchase",
    is: (amount) => or(eq(purchases.amount, amount), sql`${purchases.id} in (${ofSlot(amount)})`),
    ids: (amount) => [
      sql`select p.id from ${purchases} p where p.client_id = ${client} and p.amount = ${amount}`,
      ofSlot(amount),
    ],
  });
}
