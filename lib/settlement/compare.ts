import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { addDays, type CivilDate, previousBankDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";
import { statementReaderOf } from "@/lib/providers/registry";
import { keepBreaks, type StatementDifference } from "@/lib/settlement/breaks";

/** A difference that began longer ago than this is open, and looked at as such. */
const WINDOW_DAYS = 15;

/**
 * What was to be settled and what acquirers say they settled, once the statements up to `through` are in. A line that is
 * missing one bank day after its date is a break; money is released on its day all the same.
 */
export async function compareSettlement(
  ctx: Context,
  merchantId: string,
  through: CivilDate,
  late: Late = { since: null, chargeIds: [] },
  silent: Silent = ANSWERED,
): Promise<void> {
  const told = await telling(ctx, merchantId, through, silent);
  if (told.length === 0) return;
  const looked = await comparable(ctx, merchantId, silent);
  const [lacking, differing] = await pipelined([
    ctx.db.execute<StatementDifference & Record<string, unknown>>(missing(merchantId, told, late)),
    mismatched(ctx, merchantId, through, late, silent),
  ]);
  await pipelined([
    keepBreaks(ctx, merchantId, "settlement_missing", [...lacking], looked),
    keepBreaks(ctx, merchantId, "settlement_mismatch", differing),
  ]);
}

/**
 * Whether `compareSettlement` would open or close anything, or an own batch be found paid: on most days neither is. One
 * statement, and a transaction of its own, for a merchant whose acquirers all have statements of their own. It names the
 * client to row security before anything is looked at.
 */
export async function isSettlementNews(
  ctx: Context,
  merchantId: string,
  through: CivilDate,
  readable: readonly string[],
  late: Late,
  silent: Silent,
): Promise<boolean> {
  const told = readable.flatMap((id) => toldBy(id, silent.providers.has(id) ? silent.since : through, through));
  if (told.length === 0) return false;
  const earliest = told.map(({ day }) => day).sort()[0];
  const rows = await ctx.db.execute<{ isSeen: boolean; isNews: boolean }>(sql`
    select found.* from (select set_config('app.client_id', ${ctx.account.id}, true)::uuid as client_id) who
     cross join lateral (
       select exists (select from merchants m where m.client_id = who.client_id and m.id = ${merchantId}) as "isSeen",
              case when exists (
                  select from settlement_breaks b where b.client_id = who.client_id and b.merchant_id = ${merchantId}
                     and b.kind in ('settlement_missing', 'settlement_mismatch') and b.closed_at is null)
                or exists (
                  select from payout_batches b where b.client_id = who.client_id and b.merchant_id = ${merchantId}
                     and b.status = 'pending' and b.seller_id is null and b.payment_date <= ${earliest})
              then true
              else (select count(*) > 0 from (${missing(merchantId, told, late)}) lacking)
                or (select count(*) > 0 from (${owing(merchantId, through, late, silent)}) differing) end as "isNews"
        where who.client_id is not null offset 0) found`);
  const [found] = [...rows];
  if (!found?.isSeen) throw new Error("a look at a merchant that is not there");
  return found.isNews;
}

/** Of what is missing, that of acquirers that answered: nothing agrees because somebody is silent. */
async function comparable({ db }: Context, merchantId: string, { providers }: Silent): Promise<"all" | string[]> {
  if (providers.size === 0) return "all";
  const rows = await db.execute<{ subject: string }>(sql`
    select b.subject from settlement_breaks b join charges c on c.id = b.charge_id
     where b.merchant_id = ${merchantId} and b.kind = 'settlement_missing' and b.closed_at is null
       and c.provider_id <> all(${textArray([...providers])}::uuid[])`);
  return [...rows].map(({ subject }) => subject);
}

/** Acquirers that did not answer, and the last day that all of them had told of before. */
export interface Silent {
  providers: ReadonlySet<string>;
  since: CivilDate | null;
}
const ANSWERED: Silent = { providers: new Set(), since: null };

/** What a statement tells that came later than the days it is about. */
export interface Late {
  /** Nothing from this day on was compared, however long ago it is. */
  since: CivilDate | null;
  chargeIds: readonly string[];
}

/** The last day up to which every acquirer of the merchant has said what it paid; null where none ever does. */
export async function toldThrough(
  ctx: Context,
  merchantId: string,
  through: CivilDate,
  silent: Silent = ANSWERED,
): Promise<CivilDate | null> {
  if (silent.providers.size > 0 && silent.since === null) return null;
  const days = (await telling(ctx, merchantId, through, silent)).map(({ day }) => day).sort();
  return days[0] ?? null;
}

interface Told {
  id: string;
  day: CivilDate;
}

/** An acquirer that an API asks says everything up to `through`; one whose statements people upload, up to its last line. */
async function telling(
  { account, db }: Context,
  merchantId: string,
  through: CivilDate,
  silent: Silent,
): Promise<Told[]> {
  const rows = await db.execute<{ id: string; kind: string; last: CivilDate | null }>(sql`
    select p.id, p.kind, (select max(l.settled_on)::text from statement_lines l
                           where l.merchant_id = ${merchantId} and l.provider_id = p.id) as last
      from providers p where p.client_id = ${account.id} and p.merchant_id = ${merchantId} and p.routable`);
  return [...rows].flatMap(({ id, kind, last }) => {
    const day = statementReaderOf(kind) ? (silent.providers.has(id) ? silent.since : through) : last;
    return toldBy(id, day, through);
  });
}

const toldBy = (id: string, day: CivilDate | null, through: CivilDate): Told[] =>
  day === null ? [] : [{ id, day: day < through ? day : through }];

/** Of receivable `o`: the merchant's own part of an instalment, whose line is no line of the others' parts. */
const isPaidEarly = sql.raw("o.seller_id is null and o.type = 'credit' and o.anticipation_fee > 0");

/**
 * Only credit cards are paid instalment by instalment; of what else was sold any line is its line. What may be missing is
 * found before its sale is: a planner that knows little of the tables would go through all sales for each. Its lines are
 * counted: as a condition that none exists they would be joined, and all of them read for it.
 */
function missing(merchantId: string, told: readonly Told[], { since }: Late): SQL {
  const until = told.map(({ id, day }) => ({ id, day: previousBankDay(day) }));
  return sql`
    with told as materialized (
      select id, day from json_to_recordset(${JSON.stringify(until)}::json) as told (id uuid, day date)
    ), open as materialized (
      select charge_id from settlement_breaks
       where merchant_id = ${merchantId} and closed_at is null and kind = 'settlement_missing' and charge_id is not null
    ), due as materialized (
      select r.charge_id, r.installment, r.seller_id, r.original_payment_date, r.gross
        from receivables r
       where r.merchant_id = ${merchantId} and r.type = 'credit'
         and r.original_payment_date <= (select max(day) from told)
         and (r.original_payment_date > (select min(day) from told) - ${WINDOW_DAYS}::int
              or r.original_payment_date >= ${since}::date
              or r.charge_id = any(array(select charge_id from open)))
    )
    select r.charge_id || ':' || r.installment as subject, r.charge_id as "chargeId",
           max(r.original_payment_date)::text as day, sum(r.gross)::float8 as expected, 0::float8 as found
      from due r
      cross join lateral (select provider_id, payment_type from charges where id = r.charge_id offset 0) c
      join told on told.id = c.provider_id
     where r.original_payment_date <= told.day
       and (r.original_payment_date > told.day - ${WINDOW_DAYS}::int or r.original_payment_date >= ${since}::date
            or r.charge_id = any(array(select charge_id from open)))
       and (
         select count(*) from statement_lines l where l.charge_id = r.charge_id and l.kind = 'settlement'
            and (c.payment_type <> 'credit' or l.installment = r.installment)
            and not (r.seller_id is not null and exists (
              select from receivables o where o.charge_id = r.charge_id and o.installment = r.installment
                 and ${isPaidEarly} and l.settled_on <= o.payment_date))) = 0
     group by r.charge_id, r.installment order by 1`;
}

/** Of sales whose every instalment was settled, but for those at an acquirer that said half of it only: what the books still say that their acquirer owes. */
async function mismatched(
  { db }: Context,
  merchantId: string,
  through: CivilDate,
  late: Late,
  silent: Silent,
): Promise<StatementDifference[]> {
  const rows = await db.execute<Owing>(owing(merchantId, through, late, silent));
  return [...rows].map(({ chargeId, owed, settled, day }) => ({
    subject: chargeId,
    chargeId,
    day,
    expected: settled + owed,
    found: settled,
  }));
}

interface Owing extends Record<string, unknown> {
  chargeId: string;
  owed: number;
  settled: number;
  /** Of its last line. */
  day: CivilDate;
}

function owing(merchantId: string, through: CivilDate, { since, chargeIds }: Late, silent: Silent): SQL {
  const usual = addDays(through, -WINDOW_DAYS);
  return sql`
    with lately as (
      select distinct l.charge_id from statement_lines l
       where l.merchant_id = ${merchantId} and l.charge_id is not null and l.settled_on > ${since !== null && since < usual ? since : usual}
         and l.provider_id <> all(${textArray([...silent.providers])}::uuid[])
      union
      select charge_id from settlement_breaks
       where merchant_id = ${merchantId} and kind = 'settlement_mismatch' and closed_at is null and charge_id is not null
      union
      select unnest(${textArray(chargeIds)}::uuid[])
    ), told as (
      select c.id, (select coalesce(sum(l.amount + l.cost), 0) from statement_lines l
                     where l.charge_id = c.id and l.kind in ('settlement', 'refund')) as settled,
             (select max(l.settled_on)::text from statement_lines l
               where l.charge_id = c.id and l.kind in ('settlement', 'refund')) as day
        from lately join charges c on c.id = lately.charge_id
       where (select count(distinct l.installment) from statement_lines l
               where l.charge_id = c.id and l.kind = 'settlement')
          >= case when c.payment_type = 'credit' then coalesce(c.installments, 1) else 1 end
         and not (exists (select from receivables r where r.charge_id = c.id and r.seller_id is not null
                             and r.type = 'credit' and r.original_payment_date > ${through})
                  and exists (select from receivables o where o.charge_id = c.id and ${isPaidEarly})))
    select told.id as "chargeId", owed.amount::float8 as owed, told.settled::float8 as settled, told.day
      from told cross join lateral (
        select coalesce(sum(p.amount), 0) as amount from journals j join postings p on p.journal_id = j.id
          join ledger_accounts a on a.id = p.account_id
         where j.charge_id = told.id and a.kind = 'provider_receivable'
           and not (j.event_type = 'refund' and j.civil_date > ${through})) owed
     where owed.amount <> 0 order by 1`;
}
