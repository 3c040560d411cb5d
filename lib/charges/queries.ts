import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type ChargeStatus, chargeChanges, chargeCounts, charges, splitRules } from "@/db/schema/charges";
import { cards } from "@/db/schema/customers";
import { findRows } from "@/db/statements";
import type { CardRow } from "@/lib/cards/queries";
import { type Context, publicKeyOf } from "@/lib/context";
import type { CustomerRow } from "@/lib/customers/queries";
import { notFound } from "@/lib/errors";
import type { Step } from "@/lib/flows/rules/evaluate";
import type { ChallengeMode } from "@/lib/flows/rules/nodes";
import { type Page, type Paged, readingOf } from "@/lib/http/pagination";
import { type AttemptRow, attemptsOf, attemptsOfOne } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";
import type { RecipientIds } from "@/lib/splits/parties";
import type { SplitRow } from "@/lib/splits/rows";
import type { Prices } from "@/lib/splits/terms";

export type ChargeRow = typeof charges.$inferSelect;

/** A charge with everything that is answered of it. */
export interface Charge {
  row: ChargeRow;
  /** Newest first. */
  attempts: AttemptRow[];
  splits: SplitRow[];
  /** Brand of the card, for the arrangement it settles in. */
  brand: string | undefined;
  /** The card itself, as it was last read. */
  paidWith?: CardRow | undefined;
  /** Whose payment it is, while that is asked for. */
  customer?: CustomerRow | undefined;
  /** Those decided for it, in the order they are tried, while its authorization is under way. */
  providers?: readonly RoutedProvider[];
  /** What follows declines that the flow which decided names, while its authorization is under way. */
  steps?: readonly Step[];
  /** What that flow asks of the buyer before an acquirer hears of the payment. */
  challenge?: ChallengeMode;
  /** Whoever analyses it for fraud, while its authorization is under way. */
  analyst?: RoutedProvider | undefined;
  /** What each provider calls those who share in it, while its payment is under way. */
  recipients?: RecipientIds;
  /** What its fees are made from, as it was when the payment was asked for, while that is answered. */
  prices?: Prices;
  /** Its place among the cards of a purchase, while that is worked on. */
  slotIndex?: number;
}

export const slotIndexOf = ({ slotIndex }: Charge): { slotIndex?: number } =>
  slotIndex === undefined ? {} : { slotIndex };

const ownedBy = (ctx: Context): SQL => eq(charges.clientId, ctx.account.id);

export async function getCharge(ctx: Context, id: string): Promise<Charge> {
  const sessionOnly = ctx.principal.kind === "session" ? { sessionId: ctx.principal.sessionId } : {};
  const [row] = await findRows(ctx.db, charges, { clientId: ctx.account.id, id, ...sessionOnly });
  if (!row) throw notFound("charge");
  return withParts(ctx, row);
}

export async function withParts(ctx: Context, row: ChargeRow): Promise<Charge> {
  const [attempts, splits, [card]] = await Promise.all([
    attemptsOfOne(ctx, row.id),
    row.hasSplit ? splitsOf(ctx, [row.id]) : [],
    row.cardId ? findRows(ctx.db, cards, { id: row.cardId }) : [],
  ]);
  return { row, attempts, splits, brand: card?.brand, paidWith: card };
}

export const splitsOf = (ctx: Context, ids: string[]): Promise<SplitRow[]> =>
  ctx.db.select().from(splitRules).where(inArray(splitRules.chargeId, ids)).orderBy(asc(splitRules.position));

/** Locks the row until the transaction ends. */
export async function lockCharge(ctx: Context, id: string): Promise<ChargeRow> {
  const [row] = await findRows(ctx.db, charges, { clientId: ctx.account.id, id }, { lock: "update" });
  if (!row) throw notFound("charge");
  return row;
}

/** The same with its parts, in one round trip: of a charge whose card is known, and whether sellers share in it. */
export async function lockWhole(
  ctx: Context,
  id: string,
  { cardId, hasSplit }: { cardId: string | null; hasSplit: boolean },
): Promise<Charge> {
  const [row, attempts, splits, [card]] = await pipelined([
    lockCharge(ctx, id),
    attemptsOfOne(ctx, id),
    hasSplit ? splitsOf(ctx, [id]) : [],
    cardId ? findRows(ctx.db, cards, { id: cardId }) : [],
  ]);
  return { row, attempts, splits, brand: card?.brand, paidWith: card };
}

export interface ChargeFilters extends Page {
  id?: string | undefined;
  merchantId?: string | undefined;
  customerId?: string | undefined;
  sessionId?: string | undefined;
  purchaseId?: string | undefined;
  subscriptionId?: string | undefined;
  originalAmount?: number | undefined;
  status?: ChargeStatus[] | undefined;
  paymentType?: string[] | undefined;
  providerType?: string[] | undefined;
  orderId?: string | undefined;
  splitRules?: boolean | undefined;
  isDispute?: boolean | undefined;
  created?: { from: Date; until: Date } | undefined;
  "created.gt"?: Date | undefined;
  "created.lt"?: Date | undefined;
}

