import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import type { BrandName } from "@/lib/brazil/card-brand";
import { positionOf, readPosition } from "@/lib/charges/list-position";
import type { ListState } from "@/lib/charges/list-states";
import {
  beyond,
  chargeNarrowing,
  type ListedPayment,
  MOST_COUNTED,
  PAYMENTS_PER_PAGE,
  type PaymentFilters,
  paymentsOf,
} from "@/lib/charges/search";
import { type Context, inSnapshot, sqlState } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";
import { idsByBrand, isBeyondCount, ofBrand, PAID_WITH } from "@/lib/search/brands";
import type { Narrowed } from "@/lib/search/few-or";
import { withBuyer, withClues } from "@/lib/search/meant";
import { idsByMetadata } from "@/lib/search/metadata";
import { hasChargeAt, type ListedPurchase, purchaseNarrowing, purchasesOf } from "@/lib/search/purchases";

export const PAGE_SIZES = [PAYMENTS_PER_PAGE, 50, 100] as const;

/** How the list is ordered: by when payments were made, or by what was asked for. */
export const SORTS = ["newest", "oldest", "highest", "lowest"] as const;
export type Sort = (typeof SORTS)[number];
const isByAmount = (sort: Sort | undefined): boolean => sort === "highest" || sort === "lowest";
const isAscending = (sort: Sort | undefined): boolean => sort === "oldest" || sort === "lowest";

export interface ListFilters extends PaymentFilters {
  sort?: Sort | undefined;
  metadata?: { key: string; value: string } | undefined;
  /** Of a card, as the API spells it. */
  brand?: BrandName | undefined;
  /** One connection to a provider, among several of its kind. */
  connectionId?: string | undefined;
  limit?: number | undefined;
}

/** A charge of its own, or an order on several cards with its cards inside. */
export type ListedItem = (ListedPayment & { kind: "charge" }) | (ListedPurchase & { kind: "purchase" });

export interface ItemPage {
  items: ListedItem[];
  /** Rows that match, at most MOST_COUNTED + 1; undefined where nobody asked. */
  counted: number | undefined;
  /** Of all rows that match, where they are counted exactly. */
  sums: Sums | undefined;
  previous: string | undefined;
  next: string | undefined;
}

/**
 * Cents of what was asked for, taken, given back and taken back by banks, in reais. Where the list is narrowed to a brand
 * or to providers, an order on several cards counts with the cards that are of them.
 */
export interface Sums {
  amount: number;
  captured: number;
  refunded: number;
  chargedBack: number;
  /** Some order counts with a part of its cards. */
  isOfParts: boolean;
}

interface Place {
  kind: ListedItem["kind"];
  id: string;
  createdAt: Date;
  amount: number;
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
  asked: ListFilters,
  { isCounted = true, patienceMs }: Options = {},
): Promise<ItemPage> {
  demand(role, "payments.see");
  const filters = await withClues(ctx, role, asked, patienceMs);
  const [labelled, branded] = await Promise.all([
    filters.metadata && idsByMetadata(ctx, filters.metadata),
    filters.brand && idsByBrand(ctx, filters.brand),
  ]);
  return inSnapshot(ctx, async (inside) => {
    await inside.db.execute(readByIndex(patienceMs));
    const size = filters.limit ?? PAYMENTS_PER_PAGE;
    const where = whereOf(inside, role, filters, [labelled, branded?.listed]);
    const found = await placesOf(inside, where, filters, size);
    const isBackward = filters.before !== undefined;
    const isMore = found.length > size;
    const places = found.slice(0, size);
    if (isBackward) places.reverse();
    const [first, last] = [places[0], places.at(-1)];
    // One after the other: of statements under way together the one that took too long would be told by another's error.
    const items = await itemsOf(inside, role, places);
    const isAll = !isMore && !isBackward && filters.after === undefined;
    const total = !isCounted
      ? undefined
      : (await isBeyond(inside, filters))
        ? { counted: MOST_COUNTED + 1, sums: undefined }
        : await totalOf(inside, whereOf(inside, role, filters, [labelled, branded?.counted]), filters);
    const place = (at: Place): string => (isByAmount(filters.sort) ? `${at.amount}_${at.id}` : positionOf(at));
    return {
      items,
      counted: total?.counted ?? (isAll ? found.length : undefined),
      sums: total?.sums,
      previous: first && (isBackward ? isMore : filters.after !== undefined) ? place(first) : undefined,
      next: last && (isBackward || isMore) ? place(last) : undefined,
    };
  });
}

