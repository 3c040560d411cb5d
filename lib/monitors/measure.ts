import { type SQL, sql } from "drizzle-orm";
import type { MonitorMetric } from "@/db/schema/monitors";
import { type Context, inSnapshot } from "@/lib/context";
import { ENOUGH_SAMPLES, type MeasuredWindow } from "@/lib/monitors/metrics";

export interface MonitorWindow {
  from: Date;
  until: Date;
}

/** Of a busy window the newest payments tell enough. */
const MOST_CHARGES = 3_000;

/** Each answers `value` and `samples` for the window `w` of the client named. */
const COUNTED: Readonly<Record<MonitorMetric, (client: SQL, most: number) => SQL>> = {
  approval: (client) => sql`
    select 100.0 * approved / nullif(approved + declined, 0) as value, approved + declined as samples
      from (${decided(client)}) d`,
  declines: (client) => sql`select declined as value, approved + declined as samples from (${decided(client)}) d`,
  latency: (client, most) => sql`
    select percentile_cont(0.95) within group (order by a.response_ms) as value, count(a.response_ms) as samples
      from (${attempts(client, most)}) a`,
  unknowns: (client, most) => sql`
    select count(*) filter (where a.state = 'undetermined'
             or (a.state = 'sent' and a.sent_at < now() - interval '10 seconds')) as value,
           count(*) as samples from (${attempts(client, most)}) a`,
  webhooks: (client) => sql`
    select 100.0 * count(*) filter (where d.attempts > 1 or d.status in ('scheduled', 'held', 'exhausted'))
             / nullif(count(*), 0) as value, count(*) as samples
      from webhooks h join webhook_deliveries d on d.webhook_id = h.id
     where h.client_id = ${client} and d.created_at >= w.since and d.created_at < w.until and d.attempts > 0`,
  refunds: (client) => sql`
    select count(*) as value, count(*) as samples
      from events e join charges c on c.id = e.entity_id and c.refunded_amount > 0
     where e.client_id = ${client} and e.created_at >= w.since and e.created_at < w.until
       and e.object = 'transaction' and e.event in ('voided', 'partially_voided')`,
  card_testing: (client) => sql`
    select count(*) as value, count(*) as samples from card_alarms a
     where a.client_id = ${client} and a.raised_at >= w.since and a.raised_at < w.until and a.cause <> 'person'`,
  flow_approval: (client) => sql`
    select min(100.0 * f.approved / f.samples) as value, coalesce(sum(f.samples), 0) as samples from (
      select count(*) filter (where c.status <> 'failed') as approved, count(*) as samples
        from routing_decisions d join charges c on c.id = d.charge_id and c.status not in ('pending', 'canceled')
       where d.client_id = ${client} and d.created_at >= w.since and d.created_at < w.until and d.flow_id is not null
       group by d.flow_id having count(*) >= ${ENOUGH_SAMPLES}) f`,
};

const decided = (client: SQL): SQL => sql`
  select count(*) filter (where c.status in ('authorized', 'pre_authorized', 'voided', 'charged_back', 'refund_pending',
                                             'capture_pending')) as approved,
         count(*) filter (where c.status = 'failed') as declined
    from charges c where c.client_id = ${client} and c.created_at >= w.since and c.created_at < w.until`;

const attempts = (client: SQL, most: number): SQL => sql`
  select t.state, t.sent_at, t.response_ms from (
    select c.id from charges c where c.client_id = ${client} and c.created_at >= w.since and c.created_at < w.until
     order by c.created_at desc limit ${most}) c
   join transaction_requests t on t.charge_id = c.id and t.kind in ('authorize', 'pix', 'boleto', 'wallet')`;

/** What happened in each of the windows, in their order. */
export async function measure(
  ctx: Context,
  metric: MonitorMetric,
  windows: readonly MonitorWindow[],
  most = MOST_CHARGES,
): Promise<MeasuredWindow[]> {
  if (windows.length === 0) return [];
  const instants = (of: keyof MonitorWindow) =>
    `{${windows.map((window) => `"${window[of].toISOString()}"`).join(",")}}`;
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<{ value: string | number | null; samples: string | number }>(sql`
      select m.value, m.samples
        from unnest(${instants("from")}::timestamptz[], ${instants("until")}::timestamptz[]) with ordinality
             as w(since, until, place)
        cross join lateral (${COUNTED[metric](sql`${ctx.account.id}::uuid`, most)}) m
       order by w.place`),
  );
  return rows.map(({ value, samples }) => ({
    value: value === null ? null : Number(value),
    samples: Number(samples),
  }));
}
