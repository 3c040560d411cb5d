import { type SQL, sql } from "drizzle-orm";
import { addDays, type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";

const WEEK_DAYS = 7;

/** A payout that failed is told of for a week: what it held stands in a later one. */
export const failedFrom = (ctx: Context): CivilDate => addDays(saoPauloDay(now(ctx)), -WEEK_DAYS);
/** A payout whose transfer nobody told of for a week is late. */
export const overdueUntil = failedFrom;

/** Sellers' payouts that failed or that nobody made, sellers who are paid nothing, and subscriptions that are charged no more. */
export const moneyLeftBehind = (ctx: Context, most: number): SQL => {
  const client = ctx.account.id;
  const since = failedFrom(ctx);
  return sql`
    select 'payouts_failed', count(*)::int, coalesce(sum(amount), 0)::text, min(at)
      from (select final_balance as amount, updated_at as at from payout_batches
             where client_id = ${client} and created_at >= ${since}::date - 1 and payment_date >= ${since}
               and status = 'failed' limit ${most}) f
    union all
    select 'payouts_overdue', count(*)::int, coalesce(sum(amount), 0)::text, min(day)::timestamptz
      from (select b.final_balance as amount, b.payment_date as day
              from merchants m join payout_batches b on b.merchant_id = m.id
             where m.client_id = ${client} and b.status = 'pending' and b.seller_id is not null
               and b.payment_date <= ${overdueUntil(ctx)} limit ${most}) o
    union all
    select 'sellers_held', count(*)::int, '0', min(at)
      from (select min(created_at) as at from payout_holds
             where client_id = ${client} and lifted_at is null group by seller_id limit ${most}) h
    union all
    select 'subscriptions_unpaid', count(*)::int, coalesce(sum(amount), 0)::text, min(at)
      from (select amount, updated_at as at from subscriptions
             where client_id = ${client} and status = 'unpaid' limit ${most}) u`;
};
