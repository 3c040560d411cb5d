import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import type { receivables } from "@/db/schema/receivables";
import { salePlans } from "@/db/schema/sale-plans";
import {
  type SellerBankAccount,
  type SellerStatus,
  sellerDocuments,
  sellerReviews,
  sellers,
} from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { openProposals, type Proposal } from "@/lib/proposals/service";
import { type AccountChange, openAccountChange } from "@/lib/sellers/account-changes";
import { findSeller, type ReviewRow, reviewsOf, type Seller, type SellerRow } from "@/lib/sellers/queries";

export const SELLERS_PER_PAGE = 25;

/** Cents, as the books say them: what a seller is owed is above zero. */
export interface SellerBalance {
  pending: number;
  /** Below zero: a debt. */
  available: number;
  inTransit: number;
}

export interface ListedSeller {
  id: string;
  /** Of the business, else of the owner. */
  shown: Buyer;
  status: SellerStatus;
  merchant: string | null;
  /** Null: the default plan. */
  plan: string | null;
  balance: SellerBalance;
  /** Of the review that ends first. */
  reviewDeadline: Date | null;
  createdAt: Date;
}

interface Filters {
  ids?: readonly string[] | undefined;
  statuses: readonly SellerStatus[];
  merchantId?: string | undefined;
  planId?: string | undefined;
  /** Only those that a provider asks something of. */
  isAsked?: boolean | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export interface SellerPage {
  items: ListedSeller[];
  previous: string | undefined;
  next: string | undefined;
}

export async function listForOperator(ctx: Context, role: OperatorRole, asked: Filters): Promise<SellerPage> {
  demand(role, "sellers.see");
  const isBackward = asked.before !== undefined;
  const order = isBackward ? asc : desc;
  return inSnapshot(ctx, async (inside) => {
    const clientId = inside.account.id;
    const rows = await inside.db
      .select({ row: sellers, merchant: merchants.name, plan: salePlans.name })
      .from(sellers)
      .innerJoin(merchants, eq(merchants.id, sellers.merchantId))
      .leftJoin(salePlans, eq(salePlans.id, sellers.planId))
      .where(
        and(
          eq(sellers.clientId, clientId),
          isNull(sellers.deletedAt),
          asked.ids && (asked.ids.length > 0 ? inArray(sellers.id, [...asked.ids]) : sql`false`),
          asked.statuses.length > 0 ? inArray(sellers.status, [...asked.statuses]) : undefined,
          isUuid(asked.merchantId ?? "") ? eq(sellers.merchantId, asked.merchantId ?? "") : undefined,
          isUuid(asked.planId ?? "") ? eq(sellers.planId, asked.planId ?? "") : undefined,
          asked.isAsked
            ? sql`exists (select from seller_reviews r where r.seller_id = ${sellers.id} and r.status = 'opened')`
            : undefined,
          beyond(asked.before ?? asked.after, isBackward),
        ),
      )
      .orderBy(order(sellers.createdAt), order(sellers.id))
      .limit(SELLERS_PER_PAGE + 1);
    const isMore = rows.length > SELLERS_PER_PAGE;
    const shown = rows.slice(0, SELLERS_PER_PAGE);
    if (isBackward) shown.reverse();
    const these = shown.map(({ row }) => row);
    const [balances, deadlines] = [await balancesOfSellers(inside, these), await deadlinesOf(inside, these)];
    const [first, last] = [these[0], these.at(-1)];
    return {
      items: shown.map(({ row, merchant, plan }) => ({
        id: row.id,
        shown: shownSeller(role, row),
        status: row.status,
        merchant,
        plan,
        balance: balances.get(row.id) ?? NOTHING,
        reviewDeadline: deadlines.get(row.id) ?? null,
        createdAt: row.createdAt,
      })),
      previous: first && (isBackward ? isMore : asked.after !== undefined) ? positionOf(first) : undefined,
      next: last && (isBackward || isMore) ? positionOf(last) : undefined,
    };
  });
}

/** As buyers are: in full for those who may see people's data. */
export function shownSeller(role: OperatorRole, row: SellerRow): Buyer {
  const buyer = shownBuyer(role, {
    id: row.id,
    name: row.ownerName,
    email: row.businessEmail ?? row.ownerEmail,
    documentNumber: row.documentNumber,
  });
  if (!buyer) throw new Error("a row that is there is shown");
  // What a company is called is no person's name.
  return { ...buyer, name: row.businessName ?? buyer.name };
}

/** Of a bank account: a company's name, and a person's as far as the role sees people. */
export function shownHolder(
  role: OperatorRole,
  { id, business }: Pick<SellerRow, "id" | "business">,
  { holderName: name, holderDocument }: SellerBankAccount,
): string {
  const person = shownBuyer(role, { id, name, email: "", documentNumber: null });
  return business?.document.number === holderDocument ? name : (person?.name ?? "");
}

const NOTHING: SellerBalance = { pending: 0, available: 0, inTransit: 0 };

const KINDS = { pending: "seller_pending", available: "seller_available", inTransit: "payout_in_transit" } as const;

export async function balancesOfSellers(
  ctx: Context,
  rows: readonly Pick<SellerRow, "id" | "merchantId">[],
): Promise<Map<string, SellerBalance>> {
  if (rows.length === 0) return new Map();
  const accountsOf = ({ id: sellerId, merchantId }: Pick<SellerRow, "id" | "merchantId">) => {
    const books = { clientId: ctx.account.id, merchantId, currency: "BRL" };
    const account = (kind: (typeof KINDS)[keyof typeof KINDS]) => accountOf(books, { kind, sellerId }).id;
    return {
      pending: account(KINDS.pending),
      available: account(KINDS.available),
      inTransit: account(KINDS.inTransit),
    };
  };
  const known = rows.map((row) => ({ id: row.id, accounts: accountsOf(row) }));
  const balances = await balancesOf(
    ctx,
    known.flatMap(({ accounts }) => Object.values(accounts)),
  );
  // Credit in the books is what is owed to them.
  const owed = (account: string) => 0 - (balances.get(account) ?? 0);
  return new Map(
    known.map(({ id, accounts }) => [
      id,
      { pending: owed(accounts.pending), available: owed(accounts.available), inTransit: owed(accounts.inTransit) },
    ]),
  );
}

async function deadlinesOf({ db, account }: Context, rows: readonly SellerRow[]): Promise<Map<string, Date>> {
  if (rows.length === 0) return new Map();
  const found = await db
    .select({
      sellerId: sellerReviews.sellerId,
      deadline: sql`min(${sellerReviews.deadline})`.mapWith(sellerReviews.deadline),
    })
    .from(sellerReviews)
    .where(
      and(
        eq(sellerReviews.clientId, account.id),
        eq(sellerReviews.status, "opened"),
        inArray(
          sellerReviews.sellerId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(sellerReviews.sellerId);
  return new Map(found.map(({ sellerId, deadline }) => [sellerId, deadline]));
}

const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

function beyond(position: string | undefined, isBackward: boolean): SQL | undefined {
  const [at = "", id = ""] = position?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return undefined;
  const there = sql`(${moment.toISOString()}::timestamptz, ${id}::uuid)`;
  const row = sql`(${sellers.createdAt}, ${sellers.id})`;
  return isBackward ? sql`${row} > ${there}` : sql`${row} < ${there}`;
}

export type ShownDocument = Pick<
  typeof sellerDocuments.$inferSelect,
  "id" | "type" | "status" | "mime" | "size" | "createdAt" | "erasedAt"
>;

/** Money that a seller is to receive on one day, of those that wait. */
export interface CalendarDay {
  day: string;
  count: number;
  net: number;
}

/** A part of a payment that was the seller's, or that was taken from it again. */
export interface SellerLine {
  id: string;
  chargeId: string;
  purchaseId: string | null;
  type: (typeof receivables.$inferSelect)["type"];
  status: (typeof receivables.$inferSelect)["status"];
  installment: number | null;
  installments: number;
  gross: number;
  fee: number;
  net: number;
  paymentDate: string;
  isPartial: boolean;
}

export interface SellerOverview {
  seller: Seller;
  shown: Buyer;
  /** Of its bank account. */
  holder: string;
  merchant: string | null;
  plan: { id: string; name: string; isDefault: boolean } | undefined;
  balance: SellerBalance;
  debtSince: string | null;
  reviews: ReviewRow[];
  documents: ShownDocument[];
  calendar: CalendarDay[];
  lines: SellerLine[];
  accountChange: AccountChange | undefined;
  /** Credits, corrections and write-offs that wait for a second person. */
  adjustments: Proposal[];
}

const MOST_DAYS = 60;
const MOST_LINES = 30;

export async function sellerOverview(ctx: Context, role: OperatorRole, id: string): Promise<SellerOverview> {
  demand(role, "sellers.see");
  if (!isUuid(id)) throw notFound("seller");
  return inSnapshot(ctx, async (inside) => {
    const seller = await findSeller(inside, id);
    if (!seller) throw notFound("seller");
    const { row } = seller;
    const [merchant] = await inside.db
      .select({ name: merchants.name })
      .from(merchants)
      .where(eq(merchants.id, row.merchantId));
    const [plan] = await inside.db
      .select({ id: salePlans.id, name: salePlans.name, isDefault: salePlans.isDefault })
      .from(salePlans)
      .where(
        and(
          eq(salePlans.clientId, inside.account.id),
          row.planId === null ? eq(salePlans.isDefault, true) : eq(salePlans.id, row.planId),
        ),
      );
    const [position] = await inside.db.execute<{ debtSince: string | null }>(
      sql`select debt_since::text as "debtSince" from seller_positions where seller_id = ${id}`,
    );
    return {
      seller,
      shown: shownSeller(role, row),
      holder: shownHolder(role, row, row.bankAccount),
      merchant: merchant?.name ?? null,
      plan,
      balance: (await balancesOfSellers(inside, [row])).get(id) ?? NOTHING,
      debtSince: position?.debtSince ?? null,
      reviews: await reviewsOf(inside, id),
      documents: await documentsOfSeller(inside, id),
      calendar: await calendarOf(inside, id),
      lines: await linesOf(inside, id),
      accountChange: may(role, "sellers.bank") ? await openAccountChange(inside, id) : undefined,
      adjustments: may(role, "finance.adjust")
        ? await openProposals(inside, { kinds: ["adjustment"], subjectId: id })
        : [],
    };
  });
}

const documentsOfSeller = ({ db, account }: Context, sellerId: string): Promise<ShownDocument[]> =>
  db
    .select({
      id: sellerDocuments.id,
      type: sellerDocuments.type,
      status: sellerDocuments.status,
      mime: sellerDocuments.mime,
      size: sellerDocuments.size,
      createdAt: sellerDocuments.createdAt,
      erasedAt: sellerDocuments.erasedAt,
    })
    .from(sellerDocuments)
    .where(
      and(
        eq(sellerDocuments.clientId, account.id),
        eq(sellerDocuments.sellerId, sellerId),
        isNull(sellerDocuments.deletedAt),
      ),
    )
    .orderBy(desc(sellerDocuments.createdAt), desc(sellerDocuments.id));

/** What refunds took of a receivable that still waits is taken off its day. */
async function calendarOf({ db, account }: Context, sellerId: string): Promise<CalendarDay[]> {
  const rows = await db.execute<{ day: string; count: number; net: number }>(sql`
    select r.payment_date::text as day, count(*)::int as count,
           sum(r.gross - r.fee - r.anticipation_fee
               + coalesce((select sum(d.gross - d.fee) from receivables d where d.reduces = r.id), 0))::float8 as net
      from receivables r
     where r.client_id = ${account.id} and r.seller_id = ${sellerId} and r.type = 'credit' and r.status <> 'paid'
     group by r.payment_date order by r.payment_date limit ${MOST_DAYS}`);
  return [...rows].filter(({ net }) => net !== 0);
}

async function linesOf({ db, account }: Context, sellerId: string): Promise<SellerLine[]> {
  const rows = await db.execute<SellerLine & Record<string, unknown>>(sql`
    select r.id, r.charge_id as "chargeId", c.purchase_id as "purchaseId", r.type, r.status, r.installment,
           r.installments, r.gross::float8 as gross, (r.fee + r.anticipation_fee)::float8 as fee,
           (r.gross - r.fee - r.anticipation_fee)::float8 as net, r.payment_date::text as "paymentDate",
           r.reduces is not null as "isPartial"
      from receivables r join charges c on c.id = r.charge_id
     where r.client_id = ${account.id} and r.seller_id = ${sellerId}
     order by r.created_at desc, r.id desc limit ${MOST_LINES}`);
  return [...rows];
}

export interface ReviewToAnswer extends ReviewRow {
  seller: Buyer;
}

/** Of all sellers that may be seen, those that end first. */
export async function openReviews(ctx: Context, role: OperatorRole): Promise<ReviewToAnswer[]> {
  demand(role, "sellers.see");
  return inSnapshot(ctx, async ({ db, account }) => {
    const rows = await db
      .select({ review: sellerReviews, seller: sellers })
      .from(sellerReviews)
      .innerJoin(sellers, eq(sellers.id, sellerReviews.sellerId))
      .where(and(eq(sellerReviews.clientId, account.id), eq(sellerReviews.status, "opened"), isNull(sellers.deletedAt)))
      .orderBy(asc(sellerReviews.deadline), asc(sellerReviews.id))
      .limit(SELLERS_PER_PAGE);
    return rows.map(({ review, seller }) => ({ ...review, seller: shownSeller(role, seller) }));
  });
}

const MOST_CHOICES = 200;

/** For a choice: those that can share a payment now; nobody's who may not see sellers. */
export async function sellersToShare(ctx: Context, role: OperatorRole): Promise<{ id: string; name: string }[]> {
  if (!may(role, "sellers.see")) return [];
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select()
      .from(sellers)
      .where(
        and(
          eq(sellers.clientId, account.id),
          isNull(sellers.deletedAt),
          inArray(sellers.status, ["active", "partial"]),
        ),
      )
      .orderBy(asc(sellers.ownerName), asc(sellers.id))
      .limit(MOST_CHOICES),
  );
  return rows.map((row) => ({ id: row.id, name: shownSeller(role, row).name }));
}
