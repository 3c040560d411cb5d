import { type SQL, sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const HOUR_SECONDS = 3_600;
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

/** How many payments of the last hour were approved, against the same hour of last week; live. */
export async function approvalNow(
  ctx: Context,
  role: OperatorRole,
  merchantId: string | undefined,
): Promise<ApprovalNow[]> {
  demand(role, "payments.see");
  // What happened at this very moment is in it: a test clock may stand still.
  const until = new Date(now(ctx).getTime() + 1);
  const ofMerchant = merchantId ? sql`and c.merchant_id = ${merchantId}::uuid` : sql.raw("");
  const hour = (isNow: boolean): SQL => {
    const end = isNow ? until : addSeconds(until, -WEEK_SECONDS);
    return sql`
      select ${sql.raw(String(isNow))} as is_now, c.payment_type as method, c.provider_type as provider, k.brand,
             c.status = 'failed' as is_declined
        from charges c left join cards k on k.id = c.card_id
       where c.client_id = ${ctx.account.id} and c.created_at >= ${addSeconds(end, -HOUR_SECONDS).toISOString()}::timestamptz
         and c.created_at < ${end.toISOString()}::timestamptz and c.status not in ('pending', 'canceled') ${ofMerchant}`;
  };
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<Row>(sql`
      select case when grouping(method) = 0 then 'method' when grouping(provider) = 0 then 'provider'
                  when grouping(brand) = 0 then 'brand' else 'total' end as by,
             coalesce(method, provider, brand) as name,
             count(*) filter (where is_now and not is_declined)::int as approved,
             count(*) filter (where is_now and is_declined)::int as declined,
             count(*) filter (where not is_now and not is_declined)::int as "approvedBefore",
             count(*) filter (where not is_now and is_declined)::int as "declinedBefore"
        from (${hour(true)} union all ${hour(false)}) decided
       group by grouping sets ((), (method), (provider), (brand))
       order by grouping(method, provider, brand) = 7 desc, grouping(method, provider, brand), count(*) desc, name`),
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
