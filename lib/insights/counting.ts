import { sql } from "drizzle-orm";

/** One of them; all others are whole days away. São Paulo has had no summer time since 2019. */
export const SAO_PAULO_MIDNIGHT = "2020-01-01T03:00:00Z";

/**
 * How the charges of one hour are counted, the same for the roll-up and for what is read live. `stale` names the rows
 * (client_id, hour) to be counted; each is one range of an index.
 */
export const COUNT_CHARGES = sql.raw(`
  select stale.client_id, stale.hour, c.merchant_id, coalesce(c.provider_type, '') as provider, c.payment_type as method,
         coalesce(k.brand, '') as brand, c.status, coalesce(c.decline_code, '') as decline_code, c.currency, count(*)::int as charges,
         sum(c.original_amount)::bigint as amount, sum(c.captured_amount)::bigint as captured,
         sum(c.refunded_amount)::bigint as refunded
    from stale
    cross join lateral (
      select * from charges c
       where c.client_id = stale.client_id and c.created_at >= stale.hour and c.created_at < stale.hour + interval '1 hour'
      offset 0) c
    left join cards k on k.id = c.card_id
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
