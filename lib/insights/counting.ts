import { sql } from "drizzle-orm";

/** One of them; all others are whole days away. São Paulo has had no summer time since 2019. */
export const SAO_PAULO_MIDNIGHT = "2020-01-01T03:00:00Z";

/**
 * What the changes of `changed` (rows of charge_changes) add to the counts and take from them, the same for the roll-up
 * and for what is read live. A charge leaves the row it stood in and joins another.
 */
export const COUNT_CHANGES = sql.raw(`
  select c.client_id, c.hour, c.merchant_id, s.provider, c.method, coalesce(k.brand, '') as brand, s.status, s.decline_code,
         c.currency, sum(s.charges)::int as charges, sum(s.charges * c.amount)::bigint as amount,
         sum(s.charges * s.captured)::bigint as captured, sum(s.charges * s.refunded)::bigint as refunded
    from changed c
    left join cards k on k.id = c.card_id
    cross join lateral (values
      (1, c.status, c.provider, c.decline_code, c.captured, c.refunded),
      (-1, c.was_status, c.was_provider, c.was_decline_code, c.was_captured, c.was_refunded)
    ) s (charges, status, provider, decline_code, captured, refunded)
   where s.status is not null
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  having sum(s.charges) <> 0 or sum(s.charges * c.amount) <> 0 or sum(s.charges * s.captured) <> 0
      or sum(s.charges * s.refunded) <> 0`);
