import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { COUNT_CHARGES, SAO_PAULO_MIDNIGHT } from "@/lib/insights/counting";

/** Marks taken in one transaction; a long back-filling is done in several. */
const MARKS_AT_ONCE = 20_000;
const HOURS_AT_ONCE = 400;
const MOST_ROUNDS = 500;
/** Two roll-ups of one hour would count it from different moments. */
const ROLL_UP_LOCK = 4_782_002;

/** Counts every hour again in which a charge changed, and its day; answers how many hours. Repeating it changes nothing. */
export async function rollUpPaymentStats(): Promise<number> {
  let counted = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const hours = await rollUpSome();
    if (hours === 0) break;
    counted += hours;
  }
  return counted;
}

/** The marks go with the counts that they asked for: a change committed later leaves a mark of its own. */
async function rollUpSome(): Promise<number> {
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ROLL_UP_LOCK})`);
    const hours = await tx.execute<{ client: string; hour: string }>(sql`
      with chosen as (
        select distinct client_id, hour from (select * from payment_stats_stale limit ${MARKS_AT_ONCE}) marks
         limit ${HOURS_AT_ONCE}),
      gone as (delete from payment_stats_stale s using chosen
                where s.client_id = chosen.client_id and s.hour = chosen.hour returning s.client_id, s.hour)
      select distinct client_id as client, hour::text from gone`);
    if (hours.length === 0) return 0;
    const stale = sql`stale as (select * from unnest(
      ${`{${hours.map(({ client }) => client).join(",")}}`}::uuid[],
      ${`{${hours.map(({ hour }) => `"${hour}"`).join(",")}}`}::timestamptz[]) as named(client_id, hour))`;
    await tx.execute(sql`with ${stale} delete from payment_stats_hourly s using stale
      where s.client_id = stale.client_id and s.hour = stale.hour`);
    await tx.execute(sql`with ${stale} insert into payment_stats_hourly (client_id, hour, merchant_id, provider, method,
      brand, status, decline_code, currency, charges, amount, captured, refunded) ${COUNT_CHARGES}`);
    const days = sql`${stale}, days as (
      select distinct client_id, date_bin('1 day', hour, ${SAO_PAULO_MIDNIGHT}::timestamptz) as day from stale)`;
    await tx.execute(sql`with ${days} delete from payment_stats_daily s using days
      where s.client_id = days.client_id and s.day = days.day`);
    await tx.execute(sql`with ${days} insert into payment_stats_daily (client_id, day, merchant_id, provider, method,
        brand, status, decline_code, currency, charges, amount, captured, refunded)
      select days.client_id, days.day, merchant_id, provider, method, brand, status, decline_code, currency,
             sum(charges), sum(amount), sum(captured), sum(refunded)
        from days
        cross join lateral (
          select * from payment_stats_hourly h
           where h.client_id = days.client_id and h.hour >= days.day and h.hour < days.day + interval '1 day' offset 0) h
       group by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
    return hours.length;
  });
}
