import { type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { COUNT_CHANGES, SAO_PAULO_MIDNIGHT } from "@/lib/insights/counting";

/** Changes taken in one transaction. */
const CHANGES_AT_ONCE = 20_000;
/** What is left after so many is the next minute's. */
const MOST_ROUNDS = 50;
/** Two roll-ups at once would wait for each other's rows in any order. */
const ROLL_UP_LOCK = 4_782_002;

/**
 * Adds the changes of charges to totals and figures, and deletes them; answers how many there were. The work follows
 * the number of changes, not of the charges in their hours.
 */
export async function rollUpCharges(): Promise<number> {
  let rolledUp = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const taken = await rollUpSome();
    rolledUp += taken;
    if (taken < CHANGES_AT_ONCE) break;
  }
  return rolledUp;
}

const KEY = sql.raw("merchant_id, provider, method, brand, status, decline_code, currency");
const SUMS = sql.raw("sum(charges)::int, sum(amount)::bigint, sum(captured)::bigint, sum(refunded)::bigint");

const added = (table: string): SQL =>
  sql.raw(`charges = ${table}.charges + excluded.charges, amount = ${table}.amount + excluded.amount,
    captured = ${table}.captured + excluded.captured, refunded = ${table}.refunded + excluded.refunded`);

const rollUpSome = (): Promise<number> =>
  systemDb().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ROLL_UP_LOCK})`);
    const [done] = await tx.execute<{ taken: number }>(sql`
      with changed as (
        delete from charge_changes where ctid = any(array(select ctid from charge_changes limit ${CHANGES_AT_ONCE}))
        returning *),
      counted as materialized (${COUNT_CHANGES}),
      totals as (
        insert into charge_counts as n (client_id, status, charges)
        select client_id, status, sum(charges)::int from counted group by 1, 2
        on conflict (client_id, status) do update set charges = n.charges + excluded.charges),
      hours as (
        insert into payment_stats_hourly as n (client_id, hour, ${KEY}, charges, amount, captured, refunded)
        select client_id, hour, ${KEY}, charges, amount, captured, refunded from counted
        on conflict on constraint payment_stats_hourly_key do update set ${added("n")}),
      days as (
        insert into payment_stats_daily as n (client_id, day, ${KEY}, charges, amount, captured, refunded)
        select client_id, date_bin('1 day', hour, ${SAO_PAULO_MIDNIGHT}::timestamptz), ${KEY}, ${SUMS}
          from counted group by 1, 2, ${KEY}
        on conflict on constraint payment_stats_daily_key do update set ${added("n")})
      select count(*)::int as taken from changed`);
    return done?.taken ?? 0;
  });
