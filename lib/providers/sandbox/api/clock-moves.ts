import { sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { isBeingMoved } from "@/lib/scheduler/clock";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** A move in the audit log: with where it leads before its first job, and with what it came to. */
export const CLOCK_BEGUN = "sandbox.clock.begin";
export const CLOCK_MOVED = "sandbox.clock";

/** Of the machines' own time; what was moved before that is old news. */
const RECENT_SECONDS = DAY_SECONDS;

export interface LastMove {
  from: Date;
  to: Date;
  /** `cut_off`: its process died on the way; what is due goes on by itself. */
  state: "moving" | "moved" | "cut_off";
  /** Null while it is not over. */
  jobsRun: number | null;
  /** Kinds of those jobs, each once; empty where the log does not tell. */
  kindsRun: string[];
}

/** The newest move of the account's clock that went on, if it is not long ago. */
export async function lastMove(ctx: Context): Promise<LastMove | undefined> {
  const since = addSeconds(realNow(), -RECENT_SECONDS).toISOString();
  const [row] = await inSnapshot(ctx, ({ db, account }) =>
    db.execute<{ from: string; to: string; isOver: boolean; jobs: string | null; kinds: string[] | null }>(sql`
      select begun.before ->> 'now' as "from", begun.after ->> 'now' as "to", over.id is not null as "isOver",
             over.after ->> 'jobsRun' as jobs, over.after -> 'kindsRun' as kinds
        from audit_log begun
        left join lateral (
          select id, after from audit_log
           where client_id = begun.client_id and at >= begun.at and action = ${CLOCK_MOVED}
             and request_id = begun.request_id limit 1) over on true
       where begun.client_id = ${account.id} and begun.action = ${CLOCK_BEGUN} and begun.at >= ${since}::timestamptz
       order by begun.at desc, begun.id desc limit 1`),
  );
  if (!row) return undefined;
  const to = new Date(row.to);
  const jobsRun = row.jobs === null ? null : Number(row.jobs);
  const state = row.isOver || now(ctx) >= to ? "moved" : (await isBeingMoved(ctx.account.id)) ? "moving" : "cut_off";
  return { from: new Date(row.from), to, state, jobsRun, kindsRun: row.kinds ?? [] };
}

export interface MoveResult {
  /** Payments. */
  paid: number;
  /** Of those in reais, in cents. */
  paidAmount: number;
  declined: number;
  unpaid: number;
  refunded: number;
  payouts: number;
  unpaidSubscriptions: number;
}

/** What happened in the account in that time of its clock, as its events tell it. */
export async function happenedBetween(ctx: Context, { from, to }: Pick<LastMove, "from" | "to">): Promise<MoveResult> {
  const [row] = await inSnapshot(ctx, ({ db, account }) =>
    db.execute<{ [M in keyof MoveResult]: string }>(sql`
      with told as (
        select object || '.' || event as name, entity_id from events
         where client_id = ${account.id} and created_at > ${from.toISOString()}::timestamptz
           and created_at <= ${to.toISOString()}::timestamptz),
      paid as (select distinct entity_id from told where name = 'transaction.authorized')
      select (select count(*) from paid) as paid,
             (select coalesce(sum(c.captured_amount), 0) from paid join charges c on c.id = paid.entity_id
               where c.currency = 'BRL') as "paidAmount",
             count(distinct entity_id) filter (where name = 'transaction.failed') as declined,
             count(distinct entity_id) filter (where name = 'transaction.canceled') as unpaid,
             count(distinct entity_id)
               filter (where name in ('transaction.voided', 'transaction.partially_voided')) as refunded,
             count(distinct entity_id) filter (where name = 'payout.paid') as payouts,
             count(distinct entity_id) filter (where name = 'subscription.unpaid') as "unpaidSubscriptions"
        from told`),
  );
  if (!row) throw new Error("an aggregate answers one row");
  return {
    paid: Number(row.paid),
    paidAmount: Number(row.paidAmount),
    declined: Number(row.declined),
    unpaid: Number(row.unpaid),
    refunded: Number(row.refunded),
    payouts: Number(row.payouts),
    unpaidSubscriptions: Number(row.unpaidSubscriptions),
  };
}
