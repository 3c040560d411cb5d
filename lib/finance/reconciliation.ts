import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { settlementBreaks } from "@/db/schema/settlement";
import { addDays, type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inSnapshot, now } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Days that are looked at together. */
export const DAYS_PER_PAGE = 7;
const ROWS_PER_PAGE = 50;
/** What an instalment lacks is its part of a cost where it is no more than one part in as many: nobody takes a tenth. */
const LARGEST_COST = 10;

/**
 * Of what falls due: `matched` was settled to the cent; `netted` lacks no more than refunds that the acquirer took off;
 * `costed` no more than its part of a cost that comes with the first instalment of its sale;
 * `differs` and `missing` are what an open discrepancy says, and `closed` what two people settled; `uneven` is another
 * amount in a sale that lacks nothing or is not settled to its end; `waiting` has no line and no discrepancy.
 */
export const DUE_STATES = ["matched", "netted", "costed", "differs", "missing", "closed", "uneven", "waiting"] as const;
export type DueState = (typeof DUE_STATES)[number];

export interface ReconciledDay {
  day: CivilDate;
  providerId: string;
  provider: string;
  count: number;
  /** What the books expect, before the acquirer's cost. */
  expected: number;
  /** What its statement says of it, before its cost. */
  found: number;
  /** Refunds that it took off; of what has no line yet, those that the books took off. */
  netted: number;
  /** Parts of the cost of sales whose first instalment, with which it is told, is still to come. */
  costAhead: number;
  /** What of the statement was posted. */
  settled: number;
  differing: number;
  missing: number;
  uneven: number;
  waiting: number;
}

export interface DueRow {
  id: string;
  paymentId: string;
  /** The merchant's own number of the payment. */
  orderId: string | null;
  installment: number;
  installments: number;
  expected: number;
  /** The instalment of the sale as payout batches have it: another amount where the acquirer puts its cost in the first. */
  inBatches: number;
  found: number;
  /** As of the day. */
  netted: number;
  cost: number;
  /** Its part of the sale's cost, which is told with the first instalment. */
  costAhead: number;
  settledOn: CivilDate | null;
  state: DueState;
  /** The discrepancy that it stands in, open or closed by people. */
  breakId: string | null;
}

/**
 * Each instalment that falls due from `from` to `until`, with what the statement says of it. The account's own part that
 * was paid early falls due on its new date, at what it brings, and the rest of its instalment on the day of that: each
 * line belongs to the one that it is nearer to. An acquirer may take its cost from the whole sale and divide the rest:
 * then `whole`, in parts of which the first is the largest, is expected beside the cost of the line. What is wrong is what
 * discrepancies say is wrong: a sale that does not add up has at least its last instalment there. Which instalments an
 * acquirer will take a refund from is known when it says so: until then, it is where the books took it. An instalment that
 * is settled before the first, with which the cost of the sale is told, lacks its part of that cost: the least that those
 * of the sale lack beside their refunds, since all lack the same of it.
 */
