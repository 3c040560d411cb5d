import { and, asc, desc, isNull, type SQL, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import type { BrandName } from "@/lib/brazil/card-brand";
import {
  beyond,
  chargeNarrowing,
  type ListedPayment,
  MOST_COUNTED,
  PAYMENTS_PER_PAGE,
  type PaymentFilters,
  paymentsOf,
  positionOf,
} from "@/lib/charges/search";
import { type Context, inSnapshot } from "@/lib/context";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";
import { idsByBrand, isBeyondCount, ofBrand, PAID_WITH } from "@/lib/search/brands";
import type { Narrowed } from "@/lib/search/few-or";
import { idsByMetadata } from "@/lib/search/metadata";
import { type ListedPurchase, purchaseNarrowing, purchasesOf } from "@/lib/search/purchases";

export const PAGE_SIZES = [PAYMENTS_PER_PAGE, 50, 100] as const;

export interface ListFilters extends PaymentFilters {
  metadata?: { key: string; value: string } | undefined;
  /** Of a card, as the API spells it. */
  brand?: BrandName | undefined;
  limit?: number | undefined;
}

/** A charge of its own, or an order on several cards with its cards inside. */
export type ListedItem = (ListedPayment & { kind: "charge" }) | (ListedPurchase & { kind: "purchase" });

export interface ItemPage {
  items: ListedItem[];
  /** Rows that match, at most MOST_COUNTED + 1; undefined where nobody asked. */
  counted: number | undefined;
  previous: string | undefined;
  next: string | undefined;
}

interface Place {
  kind: ListedItem["kind"];
  id: string;
  createdAt: Date;
}

interface Options {
  isCounted?: boolean;
  /** Given up after this long, with SQLSTATE 57014. */
  patienceMs?: number;
}

/** Charges and purchases as one list, the newest first; a charge that is a card of a purchase is inside its row. */
export async function listPayments(
  ctx: Context,
  role: OperatorRole,
  filters: ListFilters,
  { isCounted = true, patienceMs }: Options = {},
): Promise<ItemPage> {
  demand(role, "payments.see");
  const [labelled, branded] = await Promise.all([
    filters.metadata && idsByMetadata(ctx, filters.metadata),
    filters.brand && idsByBrand(ctx, filters.brand),
  ]);
  return inSnapshot(ctx, async (inside) => {
    await inside.db.execute(readByIndex(patienceMs));
    const size = filters.limit ?? PAYMENTS_PER_PAGE;
    const where = whereOf(inside, filters, [labelled, branded?.listed]);
    const found = await placesOf(inside, where, filters, size);
    const isBackward = filters.before !== undefined;
    const isMore = found.length > size;
    const places = found.slice(0, size);
    if (isBackward) places.reverse();
    const [first, last] = [places[0], places.at(-1)];
    const isWhole = !isMore && !isBackward && filters.after === undefined;
    // One after the other: of statements under way together the one that took too long would be told by another's error.
    const items = await itemsOf(inside, role, places);
    const counted = isWhole
      ? found.length
      : isCounted
        ? (await isBeyond(inside, filters))
          ? MOST_COUNTED + 1
          : await countOf(inside, whereOf(inside, filters, [labelled, branded?.counted]), branded && PAID_WITH)
        : undefined;
    return {
      items,
      counted,
      previous: first && (isBackward ? isMore : filters.after !== undefined) ? positionOf(first) : undefined,
      next: last && (isBackward || isMore) ? positionOf(last) : undefined,
    };
  });
}

/** Of a charge or a purchase: what it is called by before its page is read. */
export async function amountOf(
  ctx: Context,
  role: OperatorRole,
  id: string,
): Promise<{ amount: number; currency: string } | undefined> {
  if (!may(role, "payments.see")) return undefined;
  const [row] = await inSnapshot(ctx, ({ db, account: { id: client } }) =>
    db.execute<{ amount: string; currency: string }>(sql`
      select original_amount as amount, currency from charges where id = ${id} and client_id = ${client}
      union all
      select amount, currency from purchases where id = ${id} and client_id = ${client}`),
  );
  return row && { amount: Number(row.amount), currency: row.currency };
}

/** Few rows of many are wanted, in the order of an index: reading a whole table is never the way to them. */
const readByIndex = (patienceMs = 0): SQL => sql`
  select set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
         set_config('statement_timeout', ${String(patienceMs)}, true)`;

interface Wheres {
  charge: SQL | undefined;
  purchase: SQL | undefined;
}

/** What both kinds of rows are narrowed by; a charge that is a card of a purchase has no row. */
const whereOf = (ctx: Context, filters: ListFilters, more: readonly (Narrowed | undefined)[]): Wheres => ({
  charge: and(...chargeNarrowing(ctx, filters), isNull(charges.purchaseId), ...more.map((each) => each?.charge)),
  purchase: and(...purchaseNarrowing(ctx, filters), ...more.map((each) => each?.purchase)),
});

/** One more than the page, from both tables; each is walked in the order of the list and no further than needed. */
async function placesOf({ db }: Context, where: Wheres, filters: ListFilters, size: number): Promise<Place[]> {
  const direction = filters.before === undefined ? desc : asc;
  const [single, several] = await pipelined([
    db
      .select({ id: charges.id, createdAt: charges.createdAt })
      .from(charges)
      .where(and(where.charge, beyond(charges.createdAt, charges.id, filters)))
      .orderBy(direction(charges.createdAt), direction(charges.id))
      .limit(size + 1),
    db
      .select({ id: purchases.id, createdAt: purchases.createdAt })
      .from(purchases)
      .where(and(where.purchase, beyond(purchases.createdAt, purchases.id, filters)))
      .orderBy(direction(purchases.createdAt), direction(purchases.id))
      .limit(size + 1),
  ]);
  const sign = filters.before === undefined ? -1 : 1;
  return [
    ...single.map((row): Place => ({ ...row, kind: "charge" })),
    ...several.map((row): Place => ({ ...row, kind: "purchase" })),
  ]
    .sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)))
    .slice(0, size + 1);
}

