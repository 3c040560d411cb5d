import { type SQL, sql } from "drizzle-orm";
import type { TryKind } from "@/db/schema/subscriptions";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, inSnapshot, now } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { beginOf, intervalsAfter, utcDayOf } from "@/lib/subscriptions/calendar";

export interface Sum {
  count: number;
  amount: number;
}

/** What became of the cycles of a month that were declined at first. */
export interface Recovery {
  /** The first day of the month, in UTC as all days of subscriptions are. */
  month: CivilDate;
  declined: Sum;
  recovered: Sum;
  /** Being retried, or with an answer that is not known. */
  open: Sum;
  lost: Sum;
  /** Recovered by the policy's own tries, by the number of days after the first decline. */
  byDay: { days: number; count: number }[];
  /** Recovered by another card or by a person's try. */
  byHand: Sum;
  /** By what the first decline said of another try. */
  byClass: { name: RetryName; declined: number; recovered: number }[];
  /** Subscriptions that were active when the month began, and those of them that ended or became unpaid in it. */
  churn: { active: number; left: number };
}

export type RetryName = "now" | "later" | "changed_data" | "never";
const CLASSES: readonly RetryName[] = ["now", "later", "changed_data", "never"];

interface Group extends Record<string, unknown> {
  name: RetryName | null;
  status: string;
  kind: TryKind | null;
  days: number | null;
  count: number;
  amount: string;
}

/** The whole month before the present one of the account's clock. */
export const lastMonth = (ctx: Context): CivilDate =>
  intervalsAfter(`${utcDayOf(now(ctx)).slice(0, 7)}-01`, "monthly", -1);

/** Of the cycles whose first decline fell in the month; payments that came later count too. */
export async function recoveryOf(ctx: Context, role: OperatorRole, month: CivilDate): Promise<Recovery> {
  demand(role, "subscriptions.see");
  return inSnapshot(ctx, (inside) => recoveryWithin(inside, month));
}

/** Cycles `k` whose first decline fell in the month. */
export const declinedIn = ({ account }: Context, month: CivilDate): SQL =>
  sql`k.client_id = ${account.id} and k.refused_on >= ${month} and k.refused_on < ${intervalsAfter(month, "monthly", 1)}`;

/** In the caller's snapshot. */
export async function recoveryWithin(ctx: Context, month: CivilDate): Promise<Recovery> {
  const { db, account } = ctx;
  const until = intervalsAfter(month, "monthly", 1);
  const groups = await db.execute<Group>(sql`
      select f.retry_class as name, k.status, p.kind, (p.created_at at time zone 'UTC')::date - k.refused_on as days,
             count(*)::int as count, sum(coalesce(k.amount, s.amount))::text as amount
        from subscription_cycles k
        join subscriptions s on s.id = k.subscription_id
        left join lateral (select t.retry_class from subscription_tries t
                            where t.cycle_id = k.id and t.retry_class is not null order by t.number limit 1) f on true
        left join lateral (select t.kind, t.created_at from subscription_tries t
                            where t.cycle_id = k.id and t.status = 'authorized' limit 1) p on true
       where ${declinedIn(ctx, month)}
       group by 1, 2, 3, 4`);
  const [churn] = await db.execute<{ active: number; left: number }>(sql`
      with began as (
        select s.id from subscriptions s
         where s.client_id = ${account.id} and s.created_at < ${beginOf(month).toISOString()}::timestamptz
           and (select c.to_status from subscription_changes c
                 where c.subscription_id = s.id and c.at < ${beginOf(month).toISOString()}::timestamptz
                 order by c.revision desc limit 1) = 'active')
      select count(*)::int as active,
             count(*) filter (where exists (
               select 1 from subscription_changes c
                where c.subscription_id = began.id and c.to_status in ('canceled', 'unpaid') and c.from_status <> c.to_status
                  and c.at >= ${beginOf(month).toISOString()}::timestamptz
                  and c.at < ${beginOf(until).toISOString()}::timestamptz))::int as left
        from began`);
  return { month, ...summed([...groups]), churn: churn ?? { active: 0, left: 0 } };
}

const isOpen = ({ status }: Group): boolean => status === "retrying" || status === "pending";
const isPaid = ({ status }: Group): boolean => status === "authorized";
const isByHand = (group: Group): boolean => isPaid(group) && group.kind === "manual";

function summed(groups: readonly Group[]): Omit<Recovery, "month" | "churn"> {
  const sum = (of: (group: Group) => boolean): Sum => {
    const found = groups.filter(of);
    return {
      count: found.reduce((total, { count }) => total + count, 0),
      amount: found.reduce((total, { amount }) => total + Number(amount), 0),
    };
  };
  const ofPolicy = groups.filter((group) => isPaid(group) && !isByHand(group));
  const days = [...new Set(ofPolicy.map((group) => group.days ?? 0))].sort((one, other) => one - other);
  return {
    declined: sum(() => true),
    recovered: sum(isPaid),
    open: sum(isOpen),
    lost: sum((group) => !isPaid(group) && !isOpen(group)),
    byHand: sum(isByHand),
    byDay: days.map((day) => ({
      days: day,
      count: sum((group) => ofPolicy.includes(group) && group.days === day).count,
    })),
    byClass: CLASSES.map((name) => ({
      name,
      declined: sum((group) => group.name === name).count,
      recovered: sum((group) => group.name === name && isPaid(group)).count,
    })).filter(({ declined }) => declined > 0),
  };
}