function dues({ account }: Context, from: CivilDate, until: CivilDate, provider: SQL): SQL {
  const isEarly = sql.raw("(r.seller_id is null and r.anticipation_fee > 0)");
  const own = (line: "s" | "o") => sql`(due.parts = 1 or (${sql.raw(line)}.settled_on < due.turn) = due.is_early)`;
  return sql`
    parts as (
      select r.charge_id, r.installment, max(r.installments) as installments, c.provider_id, c.payment_type,
             coalesce(c.purchase_id, c.id) as payment_id, ${isEarly} as is_early,
             max(case when ${isEarly} then r.payment_date else r.original_payment_date end) as day,
             sum(r.gross) as gross, sum(case when ${isEarly} then r.anticipation_fee else 0 end) as early
        from (select distinct t.charge_id, t.installment from receivables t
               where t.client_id = ${account.id} and t.type = 'credit'
                 and t.merchant_id in (select id from merchants where client_id = ${account.id})
                 and t.original_payment_date >= ${from} and least(t.payment_date, t.original_payment_date) <= ${until}
             ) touched
        join receivables r on r.charge_id = touched.charge_id and r.installment = touched.installment
             and r.type = 'credit'
        join charges c on c.id = r.charge_id
       where true ${provider}
       group by r.charge_id, r.installment, c.provider_id, c.payment_type, payment_id, is_early),
    due as (
      select * from (
        select parts.*, count(*) over sale as parts, min(day) over sale + (max(day) over sale - min(day) over sale + 1) / 2 as turn,
               coalesce(sum(gross) filter (where is_early) over sale, 0) as ahead
          from parts window sale as (partition by charge_id, installment)) beside
       where day between ${from} and ${until}),
    said as (
      select due.*, l.found, l.cost, l.settled_on, l.settled,
             case when l.found is null or l.found = gross - early or installments = 1 or (is_early and parts > 1) then null else (
               select (select sum(o.gross) from receivables o where o.charge_id = due.charge_id and o.type = 'credit')
                    - (select sum(o.cost) from statement_lines o
                        where o.charge_id = due.charge_id and o.kind = 'settlement')) end as whole
        from due left join lateral (
          select sum(s.amount + s.cost) as found, sum(s.cost) as cost, min(s.settled_on) as settled_on,
                 (select 0 - coalesce(sum(p.amount), 0)
                    from statement_lines o join journals j on j.event_id = o.provider_id || ':' || o.external_id
                     and j.event_type in ('settlement', 'provider_cost')
                    join postings p on p.journal_id = j.id
                    join ledger_accounts a on a.id = p.account_id and a.kind = 'provider_receivable'
                   where o.charge_id = due.charge_id and o.kind = 'settlement' and ${own("o")}
                     and (due.payment_type <> 'credit' or o.installment = due.installment)) as settled
            from statement_lines s
           where s.charge_id = due.charge_id and s.kind = 'settlement' and ${own("s")}
             and (due.payment_type <> 'credit' or s.installment = due.installment)) l on true),
    told as (
      select said.*, case when whole is null then gross - early
                          else cost - early - case when is_early then 0 else ahead end + div(whole, installments)
                             + case when installment = 1 then whole % installments else 0 end end as expected
        from said),
    known as materialized (
      select distinct on (subject) subject, id, kind, closed_at from settlement_breaks
       where client_id = ${account.id} and kind in ('settlement_mismatch', 'settlement_missing')
         and (closed_at is null or closed_by = 'people') and charge_id = any(array(select charge_id from told))
       order by subject, closed_at desc nulls first),
    compared as (
      select told.*, b.id as break_id, b.kind as break_kind, b.closed_at is null as is_open,
             case when found is null or found >= expected then 0 else (
               select 0 - coalesce(sum(d.gross), 0) from receivables d
                where d.charge_id = told.charge_id and d.type in ('refund', 'refund_reversal')) end as refunded,
             case when found >= expected then 0 else (
               select 0 - coalesce(sum(d.gross), 0) from receivables d join receivables r on r.id = d.reduces
                where d.charge_id = told.charge_id and d.type in ('refund', 'refund_reversal')
                  and r.installment = told.installment and ${isEarly} = told.is_early) end as booked,
             case when whole is null or installment = 1 or found >= expected then false else not exists (
               select from statement_lines o where o.charge_id = told.charge_id and o.kind = 'settlement'
                  and (o.installment = 1 or o.cost <> 0)) end as is_before_cost
        from told left join known b
          on b.subject = case when found is null then charge_id || ':' || installment else charge_id::text end),
    parted as (
      select compared.*, case when is_before_cost and lacking between 1 and gross / ${LARGEST_COST}::int then lacking else 0 end as ahead_cost
        from (select compared.*, min(expected - found - booked) filter (where is_before_cost)
                                   over (partition by charge_id, day) as lacking from compared) compared),
    plain as (
      select parted.*, case when found is null then 'waiting' when found = expected then 'matched'
                            when ahead_cost > 0 and expected - found = ahead_cost then 'costed'
                            when found < expected and expected - found - ahead_cost <= refunded then 'netted'
                            else 'uneven' end as at_sight
        from parted),
    judged as (
      select plain.*, case when break_id is null or not (at_sight in ('waiting', 'uneven') or is_open and installment = installments)
                           then at_sight
                           when not is_open then 'closed'
                           when break_kind = 'settlement_missing' then 'missing' else 'differs' end as state
        from plain),
    summed as (
      select judged.*, case state when 'netted' then expected - found - ahead_cost when 'waiting' then booked else 0 end as netted,
             case when state in ('netted', 'costed') then ahead_cost else 0 end as cost_ahead
        from judged)`;
}

export interface StatementReconciliation {
  from: CivilDate;
  until: CivilDate;
  isLast: boolean;
  days: ReconciledDay[];
  /** Of whatever day and kind. */
  openBreaks: number;
}

/** A week of days with something due, newest first; by day and acquirer. Without a day, the newest that has something. */
export async function reconciliation(
  ctx: Context,
  role: OperatorRole,
  asked: { until?: CivilDate | undefined },
): Promise<StatementReconciliation> {
  demand(role, "finance.see");
  return inSnapshot(ctx, async (inside) => {
    const today = saoPauloDay(now(inside));
    const { clientId, closedAt } = settlementBreaks;
    const openBreaks = await inside.db.$count(settlementBreaks, and(eq(clientId, ctx.account.id), isNull(closedAt)));
    const shown = async (until: CivilDate): Promise<StatementReconciliation> => {
      const from = addDays(until, 1 - DAYS_PER_PAGE);
      return { from, until, isLast: until >= today, days: await daysOf(inside, from, until), openBreaks };
    };
    const week = await shown(asked.until ?? today);
    if (asked.until || week.days.length > 0) return week;
    const other = await nearestDue(inside, today);
    return other === undefined ? week : shown(other);
  });
}

