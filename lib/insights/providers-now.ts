import { type SQL, sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** How far back "now" reaches, and how many of the newest attempts say whether a provider works. */
const LATELY_SECONDS = 3_600;
export const NEWEST = 20;
/** Of the newest: fewer say nothing, and from this share on it does not answer. */
export const FEWEST_ATTEMPTS = 3;
const FAILING_SHARE = 0.3;
/** An hour of a large account is more than is needed to tell: its newest charges are. */
const MOST_CHARGES = 3_000;

/** Whether a connection fails, in one judgment for the home page and for notices. */
export const isFailing = ({ newest, newestTroubled }: Pick<ProviderNow, "newest" | "newestTroubled">): boolean =>
  newest >= FEWEST_ATTEMPTS && newestTroubled / newest >= FAILING_SHARE;

/** Of one account, up to a moment of its clock. */
export const recentCharges = (clientId: SQL, at: SQL, also: SQL = sql.raw("")): SQL => sql`
  select id from charges where client_id = ${clientId} and created_at >= ${at} - ${LATELY_SECONDS} * interval '1 second' ${also}
   order by created_at desc, id desc limit ${MOST_CHARGES}`;

/** What was asked of each connection (`id`) for these charges (`r`), the newest numbered 1. */
export const recentAttempts = (charges: SQL): SQL => sql`
  select a.provider_id as id, a.state, a.response_ms, a.updated_at, a.kind = 'authorize' as is_card,
         a.state in ('undetermined', 'not_sent', 'absent', 'mismatch')
           or (a.state = 'sent' and a.kind = 'authorize' and a.sent_at < now() - interval '10 seconds') as is_troubled,
         row_number() over (partition by a.provider_id order by a.created_at desc, a.id desc) as n
    from ${charges}
    cross join lateral (
      select * from transaction_requests t
       where t.charge_id = r.id and t.kind in ('authorize', 'pix', 'boleto', 'wallet') offset 0) a`;

export interface ProviderNow {
  /** Its kind. */
  provider: string;
  /** The connection of a merchant. */
  id: string;
  name: string;
  /** Another connection is of the same kind. */
  isOneOfSeveral: boolean;
  attempts: number;
  /** Of card attempts alone: a code or slip that was issued is not paid yet. */
  approved: number;
  declined: number;
  /** Without an answer that settles them, now or for a while: silence, broken answers, refused connections. */
  troubled: number;
  /** Among the newest attempts alone: an outage shows at once, whatever went well before it. */
  newest: number;
  newestTroubled: number;
  p50: number | undefined;
  p95: number | undefined;
  lastSuccess: Date | undefined;
}

interface Row extends Record<string, unknown> {
  provider: string;
  id: string;
  name: string;
  isOneOfSeveral: boolean;
  attempts: number;
  approved: number;
  declined: number;
  troubled: number;
  newest: number;
  newestTroubled: number;
  p50: number | null;
  p95: number | null;
  lastSuccess: string | null;
}

/** How each connection to a provider answers, read live from the newest payments. */
export async function providersNow(
  ctx: Context,
  role: OperatorRole,
  merchantId: string | undefined,
): Promise<ProviderNow[]> {
  demand(role, "payments.see");
  const ofMerchant = merchantId ? sql`and merchant_id = ${merchantId}::uuid` : sql.raw("");
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<Row>(sql`
      with recent as materialized (
        ${recentCharges(sql`${ctx.account.id}::uuid`, sql`${now(ctx).toISOString()}::timestamptz`, ofMerchant)}),
      connections as (
        select id, kind, name,
               count(*) filter (where deleted_at is null) over (partition by kind) - (deleted_at is null)::int as others
          from providers where client_id = ${ctx.account.id}),
      seen as (${recentAttempts(sql`recent r`)})
      select p.kind as provider, p.name, s.*,
             p.others > 0 or count(*) over (partition by p.kind) > 1 as "isOneOfSeveral"
        from (
          select id, count(*)::int as attempts,
                 count(*) filter (where is_card and state in ('approved', 'reversed'))::int as approved,
                 count(*) filter (where is_card and state = 'declined')::int as declined,
                 count(*) filter (where is_troubled)::int as troubled,
                 count(*) filter (where n <= ${NEWEST})::int as newest,
                 count(*) filter (where n <= ${NEWEST} and is_troubled)::int as "newestTroubled",
                 (percentile_cont(0.5) within group (order by response_ms))::int as p50,
                 (percentile_cont(0.95) within group (order by response_ms))::int as p95,
                 max(updated_at) filter (where state in ('approved', 'reversed')) as "lastSuccess"
            from seen group by id) s
        join connections p on p.id = s.id
       order by s.attempts desc, p.kind, p.name, p.id`),
  );
  return rows.map((row) => ({
    ...row,
    p50: row.p50 ?? undefined,
    p95: row.p95 ?? undefined,
    lastSuccess: row.lastSuccess ? new Date(row.lastSuccess) : undefined,
  }));
}
