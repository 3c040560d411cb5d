import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { COUNT_CHANGES, SAO_PAULO_MIDNIGHT } from "@/lib/insights/counting";
import { DAY_SECONDS } from "@/lib/time";

/** From the first moment to before the second. */
export interface RolledUpStretch {
  from: Date;
  until: Date;
}

export interface AskedSpan {
  /** None of them overlaps another. */
  stretches: readonly RolledUpStretch[];
  merchantId?: string | undefined;
  /** Rows of hours; else those of whole days are one. */
  isByHour?: boolean;
  /**
   * As the list of payments counts them: an order on several cards is one, in its own state. Each card's amount is of its
   * brand and its provider; `of_brand` and `of_provider` count the order once for each of them.
   */
  isByPayment?: boolean;
}

const DAY_MS = DAY_SECONDS * 1_000;
const MIDNIGHT_MS = Date.parse(SAO_PAULO_MIDNIGHT) % DAY_MS;

/**
 * `counted`: the charges of these stretches in rows of `hour` (the hour, or the midnight that began the day) and what
 * they were counted by. Whole days are read as days, days that a stretch cuts as hours; changes since the roll-up are
 * added, and taken away, as rows of their own, so that nobody waits to see a payment.
 */
export function countedIn(
  ctx: Context,
  { stretches, merchantId, isByHour = false, isByPayment = false }: AskedSpan,
): SQL {
  const client = sql`${ctx.account.id}::uuid`;
  const counted = isByPayment ? sql`${COUNTED}, charges as of_brand, charges as of_provider` : COUNTED;
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
      select day as hour, ${counted} from payment_stats_daily d
       where client_id = ${client} and ${isAsked(sql.raw("d.day"))} and ${ofMerchant}
         and d.day not in (select day from split)
      union all
      select hour, ${counted}
        from split
        cross join lateral (
          select * from payment_stats_hourly h
           where h.client_id = ${client} and h.hour >= split.day and h.hour < split.day + interval '1 day' offset 0) s
       where ${isAsked(sql.raw("s.hour"))} and ${ofMerchant}
      union all
      select hour, ${counted} from (${COUNT_CHANGES}) live
      ${isByPayment ? sql`union all ${asPayments(client, isAsked, ofMerchant, stretches)}` : sql.raw("")})`;
}

/** Charges are created with their purchase, or within the day in which its cards are tried. */
const SLOTS_FOLLOW = sql.raw("interval '1 day'");

/** Takes each card of a purchase away again and adds the purchase, with what is on each of its cards. */
function asPayments(
  client: SQL,
  isAsked: (at: SQL) => SQL,
  ofMerchant: SQL,
  stretches: readonly RolledUpStretch[],
): SQL {
  const first = new Date(Math.min(...stretches.map(({ from }) => from.getTime()))).toISOString();
  const hourOf = (column: string): SQL => sql.raw(`date_trunc('hour', ${column}, 'UTC')`);
  const orders = sql`
    select p.* from purchases p
     where p.client_id = ${client} and p.created_at >= ${first}::timestamptz - ${SLOTS_FOLLOW} and ${ofMerchant}`;
  return sql`
    select ${hourOf("c.created_at")} as hour, coalesce(c.provider_type, ''), c.payment_type, coalesce(k.brand, ''), c.status,
           coalesce(c.decline_code, ''), c.currency, -1, -c.original_amount, -c.captured_amount, -c.refunded_amount, -1, -1
      from (${orders}) p
      join charges c on c.purchase_id = p.id
      left join cards k on k.id = c.card_id
     where ${isAsked(hourOf("c.created_at"))}
    union all
    select ${hourOf("p.created_at")}, s.provider, 'credit', s.brand,
           case p.status when 'paid' then 'authorized' when 'failed' then 'failed'
             when 'pending' then case when s.held then 'pre_authorized' else 'pending' end
             else case when s.taken then 'voided' else 'canceled' end end,
           case when p.status = 'failed' then coalesce(s.reason, '') else '' end,
           p.currency, s.is_first, s.amount, s.captured, s.refunded, s.is_first_of_brand, s.is_first_of_provider
      from (${orders}) p
     cross join lateral (
       select c.provider, c.brand, c.amount, c.captured, c.refunded, bool_and(c.held) over () as held,
              bool_or(c.taken) over () as taken, first_value(c.reason) over (order by c.reason is null, c.slot) as reason,
              (row_number() over (order by c.slot) = 1)::int as is_first,
              (row_number() over (partition by c.brand order by c.slot) = 1)::int as is_first_of_brand,
              (row_number() over (partition by c.provider order by c.slot) = 1)::int as is_first_of_provider
         from (
           select pp.slot_index as slot, pp.amount, pp.status = 'pre_authorized' as held, pp.was_captured as taken,
                  pp.decline_reason as reason, coalesce(pp.card ->> 'brand', '') as brand,
                  coalesce(c.provider_type, '') as provider, coalesce(c.captured_amount, 0) as captured,
                  coalesce(c.refunded_amount, 0) as refunded
             from purchase_payments pp left join charges c on c.id = pp.charge_id
            where pp.purchase_id = p.id) c) s
     where ${isAsked(hourOf("p.created_at"))}`;
}

const COUNTED = sql.raw("provider, method, brand, status, decline_code, currency, charges, amount, captured, refunded");

const midnightBefore = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - MIDNIGHT_MS) / DAY_MS) * DAY_MS + MIDNIGHT_MS);

/** Days of São Paulo that a stretch has only a part of. */
const cutDays = ({ from, until }: RolledUpStretch): Date[] =>
  [from, until].filter((at) => at.getTime() !== midnightBefore(at).getTime()).map(midnightBefore);

function daysOf({ from, until }: RolledUpStretch): Date[] {
  const days: Date[] = [];
  for (let at = midnightBefore(from).getTime(); at < until.getTime(); at += DAY_MS) days.push(new Date(at));
  return days;
}
