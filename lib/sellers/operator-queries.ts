import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { salePlans } from "@/db/schema/sale-plans";
import { type SellerBankAccount, type SellerStatus, sellerReviews, sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type MoneyProposal, openProposals } from "@/lib/proposals/service";
import { type AccountChange, openAccountChange } from "@/lib/sellers/account-changes";
import { type CarriedBatch, carriedBatches } from "@/lib/sellers/carried";
import {
  balancesOfSellers,
  type CalendarDay,
  calendarOf,
  documentsOfSeller,
  NOTHING,
  type SellerBalance,
  type SellerLine,
  type ShownDocument,
  sellerLinesOf,
  transferFeesOf,
} from "@/lib/sellers/own-figures";
import {
  findSeller,
  providersOfSellers,
  type ReviewRow,
  reviewsOf,
  type Seller,
  type SellerProvider,
  type SellerRow,
} from "@/lib/sellers/queries";

export const SELLERS_PER_PAGE = 25;

export interface ListedSeller {
  id: string;
  /** Of the business, else of the owner. */
  shown: Buyer;
  status: SellerStatus;
  merchant: string | null;
  /** Null: the default plan. */
  plan: { name: string; isDefault: boolean } | null;
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

export async function listSellersForOperator(ctx: Context, role: OperatorRole, asked: Filters): Promise<SellerPage> {
  demand(role, "sellers.see");
  const isBackward = asked.before !== undefined;
  const order = isBackward ? asc : desc;
  return inSnapshot(ctx, async (inside) => {
    const clientId = inside.account.id;
    const rows = await inside.db
      .select({
        row: sellers,
        merchant: merchants.name,
        plan: { name: salePlans.name, isDefault: salePlans.isDefault },
      })
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

function placeOf(position: string | undefined): SQL | undefined {
  const [at = "", id = ""] = position?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return undefined;
  return sql`(${moment.toISOString()}::timestamptz, ${id}::uuid)`;
}

function beyond(position: string | undefined, isBackward: boolean): SQL | undefined {
  const there = placeOf(position);
  if (!there) return undefined;
  const row = sql`(${sellers.createdAt}, ${sellers.id})`;
  return isBackward ? sql`${row} > ${there}` : sql`${row} < ${there}`;
}

export interface SellerOverview {
  seller: Seller;
  shown: Buyer;
  /** Of its bank account. */
  holder: string;
  merchant: string | null;
  plan: { id: string; name: string; isDefault: boolean } | undefined;
  balance: SellerBalance;
  /** Taken already of what is on its way. */
  transferFees: number;
  debtSince: string | null;
  /** In which a debt stands. */
  carried: readonly CarriedBatch[];
  /** Where it is registered. */
  providers: SellerProvider[];
  reviews: ReviewRow[];
  documents: ShownDocument[];
  calendar: CalendarDay[];
  lines: SellerLine[];
  accountChange: AccountChange | undefined;
  /** Credits, corrections and write-offs that wait for a second person. */
  adjustments: MoneyProposal[];
}

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
      transferFees: await transferFeesOf(inside, id),
      debtSince: position?.debtSince ?? null,
      carried: await carriedBatches(inside, id),
      providers: await providersOfSellers(inside, [id]),
      reviews: await reviewsOf(inside, id),
      documents: await documentsOfSeller(inside, id),
      calendar: await calendarOf(inside, id),
      lines: await sellerLinesOf(inside, id),
      accountChange: may(role, "sellers.bank") ? await openAccountChange(inside, id) : undefined,
      adjustments: may(role, "finance.adjust")
        ? await openProposals(inside, { kinds: ["adjustment"], subjectId: id })
        : [],
    };
  });
}

export interface ReviewToAnswer extends ReviewRow {
  seller: Buyer;
  /** All of its seller's: two of one name are told apart. */
  providers: SellerProvider[];
}

/** Of all sellers that may be seen, those that end first. */
export async function openReviews(
  ctx: Context,
  role: OperatorRole,
  { after, limit = SELLERS_PER_PAGE }: { after?: string | undefined; limit?: number } = {},
): Promise<{ items: ReviewToAnswer[]; next: string | undefined }> {
  demand(role, "sellers.see");
  const there = placeOf(after);
  const { deadline, id } = sellerReviews;
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const rows = await db
      .select({ review: sellerReviews, seller: sellers })
      .from(sellerReviews)
      .innerJoin(sellers, eq(sellers.id, sellerReviews.sellerId))
      .where(
        and(
          eq(sellerReviews.clientId, account.id),
          eq(sellerReviews.status, "opened"),
          isNull(sellers.deletedAt),
          there && sql`(${deadline}, ${id}) > ${there}`,
        ),
      )
      .orderBy(asc(deadline), asc(id))
      .limit(limit + 1);
    const shown = rows.slice(0, limit);
    const ids = [...new Set(shown.map(({ seller }) => seller.id))];
    const providers = await providersOfSellers(inside, ids);
    const items = shown.map(({ review, seller }) => ({
      ...review,
      seller: shownSeller(role, seller),
      providers: providers.filter(({ sellerId }) => sellerId === seller.id),
    }));
    const last = items.at(-1);
    return {
      items,
      next: last && rows.length > limit ? positionOf({ id: last.id, createdAt: last.deadline }) : undefined,
    };
  });
}

const MOST_CHOICES = 200;

export interface Sharing {
  /** Of one merchant; of all of them unless said. */
  merchantId?: string;
  /** Also those that cannot any more, where they share already. */
  also?: readonly string[];
}

/** For a choice: those that can share a payment now; nobody's who may not see sellers. */
export async function sellersToShare(
  ctx: Context,
  role: OperatorRole,
  { merchantId, also = [] }: Sharing = {},
): Promise<{ id: string; name: string; merchantId: string }[]> {
  if (!may(role, "sellers.see")) return [];
  const canShare = and(isNull(sellers.deletedAt), inArray(sellers.status, ["active", "partial"]));
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select()
      .from(sellers)
      .where(
        and(
          eq(sellers.clientId, account.id),
          merchantId === undefined ? undefined : eq(sellers.merchantId, merchantId),
          also.length > 0 ? or(canShare, inArray(sellers.id, [...also])) : canShare,
        ),
      )
      // Who shares already is never cut off: a form that did not show it would take its share away.
      .orderBy(
        ...(also.length > 0 ? [desc(inArray(sellers.id, [...also]))] : []),
        asc(sellers.ownerName),
        asc(sellers.id),
      )
      .limit(MOST_CHOICES + also.length),
  );
  return rows.map((row) => ({ id: row.id, name: shownSeller(role, row).name, merchantId: row.merchantId }));
}
