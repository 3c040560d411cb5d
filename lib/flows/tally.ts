import { sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { SUCCEEDED } from "@/lib/flows/replays/reading";
import { settledCost } from "@/lib/payments/routing/settled-cost";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export const TALLIED_DAYS = 30;
/** The newest; more would say the same. */
export const MOST_TALLIED = 10_000;

export interface Tally {
  payments: number;
  approved: number;
}

export interface ProviderTally extends Tally {
  id: string;
  /** Its cost per cent captured, by what it settled; null while it settled nothing. */
  cost: number | null;
}

export interface FlowTally extends Tally {
  /** By entry of the path: `n1:then`, `s1:0`, a provider's id. */
  nodes: ReadonlyMap<string, Tally>;
  /** By who was tried first. */
  providers: ProviderTally[];
}

const since = (ctx: Context): string => addSeconds(now(ctx), -TALLIED_DAYS * DAY_SECONDS).toISOString();

/** What the payments that each flow decided came to. */
export async function talliesOf(ctx: Context, flowIds: readonly string[]): Promise<Map<string, Tally>> {
  if (flowIds.length === 0) return new Map();
  const rows = await ctx.db.execute<{ id: string; payments: number; approved: number }>(sql`
    select f.id, t.payments, t.approved
      from unnest(${`{${flowIds.join(",")}}`}::uuid[]) f(id)
     cross join lateral (
       select count(*)::int as payments, (count(*) filter (where is_approved))::int as approved
         from (${decidedBy(ctx, sql`f.id`)}) decided) t`);
  return new Map(rows.map(({ id, payments, approved }) => [id, { payments, approved }]));
}

/** The same of one flow, by each node that was passed and by who was tried first. */
export async function tallyOf(ctx: Context, flowId: string): Promise<FlowTally> {
  const decided = sql`decided as materialized (${decidedBy(ctx, sql`${flowId}::uuid`)})`;
  const nodes = await ctx.db.execute<{ node: string | null; payments: number; approved: number }>(sql`
    with ${decided}
    select null as node, count(*)::int as payments, (count(*) filter (where is_approved))::int as approved from decided
    union all
    select p.node, count(*)::int, (count(*) filter (where is_approved))::int from decided, unnest(path) p(node) group by 1`);
  const providers = await ctx.db.execute<{ id: string; payments: number; approved: number; cost: number | null }>(sql`
    with ${decided}
    select first as id, count(*)::int as payments,
           (count(*) filter (where is_approved and provider_id = first))::int as approved,
           (select sum(settled.cost)::float8 / nullif(sum(settled.captured), 0)
              from (select e.captured_amount as captured, ${settledCost(sql`e.charge_id`)} as cost
                      from decided e where e.provider_id = first) settled
             where settled.cost is not null) as cost
      from (select *, providers[1] as first from decided) d where first is not null group by first order by 2 desc`);
  const [total] = nodes.filter(({ node }) => node === null);
  return {
    payments: total?.payments ?? 0,
    approved: total?.approved ?? 0,
    nodes: new Map(
      nodes.flatMap(({ node, payments, approved }) => (node === null ? [] : [[node, { payments, approved }] as const])),
    ),
    providers: [...providers],
  };
}

const decidedBy = (ctx: Context, flowId: ReturnType<typeof sql>) => sql`
  select d.charge_id, d.path, d.providers, c.provider_id, c.captured_amount, c.status in ${SUCCEEDED} as is_approved
    from routing_decisions d join charges c on c.id = d.charge_id
   where d.client_id = ${ctx.account.id} and d.flow_id = ${flowId} and d.created_at >= ${since(ctx)}::timestamptz
     and c.status <> 'pending'
   order by d.created_at desc limit ${MOST_TALLIED}`;
