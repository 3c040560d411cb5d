import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import type { Cents } from "@/lib/money";
import { statementReaderOf } from "@/lib/providers/registry";
import { OPEN } from "@/lib/receivables/giving-back";

/** A receivable that can be paid early: what it is worth is net of its fees and of the refunds taken from it. */
export interface Free {
  id: string;
  settlementDate: CivilDate;
  paymentArrangement: string | null;
  gross: Cents;
}

/** Of acquirers whose statement nobody can read nothing is paid early. */
export async function toldProviders({ db, account }: Context): Promise<string[]> {
  const rows = await db.execute<{ id: string; kind: string }>(sql`
    select id, kind from providers where client_id = ${account.id} and routable`);
  return [...rows].filter(({ kind }) => statementReaderOf(kind)).map(({ id }) => id);
}

/** Whose: one seller's, or the account's own. */
export const ofParty = (sellerId: string | undefined): SQL =>
  sellerId === undefined ? sql`r.seller_id is null` : sql`r.seller_id = ${sellerId}`;

/** Free receivables `r` that settle after the day on which their money would come (spec/money.md section 8). */
export const freeRows = (
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  told: readonly string[],
) => sql`
  from receivables r join charges c on c.id = r.charge_id
 where r.client_id = ${ctx.account.id} and ${ofParty(sellerId)} and r.type = 'credit' and r.status = 'waiting_funds'
   and r.original_payment_date > ${paymentDate} and not c.is_dispute and c.provider_id = any(${textArray(told)}::uuid[])
   and ${OPEN} > 0`;

export async function freeReceivables(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  chosen: { receiptDates?: readonly string[] | undefined; endDate?: string | undefined },
  limit: number,
): Promise<Free[]> {
  const told = await toldProviders(ctx);
  const dates = chosen.receiptDates
    ? sql`r.original_payment_date = any(${textArray(chosen.receiptDates)}::date[])`
    : sql`r.original_payment_date <= ${chosen.endDate ?? "9999-12-31"}`;
  const rows = await ctx.db.execute<Free & Record<string, unknown>>(sql`
    select r.id, r.original_payment_date::text as "settlementDate", r.payment_arrangement as "paymentArrangement",
           ${OPEN}::float8 as gross
      ${freeRows(ctx, sellerId, paymentDate, told)} and ${dates}
     order by r.original_payment_date, r.id limit ${limit}`);
  return [...rows];
}

/** One page, and what all of them are worth together. */
export async function pageOfFree(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: Free[]; total: number; amount: Cents }> {
  const told = await toldProviders(ctx);
  const free = freeRows(ctx, sellerId, paymentDate, told);
  const [sums] = await ctx.db.execute<{ total: number; amount: number }>(sql`
    select count(*)::int as total, coalesce(sum(${OPEN}), 0)::float8 as amount ${free}`);
  const rows = await ctx.db.execute<Free & Record<string, unknown>>(sql`
    select r.id, r.original_payment_date::text as "settlementDate", r.payment_arrangement as "paymentArrangement",
           ${OPEN}::float8 as gross ${free}
     order by r.original_payment_date, r.id limit ${limit} offset ${offset}`);
  return { items: [...rows], total: sums?.total ?? 0, amount: sums?.amount ?? 0 };
}

/** The settlement dates of all that is free, with how much falls due on each. */
export async function freeDays(
  ctx: Context,
  sellerId: string | undefined,
  paymentDate: CivilDate,
): Promise<{ day: CivilDate; count: number }[]> {
  const told = await toldProviders(ctx);
  const rows = await ctx.db.execute<{ day: CivilDate; count: number }>(sql`
    select r.original_payment_date::text as day, count(*)::int as count ${freeRows(ctx, sellerId, paymentDate, told)}
     group by 1 order by 1`);
  return [...rows];
}
