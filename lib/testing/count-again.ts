import type postgres from "postgres";
import { rollUpCharges } from "@/lib/insights/roll-up";

/** As if all charges of an account had just been made, after a test or a bench put them where no trigger saw them. */
export async function uncount(sql: postgres.Sql, clientId: string): Promise<void> {
  for (const table of ["charge_counts", "payment_stats_hourly", "payment_stats_daily", "charge_changes"]) {
    await sql`delete from ${sql(table)} where client_id = ${clientId}`;
  }
  await sql`
    insert into charge_changes (client_id, hour, merchant_id, method, currency, card_id, amount, status, provider,
        decline_code, captured, refunded)
    select client_id, date_trunc('hour', created_at, 'UTC'), merchant_id, payment_type, currency, card_id, original_amount,
           status, coalesce(provider_type, ''), coalesce(decline_code, ''), captured_amount, refunded_amount
      from charges where client_id = ${clientId}`;
}

/** The same, rolled up. */
export async function countAgain(sql: postgres.Sql, clientId: string): Promise<void> {
  await uncount(sql, clientId);
  while ((await rollUpCharges()) > 0);
}
