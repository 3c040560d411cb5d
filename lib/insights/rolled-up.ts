import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { COUNT_CHANGES, SAO_PAULO_MIDNIGHT } from "@/lib/insights/counting";
import { DAY_SECONDS } from "@/lib/time";

/** From the first moment to before the second. */
export interface Stretch {
  from: Date;
  until: Date;
}

export interface Asked {
  /** None of them overlaps another. */
  stretches: readonly Stretch[];
  merchantId?: string | undefined;
  /** Rows of hours; else those of whole days are one. */
  isByHour?: boolean;
}

const DAY_MS = DAY_SECONDS * 1_000;
const MIDNIGHT_MS = Date.parse(SAO_PAULO_MIDNIGHT) % DAY_MS;

/**
 * `counted`: the charges of these stretches in rows of `hour` (the hour, or the midnight that began the day) and what
 * they were counted by. Whole days are read as days, days that a stretch cuts as hours; changes since the roll-up are
 * added, and taken away, as rows of their own, so that nobody waits to see a payment.
 */
export function countedIn(ctx: Context, { stretches, merchantId, isByHour = false }: Asked): SQL {
  const client = sql`${ctx.account.id}::uuid`;
  const isAsked = (at: SQL): SQL =>
    sql`(${sql.join(
      stretches.map(
        ({ from, until }) =>
          sql`(${at} >= ${from.toISOString()}::timestamptz and ${at} < ${until.toISOString()}::timestamptz)`,
      ),
      sql` or `,
    )})`;
  const ofMerchant = merchantId ? sql`merchant_id = ${merchantId}::uuid` : sql.raw("true");
  const days = stretches.flatMap(isByHour ? daysOf : cutDays).map((day) => day.toISOString());
  return sql`
    split as materialized (
      select distinct unnest(${`{${days.join(",")}}`}::timestamptz[]) as day),
    changed as materialized (
      select * from charge_changes c where client_id = ${client} and ${isAsked(sql.raw("c.hour"))} and ${ofMerchant}),
    counted as (
      select day as hour, ${COUNTED} from payment_stats_daily d
       where client_id = ${client} and ${isAsked(sql.raw("d.day"))} and ${ofMerchant}
         and d.day not in (select day from split)
      union all
      select hour, ${COUNTED}
        from split
        cross join lateral (
          select * from payment_stats_hourly h
           where h.client_id = ${client} and h.hour >= split.day and h.hour < split.day + interval '1 day' offset 0) s
       where ${isAsked(sql.raw("s.hour"))} and ${ofMerchant}
      union all
      select hour, ${COUNTED} from (${COUNT_CHANGES}) live)`;
}

const COUNTED = sql.raw("provider, method, brand, status, decline_code, currency, charges, amount, captured, refunded");

const midnightBefore = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - MIDNIGHT_MS) / DAY_MS) * DAY_MS + MIDNIGHT_MS);

/** Days of São Paulo that a stretch has only a part of. */
const cutDays = ({ from, until }: Stretch): Date[] =>
  [from, until].filter((at) => at.getTime() !== midnightBefore(at).getTime()).map(midnightBefore);

function daysOf({ from, until }: Stretch): Date[] {
  const days: Date[] = [];
  for (let at = midnightBefore(from).getTime(); at < until.getTime(); at += DAY_MS) days.push(new Date(at));
  return days;
}