async function itemsOf(ctx: Context, role: OperatorRole, places: readonly Place[]): Promise<ListedItem[]> {
  const ids = (kind: Place["kind"]) => places.flatMap((place) => (place.kind === kind ? [place.id] : []));
  const single = await paymentsOf(ctx, role, ids("charge"));
  const several = await purchasesOf(ctx, role, ids("purchase"));
  const known = new Map<string, ListedItem>([
    ...single.map((row): [string, ListedItem] => [row.id, { ...row, kind: "charge" }]),
    ...several.map((row): [string, ListedItem] => [row.id, { ...row, kind: "purchase" }]),
  ]);
  return places.flatMap(({ id }) => known.get(id) ?? []);
}

/** What is known to be more than anybody counts is not counted: a brand, and a merchant, with nothing beside them. */
async function isBeyond(ctx: Context, filters: ListFilters): Promise<boolean> {
  const { brand, merchantId, limit: _limit, after: _after, before: _before, ...others } = filters;
  if (!brand || Object.values(others).some((given) => given !== undefined && given !== "" && !isNothing(given)))
    return false;
  return isBeyondCount(ctx, brand, merchantId);
}

const isNothing = (given: unknown): boolean => Array.isArray(given) && given.length === 0;

async function countOf({ db }: Context, where: Wheres, among: SQL = sql`${charges}`): Promise<number> {
  const most = MOST_COUNTED + 1;
  // What is more than anybody counts already needs no second table.
  const rows = await db.execute<{ counted: number }>(sql`
    select (c.single + case when c.single >= ${most} then 0 else (
             select count(*) from (${db.select({ id: purchases.id }).from(purchases).where(where.purchase).limit(most)}) p)
           end)::int as counted
      from (select count(*) as single
              from (select ${charges.id} from ${among} where ${where.charge} limit ${most}) s) c`);
  return Math.min(most, rows[0]?.counted ?? 0);
}

const NEW_COUNTED = 99;

/** How many came since the list was shown; the list itself stays where it is. */
export async function countNewer(
  ctx: Context,
  role: OperatorRole,
  filters: ListFilters,
  since: { at: Date; id: string },
): Promise<number> {
  demand(role, "payments.see");
  return inSnapshot(ctx, async (inside) => {
    const { search: _search, metadata: _metadata, ...plain } = filters;
    const newer = { before: positionOf({ createdAt: since.at, id: since.id }) };
    const { charge, purchase } = whereOf(inside, plain, [filters.brand && ofBrand(filters.brand)]);
    const where = {
      charge: and(charge, beyond(charges.createdAt, charges.id, newer)),
      purchase: and(purchase, beyond(purchases.createdAt, purchases.id, newer)),
    };
    return Math.min(NEW_COUNTED, await countOf(inside, where));
  });
}
