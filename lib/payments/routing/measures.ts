import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { MeasuredProvider, Measures } from "@/lib/flows/rules/evaluate";
import { bestIn } from "@/lib/flows/rules/named";
import type { BestNode, Measure } from "@/lib/flows/rules/nodes";
import type { Choices } from "@/lib/payments/routing/choices";
import type { RouteDecision } from "@/lib/payments/routing/decide";
import { decide } from "@/lib/payments/routing/decide-by-flow";
import type { RoutingFacts } from "@/lib/payments/routing/facts";
import { settledCost } from "@/lib/payments/routing/settled-cost";
import { monotonicMs } from "@/lib/time";

/** With what its providers did lately, where the flow orders by that. */
export const decideMeasured = async (ctx: Context, facts: RoutingFacts, choices: Choices): Promise<RouteDecision> =>
  decide(facts, choices, await measuresFor(ctx, choices, facts));

type MeasuredFacts = Pick<RoutingFacts, "brand" | "installments">;

export async function measuresFor(
  ctx: Context,
  { flow }: Pick<Choices, "flow">,
  facts: MeasuredFacts,
): Promise<Measures | undefined> {
  const nodes = flow ? bestIn(flow.root) : [];
  if (nodes.length === 0) return undefined;
  const measured = nodes.map(async (node) => [node.id, await measuredBy(ctx, node, facts)] as const);
  return Object.fromEntries(await Promise.all(measured));
}

async function measuredBy(
  ctx: Context,
  node: BestNode,
  facts: MeasuredFacts,
): Promise<Record<string, MeasuredProvider>> {
  const found = node.ids.map(async (id) => [id, await remembered(ctx, node, id, facts)] as const);
  const known = (await Promise.all(found)).filter(
    (one): one is readonly [string, MeasuredProvider] => one[1] !== undefined,
  );
  return Object.fromEntries(known);
}

/** Instalments are judged together where their prices and limits are alike. */
export const installmentBandOf = (installments: number): number =>
  installments >= 13 ? 13 : installments >= 7 ? 7 : installments >= 2 ? 2 : 1;

const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 10_000;
const memory = new Map<string, { atMs: number; measured: MeasuredProvider | undefined }>();

/** A decision keeps what it saw, so that half a minute here or there makes none of them unexplainable. */
async function remembered(ctx: Context, { by, window }: BestNode, id: string, { brand, installments }: MeasuredFacts) {
  const band = installmentBandOf(installments);
  const key = [id, by, window, brand, band].join(" ");
  const ms = monotonicMs();
  const known = memory.get(key);
  if (known && ms - known.atMs < REMEMBERED_MS) return known.measured;
  const measured = await measure(ctx, id, { by, window, brand, band });
  if (memory.size >= MOST_REMEMBERED) memory.clear();
  memory.set(key, { atMs: ms, measured });
  return measured;
}

export const forgetMeasures = (): void => memory.clear();

/** Attempts looked through for those of one brand and band. */
const MOST_READ = 5_000;

const VALUES: Record<Measure, ReturnType<typeof sql>> = {
  approval: sql`case when state = 'approved' then 1.0 else 0.0 end`,
  latency: sql`response_ms::float8`,
  cost: sql`(${settledCost(sql`last.charge_id`)}::float8
    / (select nullif(c.captured_amount, 0) from charges c where c.id = last.charge_id))`,
};

interface Asked extends Pick<BestNode, "by" | "window"> {
  brand: string | undefined;
  band: number;
}

async function measure(ctx: Context, providerId: string, { by, window, brand, band }: Asked) {
  const last = BANDS[band] ?? band;
  const [row] = await ctx.db.execute<{ n: number; value: number | null }>(sql`
    with recent as (
      select charge_id, state, response_ms, created_at from transaction_requests
       where client_id = ${ctx.account.id} and provider_id = ${providerId} and kind = 'authorize'
       order by created_at desc limit ${MOST_READ}),
    last as (
      select t.* from recent t join routing_decisions d on d.charge_id = t.charge_id
       where t.state in ('approved', 'declined') and d.facts->>'brand' is not distinct from ${brand ?? null}::text
         and (d.facts->>'installments')::int between ${band} and ${last}
       order by t.created_at desc limit ${window}),
    valued as (select ${VALUES[by]} as value from last)
    select count(value)::int as n,
           ${by === "latency" ? sql`percentile_cont(0.5) within group (order by value)` : sql`avg(value)`}::float8 as value
      from valued`);
  return row && row.n > 0 && row.value !== null ? { n: row.n, value: row.value } : undefined;
}

const BANDS: Readonly<Record<number, number>> = { 1: 1, 2: 6, 7: 12, 13: 99 };