async function daysOf(ctx: Context, from: CivilDate, until: CivilDate): Promise<ReconciledDay[]> {
  const rows = await ctx.db.execute<ReconciledDay & Record<string, unknown>>(sql`
    with ${dues(ctx, from, until, sql``)}
    select summed.day::text as day, summed.provider_id as "providerId", p.name as provider, count(*)::int as count,
           sum(expected)::float8 as expected, coalesce(sum(found), 0)::float8 as found,
           sum(netted)::float8 as netted, sum(cost_ahead)::float8 as "costAhead",
           coalesce(sum(settled), 0)::float8 as settled,
           count(*) filter (where state = 'differs')::int as differing,
           count(*) filter (where state = 'missing')::int as missing,
           count(*) filter (where state = 'uneven')::int as uneven,
           count(*) filter (where state = 'waiting')::int as waiting
      from summed join providers p on p.id = summed.provider_id
     group by summed.day, summed.provider_id, p.name order by summed.day desc, p.name, summed.provider_id`);
  return [...rows];
}

/** The last day up to today that something fell due on, else the first that is to come. */
async function nearestDue({ account, db }: Context, today: CivilDate): Promise<CivilDate | undefined> {
  const of = (beyond: SQL, order: SQL) => sql`
    select (select r.original_payment_date from receivables r
             where r.merchant_id = m.id and r.type = 'credit' and r.original_payment_date ${beyond} ${today}
             order by r.original_payment_date ${order} limit 1) as day
      from merchants m where m.client_id = ${account.id}`;
  const [row] = await db.execute<{ day: CivilDate | null }>(sql`
    select coalesce((select max(day) from (${of(sql`<=`, sql`desc`)}) past),
                    (select min(day) from (${of(sql`>`, sql`asc`)}) coming))::text as day`);
  return row?.day ?? undefined;
}

export interface StateTotal {
  state: DueState;
  count: number;
  expected: number;
  found: number;
  netted: number;
  costAhead: number;
}

export interface DayRows {
  /** Undefined: there is no such acquirer. */
  provider: string | undefined;
  /** Of the whole day, whatever is listed of it. */
  states: readonly StateTotal[];
  items: DueRow[];
  next: string | undefined;
}

interface AskedDay {
  day: CivilDate;
  providerId: string;
  state?: string | undefined;
  after?: string | undefined;
}

/** What one acquirer had to settle on one day, row by row. */
export async function dayRows(ctx: Context, role: OperatorRole, asked: AskedDay): Promise<DayRows> {
  demand(role, "finance.see");
  const { day, providerId } = asked;
  if (!isUuid(providerId) || !day) return { provider: undefined, states: [], items: [], next: undefined };
  const [afterCharge = "", afterPart = ""] = asked.after?.split("_") ?? [];
  const beyond = isUuid(afterCharge)
    ? sql`and (charge_id, installment) > (${afterCharge}::uuid, ${/^\d{1,2}$/.test(afterPart) ? Number(afterPart) : 0})`
    : sql``;
  const state = DUE_STATES.find((each) => each === asked.state);
  const only = state ? sql`and state = ${state}` : asked.state === "all" ? sql`` : sql`and state <> 'matched'`;
  return inSnapshot(ctx, async (inside) => {
    const [known] = await inside.db.execute<{ name: string }>(
      sql`select name from providers where client_id = ${ctx.account.id} and id = ${providerId}`,
    );
    const due = dues(inside, day, day, sql`and c.provider_id = ${providerId}`);
    const states = await inside.db.execute<StateTotal & Record<string, unknown>>(sql`
      with ${due}
      select state, count(*)::int as count, sum(expected)::float8 as expected, coalesce(sum(found), 0)::float8 as found,
             sum(netted)::float8 as netted, sum(cost_ahead)::float8 as "costAhead"
        from summed group by state`);
    const rows = await inside.db.execute<DueRow & { chargeId: string } & Record<string, unknown>>(sql`
      with ${due}
      select charge_id || '_' || installment as id, charge_id as "chargeId", payment_id as "paymentId",
             (select c.order_id from charges c where c.id = charge_id) as "orderId", installment, installments,
             expected::float8 as expected, (gross - early)::float8 as "inBatches", coalesce(found, 0)::float8 as found,
             netted::float8 as netted, coalesce(cost, 0)::float8 as cost,
             cost_ahead::float8 as "costAhead", settled_on::text as "settledOn", state,
             case when state in ('differs', 'missing', 'closed') then break_id end as "breakId"
        from summed where true ${only} ${beyond} order by charge_id, installment limit ${ROWS_PER_PAGE + 1}`);
    const found = [...rows];
    const items = found.slice(0, ROWS_PER_PAGE);
    const next = found.length > ROWS_PER_PAGE ? items.at(-1)?.id : undefined;
    return { provider: known?.name, states: [...states], items, next };
  });
}