/** Of a charge (what was captured of it) or a purchase: what it is called by before its page is read. */
export async function amountOfPayment(
  ctx: Context,
  role: OperatorRole,
  id: string,
): Promise<{ amount: number; currency: string } | undefined> {
  if (!may(role, "payments.see")) return undefined;
  const [row] = await inSnapshot(ctx, ({ db, account: { id: client } }) =>
    db.execute<{ amount: string; currency: string }>(sql`
      select coalesce(nullif(least(captured_amount, original_amount), 0), original_amount) as amount, currency from charges where id = ${id} and client_id = ${client}
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
const whereOf = (
  ctx: Context,
  role: OperatorRole,
  filters: ListFilters,
  more: readonly (Narrowed | undefined)[],
): Wheres => ({
  charge: and(
    ...chargeNarrowing(ctx, role, filters),
    isNull(charges.purchaseId),
    filters.connectionId ? eq(charges.providerId, filters.connectionId) : undefined,
    ...more.map((each) => each?.charge),
  ),
  purchase: and(
    ...purchaseNarrowing(ctx, role, filters),
    filters.connectionId ? hasChargeAt(filters.connectionId) : undefined,
    ...more.map((each) => each?.purchase),
  ),
});

/** One more than the page, from both tables; each is walked in the order of the list and no further than needed. */
async function placesOf({ db }: Context, where: Wheres, filters: ListFilters, size: number): Promise<Place[]> {
  const { sort } = filters;
  const isUp = isAscending(sort) !== (filters.before !== undefined);
  const direction = isUp ? asc : desc;
  const [key, purchaseKey] = isByAmount(sort)
    ? [charges.originalAmount, purchases.amount]
    : [charges.createdAt, purchases.createdAt];
  const past = (at: PgColumn, id: PgColumn): SQL | undefined =>
    isByAmount(sort) ? beyondAmount(at, id, filters, isUp) : beyondTime(at, id, filters, isUp);
  const [single, several] = await pipelined([
    db
      .select({ id: charges.id, createdAt: charges.createdAt, amount: charges.originalAmount })
      .from(charges)
      .where(and(where.charge, past(key, charges.id)))
      .orderBy(direction(key), direction(charges.id))
      .limit(size + 1),
    db
      .select({ id: purchases.id, createdAt: purchases.createdAt, amount: purchases.amount })
      .from(purchases)
      .where(and(where.purchase, past(purchaseKey, purchases.id)))
      .orderBy(direction(purchaseKey), direction(purchases.id))
      .limit(size + 1),
  ]);
  const sign = isUp ? 1 : -1;
  const keyOf = ({ createdAt, amount }: Place): number => (isByAmount(sort) ? amount : createdAt.getTime());
  return [
    ...single.map((row): Place => ({ ...row, kind: "charge" })),
    ...several.map((row): Place => ({ ...row, kind: "purchase" })),
  ]
    .sort((a, b) => sign * (keyOf(a) - keyOf(b) || (a.id < b.id ? -1 : 1)))
    .slice(0, size + 1);
}

const AMOUNT_POSITION = /^(\d{1,15})_([0-9a-f-]{36})$/;

function beyondAmount(at: PgColumn, id: PgColumn, { after, before }: ListFilters, isUp: boolean): SQL | undefined {
  const [, amount, placeId] = AMOUNT_POSITION.exec(before ?? after ?? "") ?? [];
  if (!amount || !placeId || !isUuid(placeId)) return undefined;
  const given = sql`(${amount}::bigint, ${placeId}::uuid)`;
  return isUp ? sql`(${at}, ${id}) > ${given}` : sql`(${at}, ${id}) < ${given}`;
}

function beyondTime(at: PgColumn, id: PgColumn, { after, before }: ListFilters, isUp: boolean): SQL | undefined {
  const position = readPosition(before ?? after);
  if (!position) return undefined;
  const given = sql`(${position.at}::timestamptz, ${position.id}::uuid)`;
  return isUp ? sql`(${at}, ${id}) > ${given}` : sql`(${at}, ${id}) < ${given}`;
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

const CURRENCY = "BRL";

interface SumRow extends Record<string, unknown> {
  counted: number;
  amount: string;
  captured: string;
  refunded: string;
  charged_back: string;
  is_of_parts: boolean;
}

/** How many match and what they sum up to; no sums where there are more than anybody counts. */
async function totalOf(
  { db }: Context,
  where: Wheres,
  { brand, provider, connectionId }: ListFilters,
): Promise<{ counted: number; sums: Sums | undefined }> {
  const most = MOST_COUNTED + 1;
  const among = brand ? PAID_WITH : sql`${charges}`;
  const part = and(
    brand ? sql`s.card ->> 'brand' = ${brand}` : undefined,
    provider?.length ? sql`c.provider_type in ${[...provider]}` : undefined,
    connectionId ? sql`c.provider_id = ${connectionId}` : undefined,
  );
  const [row] = await db.execute<SumRow>(sql`
    with single as (
      select ${charges.originalAmount} as amount, ${charges.capturedAmount} as captured,
             ${charges.refundedAmount} as refunded, ${charges.chargedBackAmount} as charged_back,
             ${charges.currency} as currency, false as is_part
        from ${among} where ${where.charge} limit ${most}),
    several as (
      select ${part ? sql`coalesce(taken.amount, 0)` : sql`${purchases.amount}`} as amount,
             coalesce(taken.captured, 0) as captured, coalesce(taken.refunded, 0) as refunded,
             coalesce(taken.charged_back, 0) as charged_back, ${purchases.currency} as currency,
             ${part ? sql`coalesce(taken.amount, 0) < ${purchases.amount}` : sql`false`} as is_part
        from ${purchases}
       cross join lateral (
         select ${part ? sql`sum(s.amount)::bigint as amount,` : sql``} sum(c.captured_amount)::bigint as captured,
                sum(c.refunded_amount)::bigint as refunded, sum(c.charged_back_amount)::bigint as charged_back
           from ${
             part
               ? sql`purchase_payments s left join charges c on c.id = s.charge_id
                      where s.purchase_id = ${purchases.id} and ${part}`
               : sql`charges c where c.purchase_id = ${purchases.id}`
           }) taken
       where ${where.purchase} limit ${most}),
    listed as (select * from single union all select * from several)
    select count(*)::int as counted, coalesce(sum(amount) filter (where currency = ${CURRENCY}), 0)::text as amount,
           coalesce(sum(captured) filter (where currency = ${CURRENCY}), 0)::text as captured,
           coalesce(sum(refunded) filter (where currency = ${CURRENCY}), 0)::text as refunded,
           coalesce(sum(charged_back) filter (where currency = ${CURRENCY}), 0)::text as charged_back,
           coalesce(bool_or(is_part), false) as is_of_parts
      from listed`);
  const counted = Math.min(most, row?.counted ?? 0);
  if (!row || counted > MOST_COUNTED) return { counted, sums: undefined };
  return {
    counted,
    sums: {
      amount: Number(row.amount),
      captured: Number(row.captured),
      refunded: Number(row.refunded),
      chargedBack: Number(row.charged_back),
      isOfParts: row.is_of_parts,
    },
  };
}

/** Rows that match, at most `most`; what is more needs no second table. */
async function countOf({ db }: Context, where: Wheres, most: number): Promise<number> {
  const [row] = await db.execute<{ counted: number }>(sql`
    select (c.single + case when c.single >= ${most} then 0 else (
             select count(*) from (${db.select({ id: purchases.id }).from(purchases).where(where.purchase).limit(most)}) p)
           end)::int as counted
      from (select count(*) as single
              from (select ${charges.id} from ${charges} where ${where.charge} limit ${most}) s) c`);
  return Math.min(most, row?.counted ?? 0);
}

const TAB_COUNTED = 1_000;
const TAB_PATIENCE_MS = 250;

const LATE = "57014";
function unlessLate(thrown: unknown): undefined {
  if (sqlState(thrown) !== LATE) throw thrown;
}

/** How many of each group of states, at most TAB_COUNTED; what takes too long is left out. */
export async function countStates(
  ctx: Context,
  role: OperatorRole,
  asked: ListFilters,
  groups: readonly (readonly ListState[])[],
): Promise<(number | undefined)[]> {
  demand(role, "payments.see");
  const { status: _status, ...filters } = await withClues(ctx, role, asked);
  const labelled = filters.metadata && (await idsByMetadata(ctx, filters.metadata));
  const more = [labelled, filters.brand && ofBrand(filters.brand)];
  const counts: (number | undefined)[] = [];
  for (const status of groups) {
    const counting = inSnapshot(ctx, async (inside) => {
      await inside.db.execute(readByIndex(TAB_PATIENCE_MS));
      return countOf(inside, whereOf(inside, role, { ...filters, status }, more), TAB_COUNTED);
    });
    counts.push(await counting.catch(unlessLate));
  }
  return counts;
}

const NEW_COUNTED = 99;

/** How many came since the list was shown; the list itself stays where it is. */
export async function countNewer(
  ctx: Context,
  role: OperatorRole,
  asked: ListFilters,
  since: { at: Date; id: string },
): Promise<number> {
  demand(role, "payments.see");
  const filters = await withBuyer(ctx, role, asked);
  return inSnapshot(ctx, async (inside) => {
    const { search: _search, metadata: _metadata, ...plain } = filters;
    const newer = { before: positionOf({ createdAt: since.at, id: since.id }) };
    const { charge, purchase } = whereOf(inside, role, plain, [filters.brand && ofBrand(filters.brand)]);
    const where = {
      charge: and(charge, beyond(charges.createdAt, charges.id, newer)),
      purchase: and(purchase, beyond(purchases.createdAt, purchases.id, newer)),
    };
    return countOf(inside, where, NEW_COUNTED);
  });
}
