import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import type { Cents } from "@/lib/money";
import { statementReaderOf } from "@/lib/providers/registry";

/** A receivable that can be paid early: what it is worth is net of its fees and of the refunds taken from it. */
export interface Free {
  id: string;
  settlementDate: CivilDate;
  paymentArrangement: string | null;
  gross: Cents;
}

/** Those whose statement somebody can read: of others nothing is paid early. */
export async function toldProviders(ctx: Context): Promise<string[]> {
  return (await providersOf(ctx)).told;
}

interface Providers {
  told: string[];
  isAll: boolean;
}

async function providersOf({ db, account }: Context): Promise<Providers> {
  const rows = await db.execute<{ id: string; kind: string; routable: boolean }>(sql`
    select id, kind, routable from providers where client_id = ${account.id}`);
  const told = [...rows].filter(({ kind, routable }) => routable && statementReaderOf(kind));
  return { told: told.map(({ id }) => id), isAll: told.length === rows.length };
}

/** Whose: one seller's, or the account's own. */
export const ofParty = (sellerId: string | undefined): SQL =>
  sellerId === undefined ? sql`r.seller_id is null` : sql`r.seller_id = ${sellerId}`;

/**
 * Receivables that settle after the day on which their money would come, and what is left of each. What refunds took and
 * what is disputed is little: each is read once, and not for every receivable.
 */
const waitingRows = (
  { account }: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  { told, isAll }: Providers,
  chosen: SQL = sql``,
) => sql`
  select r.id, r.original_payment_date as day, r.payment_arrangement as arrangement,
         r.gross - r.fee - r.anticipation_fee + coalesce(t.amount, 0)::bigint as open
    from receivables r left join (
      select r.reduces, sum(r.gross - r.fee) as amount from receivables r
       where r.client_id = ${account.id} and ${ofParty(sellerId)} and r.reduces is not null group by r.reduces) t
      on t.reduces = r.id
   where r.client_id = ${account.id} and ${ofParty(sellerId)} and r.type = 'credit' and r.status = 'waiting_funds'
     and r.original_payment_date > ${paymentDate} ${chosen}
     and not exists (
       select from charges c where c.client_id = ${account.id} and c.is_dispute and c.id = r.charge_id)
     ${
       isAll
         ? sql``
         : sql`and exists (
       select from charges c where c.id = r.charge_id and c.provider_id = any(${textArray(told)}::uuid[]))`
     } offset 0`;

const SHOWN = sql`id, day::text as "settlementDate", arrangement as "paymentArrangement", open::float8 as gross`;

export async function freeReceivables(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  chosen: { receiptDates?: readonly string[] | undefined; endDate?: string | undefined },
  limit: number,
): Promise<Free[]> {
  const providers = await providersOf(ctx);
  const dates = chosen.receiptDates
    ? sql`and r.original_payment_date = any(${textArray(chosen.receiptDates)}::date[])`
    : sql`and r.original_payment_date <= ${chosen.endDate ?? "9999-12-31"}`;
  const rows = await ctx.db.execute<Free & Record<string, unknown>>(sql`
    select ${SHOWN} from (${waitingRows(ctx, sellerId, paymentDate, providers, dates)}) free
     where open > 0 order by day, id limit ${limit}`);
  return [...rows];
}

/** One page, and what all of them are worth together (spec/money.md section 8). */
export async function pageOfFree(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: Free[]; total: number; amount: Cents }> {
  const providers = await providersOf(ctx);
  type Row = { [Member in keyof Free]: Free[Member] | null } & { total: number; amount: number };
  const rows = await ctx.db.execute<Row & Record<string, unknown>>(sql`
    with free as materialized (
      select id, day, arrangement, open from (${waitingRows(ctx, sellerId, paymentDate, providers)}) waiting where open > 0),
    page as (select ${SHOWN}, day from free order by day, id limit ${limit} offset ${offset})
    select page.id, page."settlementDate", page."paymentArrangement", page.gross, total, amount
      from (select count(*)::int as total, coalesce(sum(open), 0)::float8 as amount from free) sums
      left join page on true order by page.day, page.id`);
  const [{ total, amount } = { total: 0, amount: 0 }] = rows;
  const items = [...rows].flatMap(({ id, settlementDate, paymentArrangement, gross }) =>
    id === null || settlementDate === null || gross === null ? [] : [{ id, settlementDate, paymentArrangement, gross }],
  );
  return { items, total, amount };
}

/** The settlement dates of all that is free, with how much falls due on each. */
export async function freeDays(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
): Promise<{ day: CivilDate; count: number }[]> {
  const providers = await providersOf(ctx);
  const rows = await ctx.db.execute<{ day: CivilDate; count: number }>(sql`
    select day::text as day, count(*)::int as count
      from (${waitingRows(ctx, sellerId, paymentDate, providers)}) waiting where open > 0 group by 1 order by 1`);
  return [...rows];
}
