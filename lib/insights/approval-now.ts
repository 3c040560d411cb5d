import { type SQL, sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const HOUR_SECONDS = 3_600;
const MINUTE_MS = 60_000;
const WEEK_SECONDS = 7 * DAY_SECONDS;

export interface DecidedCounts {
  approved: number;
  declined: number;
}

/** All of them, or those of one method, provider or brand. */
export interface ApprovalNow {
  by: "total" | "method" | "provider" | "brand";
  name: string;
  now: DecidedCounts;
  /** In the same hour a week ago. */
  before: DecidedCounts;
}

interface Row extends Record<string, unknown> {
  by: ApprovalNow["by"];
  name: string | null;
  approved: number;
  declined: number;
  approvedBefore: number;
  declinedBefore: number;
}

/** The hour that is told of: whole minutes, as addresses write them. */
export function lastHour(ctx: Context): { from: Date; until: Date } {
  const minutes = Math.floor(now(ctx).getTime() / MINUTE_MS) + 1;
  const until = new Date(minutes * MINUTE_MS);
  return { from: addSeconds(until, -HOUR_SECONDS), until };
}

/** How many payments of the last hour were approved, one on several cards as one, against the same hour of last week; live. */
export async function approvalNow(
  ctx: Context,
  role: OperatorRole,
  merchantId: string | undefined,
): Promise<ApprovalNow[]> {
  demand(role, "payments.see");
  const { from, until } = lastHour(ctx);
  const ofMerchant = (column: string): SQL =>
    merchantId ? sql`and ${sql.raw(column)} = ${merchantId}::uuid` : sql.raw("");
  const hour = (isNow: boolean): SQL => {
    const [begin, end] = [from, until].map((at) => (isNow ? at : addSeconds(at, -WEEK_SECONDS)).toISOString());
    const present = sql.raw(String(isNow));
    return sql`
      select ${present} as is_now, c.id, c.payment_type as method, c.provider_type as provider, k.brand,
             c.status = 'failed' as is_declined
        from charges c left join cards k on k.id = c.card_id
       where c.client_id = ${ctx.account.id} and c.created_at >= ${begin}::timestamptz and c.created_at < ${end}::timestamptz
         and c.purchase_id is null and c.status not in ('pending', 'canceled') ${ofMerchant("c.merchant_id")}
      union all
      select ${present}, p.id, 'credit', c.provider_type, s.card ->> 'brand', p.status = 'failed'
        from purchases p
        join purchase_payments s on s.purchase_id = p.id
        left join charges c on c.id = s.charge_id
       where p.client_id = ${ctx.account.id} and p.created_at >= ${begin}::timestamptz and p.created_at < ${end}::timestamptz
         ${ofMerchant("p.merchant_id")}
         and case p.status
               when 'pending' then not exists (
                 select from purchase_payments o where o.purchase_id = p.id and o.status <> 'pre_authorized')
               when 'cancelled' then exists (select from purchase_payments o where o.purchase_id = p.id and o.was_captured)
               else true end`;
  };
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<Row>(sql`
      select case when grouping(method) = 0 then 'method' when grouping(provider) = 0 then 'provider'
                  when grouping(brand) = 0 then 'brand' else 'total' end as by,
             coalesce(method, provider, brand) as name,
             count(distinct id) filter (where is_now and not is_declined)::int as approved,
             count(distinct id) filter (where is_now and is_declined)::int as declined,
             count(distinct id) filter (where not is_now and not is_declined)::int as "approvedBefore",
             count(distinct id) filter (where not is_now and is_declined)::int as "declinedBefore"
        from (${hour(true)} union all ${hour(false)}) decided
       group by grouping sets ((), (method), (provider), (brand))
       order by grouping(method, provider, brand) = 7 desc, grouping(method, provider, brand), count(distinct id) desc, name`),
  );
  return rows
    .filter(({ by, name }) => by === "total" || name)
    .map(({ by, name, approved, declined, approvedBefore, declinedBefore }) => ({
      by,
      name: name ?? "",
      now: { approved, declined },
      before: { approved: approvedBefore, declined: declinedBefore },
    }));
}
