import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { accountOf, availableOf } from "@/lib/ledger/accounts";
import type { StatementOf } from "@/lib/statements/service";

/** Why money of a party moved without a sale. */
export type OtherType =
  | "transfer_fee"
  | "transfer_fee_returned"
  | "returned"
  | "credit"
  | "correction"
  | "write_off"
  | "seller_credit"
  | "seller_correction";

export interface StatementOther {
  /** Of the journal. */
  id: string;
  day: string;
  type: OtherType;
  /** What was taken stands below zero. */
  amount: number;
  /** Where it is to be read: the payout, or the seller whose adjustment it is. */
  batchId: string | null;
  sellerId: string;
}

/** Rows that a statement lists; the sum is over all of them. */
export const MOST_OTHERS = 500;

export interface StatementOthers {
  others: StatementOther[];
  otherCount: number;
  otherTotal: number;
}

/**
 * What the books moved of a party's available money in the month besides sales and payouts themselves: prices of
 * transfers, transfers that came back, and adjustments, by the day they were booked.
 */
export async function othersOf(ctx: Context, of: StatementOf): Promise<StatementOthers> {
  const { db, account } = ctx;
  const { sellerId } = of;
  const books = { clientId: account.id, merchantId: of.merchantId, currency: "BRL" };
  const own = accountOf(books, availableOf(sellerId)).id;
  // A merchant pays no transfers; what sellers are credited by hand is its own.
  const ofBatch: SQL = sellerId === null ? sql`false` : sql`b.seller_id = ${sellerId}::uuid`;
  const ofAdjustment: SQL = sellerId === null ? sql`true` : sql`a.seller_id = ${sellerId}::uuid`;
  const whose = sellerId === null ? "seller_" : "";
  const found = sql`
    with evidence (event_type, event_id, type, batch_id, seller_id) as (
      select e.event_type, b.id::text, e.type, b.id, b.seller_id
        from payout_batches b
        cross join (values ('payout', 'transfer_fee'), ('payout_failed', 'transfer_fee_returned')) e (event_type, type)
       where b.client_id = ${account.id} and b.merchant_id = ${of.merchantId}::uuid and ${ofBatch}
         and b.withdrawal_fee_amount > 0
      union all
      select case a.kind when 'returned' then 'payout_returned' else 'adjustment' end,
             case a.kind when 'returned' then a.transfer_id else a.id end::text, ${whose} || a.kind, t.batch_id, a.seller_id
        from seller_adjustments a left join payout_transfers t on t.id = a.transfer_id
       where a.client_id = ${account.id} and a.merchant_id = ${of.merchantId}::uuid and ${ofAdjustment}
    ), booked as (
      select j.id, j.civil_date as day, e.type, e.batch_id, e.seller_id,
             sum(case when x.credit_account = ${own} then x.amount else -x.amount end) as amount
        from evidence e
        join journals j on j.event_type = e.event_type and j.event_id = e.event_id
        join transfers x on x.journal_id = j.id and ${own} in (x.credit_account, x.debit_account)
        join ledger_accounts o on o.id = case when x.credit_account = ${own} then x.debit_account else x.credit_account end
       where j.client_id = ${account.id} and to_char(j.civil_date, 'YYYY-MM') = ${of.month}
         and o.kind <> 'payout_in_transit'
       group by j.id, j.civil_date, e.type, e.batch_id, e.seller_id)`;
  const rows = await db.execute<StatementOther & Record<string, unknown>>(sql`${found}
    select id, day::text as day, type, amount::float8 as amount, batch_id as "batchId", seller_id as "sellerId"
      from booked order by day, id limit ${MOST_OTHERS}`);
  const [all] = await db.execute<{ count: number; total: number }>(sql`${found}
    select count(*)::int as count, coalesce(sum(amount), 0)::float8 as total from booked`);
  return { others: [...rows], otherCount: all?.count ?? 0, otherTotal: all?.total ?? 0 };
}
