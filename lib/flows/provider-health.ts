import { sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { costsOfProviders } from "@/lib/flows/provider-costs";
import { addSeconds } from "@/lib/time";

export const HEALTH_HOURS = 24;
/** A day of a large account is more than is needed to tell: its newest charges are. */
const MOST_CHARGES = 10_000;

/** How a provider took the payments that were begun with it. */
export interface ProviderHealth {
  attempts: number;
  approved: number;
  declined: number;
  /** Calls that provably never left. */
  notSent: number;
  /** Card payments that had no answer at first, and how they ended. */
  unanswered: { n: number; approved: number; declined: number; absent: number; open: number };
  /** Milliseconds; null before the first answer. */
  p50: number | null;
  p95: number | null;
  /** Its cost per cent captured, by what it settled; null while it settled nothing. */
  cost: number | null;
}

interface Row extends Record<string, unknown>, Omit<ProviderHealth, "unanswered" | "cost"> {
  id: string;
  n: number;
  laterApproved: number;
  laterDeclined: number;
  absent: number;
  open: number;
}

/** By provider, of those with a payment in the last day or a settlement in the last month. */
export async function healthOfProviders(ctx: Context): Promise<Map<string, ProviderHealth>> {
  const since = addSeconds(now(ctx), -HEALTH_HOURS * 3_600).toISOString();
  const rows = await ctx.db.execute<Row>(sql`
    with recent as materialized (
      select id from charges where client_id = ${ctx.account.id} and created_at >= ${since}::timestamptz
       order by created_at desc, id desc limit ${MOST_CHARGES}),
    seen as (
      select a.provider_id, a.state, a.response_ms, a.kind = 'authorize' as is_card,
             a.kind = 'authorize' and (a.queries > 0 or a.state = 'undetermined') as is_unanswered
        from recent r
        cross join lateral (
          select * from transaction_requests t
           where t.charge_id = r.id and t.kind in ('authorize', 'pix', 'boleto', 'wallet') offset 0) a
       where a.provider_id is not null)
    select provider_id as id, count(*)::int as attempts,
           (count(*) filter (where is_card and state in ('approved', 'reversed')))::int as approved,
           (count(*) filter (where is_card and state = 'declined'))::int as declined,
           (count(*) filter (where state = 'not_sent'))::int as "notSent",
           (count(*) filter (where is_unanswered))::int as n,
           (count(*) filter (where is_unanswered and state in ('approved', 'reversed')))::int as "laterApproved",
           (count(*) filter (where is_unanswered and state in ('declined', 'rejected')))::int as "laterDeclined",
           (count(*) filter (where is_unanswered and state in ('absent', 'not_sent')))::int as absent,
           (count(*) filter (where is_unanswered and state in ('sent', 'undetermined', 'mismatch')))::int as open,
           (percentile_cont(0.5) within group (order by response_ms))::int as p50,
           (percentile_cont(0.95) within group (order by response_ms))::int as p95
      from seen group by provider_id`);
  const costs = await costsOfProviders(ctx);
  const health = new Map<string, ProviderHealth>();
  for (const { id, n, laterApproved, laterDeclined, absent, open, ...row } of rows) {
    const unanswered = { n, approved: laterApproved, declined: laterDeclined, absent, open };
    health.set(id, { ...row, unanswered, cost: costs.get(id) ?? null });
  }
  for (const [id, cost] of costs) if (!health.has(id)) health.set(id, { ...NOTHING, cost });
  return health;
}

const NOTHING: Omit<ProviderHealth, "cost"> = {
  attempts: 0,
  approved: 0,
  declined: 0,
  notSent: 0,
  unanswered: { n: 0, approved: 0, declined: 0, absent: 0, open: 0 },
  p50: null,
  p95: null,
};
