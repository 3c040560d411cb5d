import { type SQL, sql } from "drizzle-orm";
import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { othersOf, type StatementOthers } from "@/lib/statements/others";

/** Rows that a statement lists; its sums are over all of them. */
export const MOST_ROWS = 2_000;
/** A batch for each arrangement and bank day: a busy month has more. */
export const MOST_PAYOUTS = 200;

/** Whose month: a merchant's own part, or one of its sellers'. */
export interface StatementOf {
  merchantId: string;
  sellerId: string | null;
  /** `2026-11`, by the day of settlement in São Paulo. */
  month: string;
}

/** Cents; what was taken stands below zero. */
export interface StatementSums {
  sales: number;
  fees: number;
  /** What having money early cost. */
  early: number;
  refunds: number;
  chargebacks: number;
  net: number;
}

export interface StatementDay extends StatementSums {
  day: CivilDate;
  count: number;
  /** Of `net`: what has been released by now. */
  settled: number;
}

export interface StatementRow {
  id: string;
  day: CivilDate;
  chargeId: string;
  paymentId: string;
  type: "credit" | "refund" | "refund_reversal" | "chargeback" | "chargeback_refund";
  installment: number | null;
  installments: number;
  gross: number;
  fees: number;
  net: number;
}

export interface StatementPayout {
  id: string;
  day: CivilDate;
  status: string;
  amount: number;
}

export interface MonthlyStatement extends StatementOthers {
  of: StatementOf;
  issuedAt: Date;
  today: CivilDate;
  days: StatementDay[];
  total: StatementSums & { count: number; settled: number };
  /** Sent in the month, or below zero and carried over to a later one; the first of them. A failed one sent nothing. */
  payouts: StatementPayout[];
  /** Of all of them. */
  payoutCount: number;
  paidOut: number;
  rows: StatementRow[];
}

const SUMS = sql.raw(`
  coalesce(sum(r.gross) filter (where r.type = 'credit'), 0)::float8 as sales,
  0 - coalesce(sum(r.fee), 0)::float8 as fees, 0 - coalesce(sum(r.anticipation_fee), 0)::float8 as early,
  coalesce(sum(r.gross) filter (where r.type in ('refund', 'refund_reversal')), 0)::float8 as refunds,
  coalesce(sum(r.gross) filter (where r.type in ('chargeback', 'chargeback_refund')), 0)::float8 as chargebacks,
  coalesce(sum(r.gross - r.fee - r.anticipation_fee), 0)::float8 as net,
  coalesce(sum(r.gross - r.fee - r.anticipation_fee)
    filter (where case when r.reduces is null then r.available_at else p.available_at end is not null), 0)::float8 as settled,
  count(*)::int as count`);

/** A month as the books have it at this moment: read in one snapshot, sums from the rows themselves. */
export const monthlyStatement = (ctx: Context, of: StatementOf): Promise<MonthlyStatement> =>
  inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const [merchant] = await db.execute(sql`
      select 1 from merchants where client_id = ${account.id} and id = ${of.merchantId}::uuid`);
    if (!merchant) throw notFound("merchant");
    const mine = rowsOf(inside, of);
    const days = [
      ...(await db.execute<StatementDay & Record<string, unknown>>(sql`
        select r.payment_date::text as day, ${SUMS} ${mine} group by r.payment_date order by r.payment_date`)),
    ];
    const [total] = await db.execute<MonthlyStatement["total"] & Record<string, unknown>>(sql`select ${SUMS} ${mine}`);
    if (!total) throw new Error("a sum without a row");
    const rows = await db.execute<StatementRow & Record<string, unknown>>(sql`
      select r.id, r.payment_date::text as day, r.charge_id as "chargeId", coalesce(c.purchase_id, c.id) as "paymentId",
             r.type, r.installment, r.installments, r.gross::float8 as gross,
             0 - (r.fee + r.anticipation_fee)::float8 as fees, (r.gross - r.fee - r.anticipation_fee)::float8 as net
        ${mine} order by r.payment_date, r.created_at, r.id limit ${MOST_ROWS}`);
    const sent = sql`
      from payout_batches b
     where b.client_id = ${account.id} and b.merchant_id = ${of.merchantId}::uuid
       and b.seller_id is not distinct from ${of.sellerId}::uuid and (b.status in ('paid', 'pending') or b.status = 'offset' and b.final_balance < 0)
       and coalesce(b.payout_date, b.payment_date) between ${first(of.month)}::date and ${last(of.month)}`;
    const payouts = await db.execute<StatementPayout & Record<string, unknown>>(sql`
      select b.id, coalesce(b.payout_date, b.payment_date)::text as day, b.status, b.final_balance::float8 as amount
        ${sent} order by 2, b.id limit ${MOST_PAYOUTS}`);
    const [all] = await db.execute<{ count: number; paid: number }>(sql`
      select count(*)::int as count,
             coalesce(sum(b.final_balance) filter (where b.status = 'paid'), 0)::float8 as paid ${sent}`);
    return {
      of,
      issuedAt: now(inside),
      today: saoPauloDay(now(inside)),
      days,
      total,
      payouts: [...payouts],
      payoutCount: all?.count ?? 0,
      paidOut: all?.paid ?? 0,
      rows: [...rows],
      ...(await othersOf(inside, of)),
    };
  });

/** What settles in the month, `r`; `p` is what a row takes from, whose release is its own. */
const rowsOf = ({ account }: Context, { merchantId, sellerId, month }: StatementOf): SQL => sql`
  from receivables r join charges c on c.id = r.charge_id left join receivables p on p.id = r.reduces
 where r.client_id = ${account.id} and r.merchant_id = ${merchantId}::uuid
   and r.seller_id is not distinct from ${sellerId}::uuid
   and r.payment_date between ${first(month)}::date and ${last(month)}`;

const first = (month: string): CivilDate => `${month}-01`;
const last = (month: string): SQL => sql`(${first(month)}::date + interval '1 month' - interval '1 day')::date`;
