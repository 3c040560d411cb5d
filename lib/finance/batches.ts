import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import {
  BATCH_STATUSES,
  type BatchStatus,
  payoutBatches,
  payoutTransfers,
  type TransferState,
} from "@/db/schema/payouts";
import { sellers } from "@/db/schema/sellers";
import { positionOf } from "@/lib/charges/list-position";
import { beyond } from "@/lib/charges/search";
import { type Context, inSnapshot } from "@/lib/context";
import { dayIn } from "@/lib/finance/days";
import { isUuid } from "@/lib/ids";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type BatchRow, paidWithOf } from "@/lib/payouts/queries";
import { sellersLike } from "@/lib/search/sellers";
import { shownSeller } from "@/lib/sellers/operator-queries";

export const BATCHES_PER_PAGE = 25;
/** More are not counted for a list. */
export const MOST_BATCHES_COUNTED = 10_000;
/** Sellers that one text can mean. */
const MOST_SELLERS = 50;

export interface ListedBatch {
  row: BatchRow;
  /** What its sales were paid with, where the batch itself says nothing of it. */
  paidWith: readonly string[];
  /** Null: the merchant's own. */
  seller: string | null;
  merchant: string | null;
  /** What became of the transfer of a seller's batch that sends something. */
  transfer: TransferState | null;
}

/** As they were typed: what cannot be read is left out. */
export interface ShownBatchFilters {
  /** A batch, a payment that stands in one, a transfer as we, its bank or its file call it, a file, or a seller. */
  search?: string | undefined;
  status?: string | undefined;
  /** Those of the merchants themselves, or of sellers. */
  whose?: string | undefined;
  sellerId?: string | undefined;
  merchantId?: string | undefined;
  /** Days of payment, both included. */
  from?: string | undefined;
  until?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export interface BatchPage {
  items: ListedBatch[];
  /** Over every page; when `isMore`, of the newest that were counted. What a failed one held stands in a later one. */
  total: { count: number; amount: number; isMore: boolean };
  previous: string | undefined;
  next: string | undefined;
}

export async function listBatchesForOperator(
  ctx: Context,
  role: OperatorRole,
  filters: ShownBatchFilters,
): Promise<BatchPage> {
  demand(role, "payouts.see");
  const named =
    filters.search && !isUuid(filters.search) ? await sellersLike(ctx, role, filters.search, MOST_SELLERS) : [];
  const isBackward = filters.before !== undefined;
  const order = isBackward ? asc : desc;
  return inSnapshot(ctx, async (inside) => {
    const where = and(eq(payoutBatches.clientId, inside.account.id), ...narrowing(inside, filters, named));
    const rows = await inside.db
      .select({ row: payoutBatches, seller: sellers, merchant: merchants.name, transfer: payoutTransfers.status })
      .from(payoutBatches)
      .innerJoin(merchants, eq(merchants.id, payoutBatches.merchantId))
      .leftJoin(sellers, eq(sellers.id, payoutBatches.sellerId))
      .leftJoin(payoutTransfers, eq(payoutTransfers.batchId, payoutBatches.id))
      .where(and(where, beyond(payoutBatches.createdAt, payoutBatches.id, filters)))
      .orderBy(order(payoutBatches.createdAt), order(payoutBatches.id))
      .limit(BATCHES_PER_PAGE + 1);
    const isMore = rows.length > BATCHES_PER_PAGE;
    const shown = rows.slice(0, BATCHES_PER_PAGE);
    if (isBackward) shown.reverse();
    const [first, last] = [shown[0]?.row, shown.at(-1)?.row];
    const paidWith = await paidWithOf(
      inside,
      shown.map(({ row }) => row),
    );
    return {
      items: shown.map(({ row, seller, merchant, transfer }) => ({
        row,
        paidWith: paidWith.get(row.id) ?? [],
        transfer,
        seller: seller && shownSeller(role, seller).name,
        merchant,
      })),
      total: await totalOf(inside, where),
      previous: first && (isBackward ? isMore : filters.after !== undefined) ? positionOf(first) : undefined,
      next: last && (isBackward || isMore) ? positionOf(last) : undefined,
    };
  });
}

async function totalOf({ db }: Context, where: SQL | undefined): Promise<BatchPage["total"]> {
  const counted = db
    .select({ finalBalance: payoutBatches.finalBalance, status: payoutBatches.status })
    .from(payoutBatches)
    .where(where)
    .orderBy(desc(payoutBatches.createdAt), desc(payoutBatches.id))
    .limit(MOST_BATCHES_COUNTED + 1)
    .as("counted");
  const [row] = await db
    .select({
      count: sql`count(*)`.mapWith(Number),
      amount:
        sql`coalesce(sum(${counted.finalBalance}) filter (where ${counted.status} in ('pending', 'paid')), 0)`.mapWith(
          Number,
        ),
    })
    .from(counted);
  const { count, amount } = row ?? { count: 0, amount: 0 };
  return { count: Math.min(count, MOST_BATCHES_COUNTED), amount, isMore: count > MOST_BATCHES_COUNTED };
}

const statusesIn = (text: string | undefined): BatchStatus[] => BATCH_STATUSES.filter((each) => each === text);

function narrowing(ctx: Context, filters: ShownBatchFilters, named: readonly string[]): (SQL | undefined)[] {
  const { search, sellerId = "", merchantId = "", whose } = filters;
  const [statuses, from, until] = [statusesIn(filters.status), dayIn(filters.from), dayIn(filters.until)];
  return [
    search === undefined ? undefined : meant(ctx, search, named),
    statuses.length > 0 ? inArray(payoutBatches.status, statuses) : undefined,
    whose === "own" ? isNull(payoutBatches.sellerId) : undefined,
    whose === "sellers" ? isNotNull(payoutBatches.sellerId) : undefined,
    isUuid(sellerId) ? eq(payoutBatches.sellerId, sellerId) : undefined,
    isUuid(merchantId) ? eq(payoutBatches.merchantId, merchantId) : undefined,
    from === undefined ? undefined : gte(payoutBatches.paymentDate, from),
    until === undefined ? undefined : lte(payoutBatches.paymentDate, until),
  ];
}

function meant({ account }: Context, search: string, named: readonly string[]): SQL | undefined {
  if (isUuid(search)) {
    return or(
      eq(payoutBatches.id, search),
      eq(payoutBatches.sellerId, search),
      sql`${payoutBatches.id} in (
        select l.batch_id from payout_lines l where l.client_id = ${account.id} and l.source_id in (
          select r.id from receivables r join charges c on c.id = r.charge_id
           where r.client_id = ${account.id} and c.client_id = ${account.id} and (c.id = ${search} or c.purchase_id = ${search}))
        union all
        select t.batch_id from payout_transfers t where t.client_id = ${account.id} and t.file_id = ${search})`,
    );
  }
  return or(
    named.length > 0 ? inArray(payoutBatches.sellerId, [...named]) : undefined,
    sql`${payoutBatches.id} in (
      select t.batch_id from payout_transfers t where t.client_id = ${account.id}
         and (t.reference = ${search} or t.file_number = ${search} or t.bank_reference = ${search}))`,
  );
}