/** The page and its exact total, from one snapshot. */
export async function listCharges(ctx: Context, filters: ChargeFilters): Promise<Paged<Charge>> {
  const narrow = narrowing(ctx, filters);
  const where = and(ownedBy(ctx), filters.status && inArray(charges.status, filters.status), ...narrow);
  const isCounted = narrow.every((condition) => condition === undefined);
  const totalItems = isCounted ? await countedTotal(ctx, filters.status) : await ctx.db.$count(charges, where);
  const rows = await pageOf(ctx, where, filters, totalItems);
  const [attempts, splits] = await Promise.all([
    attemptsOf(
      ctx,
      rows.map((row) => row.id),
    ),
    splitsOfMany(ctx, rows),
  ]);
  return {
    totalItems,
    items: rows.map((row) => ({
      row,
      attempts: attempts.filter((attempt) => attempt.chargeId === row.id),
      splits: splits.filter((split) => split.chargeId === row.id),
      brand: undefined,
    })),
  };
}

const splitsOfMany = (ctx: Context, rows: ChargeRow[]): Promise<SplitRow[]> | SplitRow[] => {
  const ids = rows.filter((row) => row.hasSplit).map((row) => row.id);
  return ids.length === 0 ? [] : splitsOf(ctx, ids);
};

function narrowing(ctx: Context, filters: ChargeFilters): (SQL | undefined)[] {
  const equal = (column: PgColumn, value: string | number | boolean | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return [
    equal(charges.id, filters.id),
    equal(charges.merchantId, filters.merchantId),
    filters.customerId === undefined ? undefined : sql`${charges.id} in (${ofCustomer(filters.customerId)})`,
    equal(charges.sessionId, filters.sessionId),
    equal(charges.purchaseId, filters.purchaseId),
    equal(charges.subscriptionId, filters.subscriptionId),
    equal(charges.originalAmount, filters.originalAmount),
    filters.paymentType && inArray(charges.paymentType, filters.paymentType),
    filters.providerType && inArray(charges.providerType, filters.providerType),
    equal(charges.orderId, filters.orderId),
    equal(charges.hasSplit, filters.splitRules),
    equal(charges.isDispute, filters.isDispute),
    filters.created && and(gte(charges.createdAt, filters.created.from), lt(charges.createdAt, filters.created.until)),
    filters["created.gt"] && gt(charges.createdAt, filters["created.gt"]),
    filters["created.lt"] && lt(charges.createdAt, filters["created.lt"]),
    equal(charges.createdByKey, publicKeyOf(ctx)),
  ];
}

/** Named with the charge, or its source: each has an index of its own, and an `or` of both would use neither. */
const ofCustomer = (id: string): SQL => sql`
  select c.id from ${charges} c where c.customer_id = ${id}
  union all select c.id from ${charges} c where c.source_customer_id = ${id}`;

/** What was rolled up, and the changes since: exact, and as quick at a million rows as at ten. */
async function countedTotal(ctx: Context, statuses: ChargeStatus[] | undefined): Promise<number> {
  const client = ctx.account.id;
  const isAsked = (status: PgColumn): SQL => (statuses ? inArray(status, statuses) : isNotNull(status));
  const [row] = await ctx.db.execute<{ total: number }>(sql`
    select (select coalesce(sum(${chargeCounts.charges}), 0) from ${chargeCounts}
             where ${chargeCounts.clientId} = ${client} and ${isAsked(chargeCounts.status)})::int
         + (select count(*) filter (where ${isAsked(chargeChanges.status)})
                 - count(*) filter (where ${isAsked(chargeChanges.wasStatus)})
              from ${chargeChanges} where ${chargeChanges.clientId} = ${client})::int as total`);
  return row?.total ?? 0;
}

async function pageOf(ctx: Context, where: SQL | undefined, asked: Page, total: number): Promise<ChargeRow[]> {
  const reading = readingOf(asked, total);
  if (!reading) return [];
  const { size, offset, isBackward, isAscending } = reading;
  const direction = isAscending ? asc : desc;
  // What lies before the page is passed over in the index alone; only the page itself is read.
  const page = ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(where)
    .orderBy(direction(charges.createdAt), direction(charges.id))
    .limit(size)
    .offset(offset);
  const rows = await ctx.db
    .select()
    .from(charges)
    // An array is expected to be short; the rows of a page of unknown size, to be a part of the table.
    .where(sql`${charges.id} = any(array${page})`)
    .orderBy(direction(charges.createdAt), direction(charges.id));
  return isBackward ? rows.reverse() : rows;
}
