import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { addDays, type CivilDate, previousBankDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { statementOf } from "@/lib/providers/registry";
import { type Difference, keepBreaks } from "@/lib/settlement/breaks";

/** A difference that began longer ago than this is open, and looked at as such. */
const WINDOW_DAYS = 15;

/**
 * What was to be settled and what acquirers say they settled, once the statements up to `through` are in. A line that is
 * missing one bank day after its date is a break; money is released on its day all the same.
 */
export async function compareSettlement(ctx: Context, merchantId: string, through: CivilDate): Promise<void> {
  const providerIds = await telling(ctx, merchantId);
  if (providerIds.length === 0) return;
  await keepBreaks(ctx, merchantId, "settlement_missing", await missing(ctx, merchantId, providerIds, through));
  await keepBreaks(ctx, merchantId, "settlement_mismatch", await mismatched(ctx, merchantId, through));
}

/** Whether any acquirer of the merchant says what it paid. */
export const isToldOfSettlement = async (ctx: Context, merchantId: string): Promise<boolean> =>
  (await telling(ctx, merchantId)).length > 0;

async function telling({ account, db }: Context, merchantId: string): Promise<string[]> {
  const rows = await db.execute<{ id: string; kind: string }>(sql`
    select id, kind from providers where client_id = ${account.id} and merchant_id = ${merchantId} and routable`);
  return [...rows].filter(({ kind }) => statementOf(kind)).map(({ id }) => id);
}

/** Only credit cards are paid instalment by instalment; of what else was sold any line is its line. */
async function missing(
  { db }: Context,
  merchantId: string,
  providerIds: readonly string[],
  through: CivilDate,
): Promise<Difference[]> {
  const until = previousBankDay(through);
  const rows = await db.execute<Difference & Record<string, unknown>>(sql`
    select r.charge_id || ':' || r.installment as subject, r.charge_id as "chargeId",
           max(r.original_payment_date)::text as day, sum(r.gross)::float8 as expected, 0::float8 as found
      from receivables r join charges c on c.id = r.charge_id
     where r.merchant_id = ${merchantId} and r.type = 'credit' and r.original_payment_date <= ${until}
       and (r.original_payment_date > ${addDays(until, -WINDOW_DAYS)} or exists (
         select from settlement_breaks b where b.merchant_id = ${merchantId} and b.closed_at is null
            and b.kind = 'settlement_missing' and b.charge_id = r.charge_id))
       and c.provider_id = any(${textArray(providerIds)}::uuid[])
       and not exists (
         select from statement_lines l where l.charge_id = r.charge_id and l.kind = 'settlement'
            and (c.payment_type <> 'credit' or l.installment = r.installment))
     group by r.charge_id, r.installment order by 1`);
  return [...rows];
}

/** Of sales whose every instalment was settled: what the books still say that their acquirer owes. */
async function mismatched({ db }: Context, merchantId: string, through: CivilDate): Promise<Difference[]> {
  const rows = await db.execute<{ chargeId: string; owed: number; settled: number }>(sql`
    with lately as (
      select distinct l.charge_id from statement_lines l
       where l.merchant_id = ${merchantId} and l.charge_id is not null and l.settled_on > ${addDays(through, -WINDOW_DAYS)}
      union
      select charge_id from settlement_breaks
       where merchant_id = ${merchantId} and kind = 'settlement_mismatch' and closed_at is null and charge_id is not null
    ), told as (
      select c.id, (select coalesce(sum(l.amount + l.cost), 0) from statement_lines l
                     where l.charge_id = c.id and l.kind in ('settlement', 'refund')) as settled
        from lately join charges c on c.id = lately.charge_id
       where (select count(distinct l.installment) from statement_lines l
               where l.charge_id = c.id and l.kind = 'settlement')
          >= case when c.payment_type = 'credit' then coalesce(c.installments, 1) else 1 end)
    select told.id as "chargeId", owed.amount::float8 as owed, told.settled::float8 as settled
      from told cross join lateral (
        select coalesce(sum(p.amount), 0) as amount from journals j join postings p on p.journal_id = j.id
          join ledger_accounts a on a.id = p.account_id
         where j.charge_id = told.id and a.kind = 'provider_receivable'
           and not (j.event_type = 'refund' and j.civil_date > ${through})) owed
     where owed.amount <> 0 order by 1`);
  return [...rows].map(({ chargeId, owed, settled }) => ({
    subject: chargeId,
    chargeId,
    day: through,
    expected: settled + owed,
    found: settled,
  }));
}
