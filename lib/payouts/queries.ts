import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { payoutBatches, payoutLines } from "@/db/schema/payouts";
import { receivables } from "@/db/schema/receivables";
import { whereIdIn } from "@/db/where-id-in";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import type { BatchFilters, OrderFilters } from "@/lib/payouts/schema";

export type BatchRow = typeof payoutBatches.$inferSelect;
export type LineRow = typeof payoutLines.$inferSelect;
type ReceivableRow = typeof receivables.$inferSelect;
export interface OrderRow {
  row: ReceivableRow;
  /** The newest batch that it stands in. */
  place: Pick<LineRow, "batchId" | "previousBatchId"> | undefined;
}

const ownBatches = (ctx: Context): SQL => eq(payoutBatches.clientId, ctx.account.id);
/** An order is there from its release on; what is taken, from when it was. */
const orders = (ctx: Context) => and(eq(receivables.clientId, ctx.account.id), isNotNull(receivables.availableAt));

/** `*`: everybody's; none: the account's own. */
const ofParty = (
  column: typeof payoutBatches.sellerId | typeof receivables.sellerId,
  sellerId: string | undefined,
): SQL | undefined => (sellerId === "*" ? undefined : sellerId === undefined ? isNull(column) : eq(column, sellerId));

export async function findBatch(ctx: Context, id: string, lock?: "update"): Promise<BatchRow | undefined> {
  const asked = ctx.db
    .select()
    .from(payoutBatches)
    .where(and(ownBatches(ctx), eq(payoutBatches.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  return row;
}

/** What the sales of a batch that says neither method nor arrangement were paid with, in the order of their names. */
export async function paidWithOf(
  { db, account }: Context,
  batches: readonly BatchRow[],
): Promise<Map<string, string[]>> {
  const unsaid = batches.filter((row) => row.paymentMethod === null && row.paymentArrangement === null);
  if (unsaid.length === 0) return new Map();
  const rows = await db
    .selectDistinct({ batchId: payoutLines.batchId, method: receivables.paymentMethod })
    .from(payoutLines)
    .innerJoin(receivables, eq(receivables.id, payoutLines.sourceId))
    .where(
      and(
        eq(payoutLines.clientId, account.id),
        inArray(
          payoutLines.batchId,
          unsaid.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(receivables.paymentMethod));
  const methods = new Map<string, string[]>();
  for (const { batchId, method } of rows) methods.set(batchId, [...(methods.get(batchId) ?? []), method]);
  return methods;
}

export async function listBatches(ctx: Context, filters: BatchFilters): Promise<Paged<BatchRow>> {
  const { sellerId, merchantId, status, startDate, endDate, paymentDate } = filters;
  const where = and(
    ownBatches(ctx),
    ofParty(payoutBatches.sellerId, sellerId),
    merchantId === undefined ? undefined : eq(payoutBatches.merchantId, merchantId),
    status === undefined ? undefined : inArray(payoutBatches.status, status),
    startDate === undefined ? undefined : gte(payoutBatches.createdAt, startDate),
    endDate === undefined ? undefined : lte(payoutBatches.createdAt, endDate),
    paymentDate === undefined ? undefined : eq(payoutBatches.paymentDate, paymentDate),
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: payoutBatches, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(payoutBatches)
    .where(where)
    .orderBy(order(payoutBatches.createdAt), order(payoutBatches.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return {
    items: rows.map(({ row }) => row),
    totalItems: rows[0]?.totalItems ?? (await ctx.db.$count(payoutBatches, where)),
  };
}

export async function listOrders(ctx: Context, filters: OrderFilters): Promise<Paged<OrderRow>> {
  const { sellerId, merchantId, chargeId, startDate, endDate } = filters;
  const where = and(
    orders(ctx),
    ofParty(receivables.sellerId, sellerId),
    merchantId === undefined ? undefined : eq(receivables.merchantId, merchantId),
    chargeId === undefined ? undefined : eq(receivables.chargeId, chargeId),
    startDate === undefined ? undefined : gte(receivables.createdAt, startDate),
    endDate === undefined ? undefined : lte(receivables.createdAt, endDate),
  );
  return pageOfOrders(ctx, filters, where);
}

/** Also of a batch that failed, though they stand in a later one too. Each is looked up once, by its key. */
export async function ordersOfBatch(ctx: Context, batchId: string, page: Page): Promise<Paged<OrderRow>> {
  const order = sql.raw(directionOf(page));
  const rows = await ctx.db.execute<{ total: number; id: string | null }>(sql`
    with found as materialized (
      select r.id, r.created_at
        from (select distinct source_id from payout_lines
               where client_id = ${ctx.account.id} and batch_id = ${batchId} and source_type = 'receivable') l,
             lateral (select id, created_at from receivables
               where client_id = ${ctx.account.id} and id = l.source_id and available_at is not null offset 0) r),
    page as (
      select id, created_at from found order by created_at ${order}, id ${order}
       limit ${page.limit} offset ${offsetOf(page)})
    select sums.total, page.id from (select count(*)::int as total from found) sums
      left join page on true order by page.created_at ${order}, page.id ${order}`);
  const ids = [...rows].flatMap(({ id }) => id ?? []);
  const found = await ctx.db
    .select()
    .from(receivables)
    .where(and(orders(ctx), whereIdIn(receivables.id, ids)))
    .orderBy(...inOrder(page));
  return { items: await placed(ctx, found), totalItems: rows[0]?.total ?? 0 };
}

const inOrder = (page: Page): SQL[] =>
  [receivables.createdAt, receivables.id].map(directionOf(page) === "asc" ? asc : desc);

async function pageOfOrders(ctx: Context, page: Page, where: SQL | undefined): Promise<Paged<OrderRow>> {
  const rows = await ctx.db
    .select()
    .from(receivables)
    .where(where)
    .orderBy(...inOrder(page))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items: await placed(ctx, rows), totalItems: await ctx.db.$count(receivables, where) };
}

export async function findOrder(ctx: Context, id: string): Promise<OrderRow | undefined> {
  const rows = await ctx.db
    .select()
    .from(receivables)
    .where(and(orders(ctx), eq(receivables.id, id)));
  return (await placed(ctx, rows))[0];
}

async function placed(ctx: Context, rows: readonly ReceivableRow[]): Promise<OrderRow[]> {
  if (rows.length === 0) return [];
  const found = await ctx.db.execute<{ id: string; batchId: string; previousBatchId: string | null }>(sql`
    select distinct on (source_id) source_id as id, batch_id as "batchId", previous_batch_id as "previousBatchId"
      from payout_lines
     where client_id = ${ctx.account.id} and source_id = any(${textArray(rows.map(({ id }) => id))}::uuid[])
     order by source_id, created_at desc, id desc`);
  const places = new Map([...found].map(({ id, ...place }) => [id, place]));
  return rows.map((row) => ({ row, place: places.get(row.id) }));
}

export async function linesOfBatch(ctx: Context, batchId: string, page: Page): Promise<Paged<LineRow>> {
  const where = and(eq(payoutLines.clientId, ctx.account.id), eq(payoutLines.batchId, batchId));
  const items = await ctx.db
    .select()
    .from(payoutLines)
    .where(where)
    .orderBy(asc(payoutLines.id))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items, totalItems: await ctx.db.$count(payoutLines, where) };
}

/** Released and in no batch, over all merchants: the account's own, with what offset batches left open. */
export async function ownFigures({ db, account }: Context): Promise<{ available: number; inTransit: number }> {
  const [row] = await db.execute<{ available: number; inTransit: number }>(sql`
    select ((select coalesce(sum(r.gross - r.fee - r.anticipation_fee), 0)
               from merchants m join receivables r on r.merchant_id = m.id left join receivables p on p.id = r.reduces
              where m.client_id = ${account.id} and r.seller_id is null and r.batch_id is null
                and r.available_at is not null and (r.reduces is null or p.available_at is not null))
          + (select coalesce(sum(b.final_balance), 0) from payout_batches b
              where b.client_id = ${account.id} and b.seller_id is null and b.status = 'offset'
                and not exists (
                  select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)))::float8
             as available,
           (select coalesce(sum(b.final_balance), 0) from payout_batches b
             where b.client_id = ${account.id} and b.seller_id is null and b.status = 'pending')::float8 as "inTransit"`);
  return row ?? { available: 0, inTransit: 0 };
}

export const merchantIdsOf = async ({ db, account }: Context): Promise<string[]> =>
  [...(await db.execute<{ id: string }>(sql`select id from merchants where client_id = ${account.id}`))].map(
    ({ id }) => id,
  );
