import { sql } from "drizzle-orm";
import { flows } from "@/db/schema/flows";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import type { FlowRow } from "@/lib/flows/queries";
import { rootOf } from "@/lib/flows/queries";
import { count, type Likeness, type Segments } from "@/lib/flows/replays/segments";
import type { Measures } from "@/lib/flows/rules/evaluate";
import type { DecidingFlow } from "@/lib/payments/routing/choices";
import type { RoutingFacts } from "@/lib/payments/routing/facts";

/** A payment as it was decided, and what became of it. */
export interface DecidedPayment {
  chargeId: string;
  merchantId: string;
  at: Date;
  facts: RoutingFacts;
  path: string[];
  providers: string[];
  skipped: { id: string; why: string }[];
  measures: Measures | undefined;
  analyst: string | null;
  flowId: string | null;
  isApproved: boolean;
}

type Stored = Omit<DecidedPayment, "at"> & { at: string };

/** To the microsecond, as the database has it. */
export interface Cursor {
  at: string;
  id: string;
}

export const SUCCEEDED = sql.raw(
  "('pre_authorized', 'authorized', 'voided', 'charged_back', 'refund_pending', 'capture_pending')",
);

/** As text: the database makes and the driver reads one value instead of ten. */
const KEPT = sql`
  json_build_object('chargeId', d.charge_id, 'merchantId', c.merchant_id, 'at', d.created_at,
    'facts', d.facts, 'path', d.path, 'providers', d.providers, 'skipped', d.skipped, 'measures', d.measures,
    'analyst', d.fraud_provider, 'flowId', d.flow_id, 'isApproved', c.status in ${SUCCEEDED})::text`;

function decidedOf(text: string): DecidedPayment {
  // Guarantee: made by the statement above.
  const kept = JSON.parse(text) as Stored;
  return { ...kept, at: new Date(kept.at), measures: kept.measures ?? undefined };
}

/**
 * Of the merchants of a flow, by its method, in its window: the newest first, a page at a time. A page is so many
 * decisions of the account, in the order of their index, and fewer payments where others are among them: however many
 * there are, the database never sorts them, and it looks each payment up by its key: of rows that it takes for few it
 * would pair all of both sides. `next` is where the following page begins; there is none after the last.
 */
export async function readDecided(
  ctx: Context,
  { merchantIds, paymentMethod }: Pick<FlowRow, "merchantIds" | "paymentMethod">,
  { since, until, before, size }: { since: Date; until: Date; before: Cursor | undefined; size: number },
): Promise<{ items: DecidedPayment[]; next: Cursor | undefined }> {
  const rows = await ctx.db.execute<{ kept: string | null; at: string; id: string }>(sql`
    with d as materialized (
      select charge_id, created_at, facts, path, providers, skipped, measures, fraud_provider, flow_id
        from routing_decisions
       where client_id = ${ctx.account.id} and created_at >= ${since.toISOString()}::timestamptz
         and created_at < ${until.toISOString()}::timestamptz
         ${before ? sql`and (created_at, charge_id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql``}
       order by created_at desc, charge_id desc limit ${size})
    select case when c.id is not null then ${KEPT} end as kept, d.created_at::text as at, d.charge_id as id
      from d left join lateral (select * from charges where id = d.charge_id offset 0) c
             on c.merchant_id = any(${`{${merchantIds.join(",")}}`}::uuid[])
            and c.payment_type = ${paymentMethod} and c.status <> 'pending'
     order by d.created_at desc, d.charge_id desc`);
  const last = rows.at(-1);
  return {
    items: rows.flatMap(({ kept }) => (kept === null ? [] : [decidedOf(kept)])),
    next: last && rows.length === size ? { at: last.at, id: last.id } : undefined,
  };
}

/** Decisions that one page looks at, and how many pages are looked through for the newest payments of one subject. */
export const PAGE = 2_000;
const MOST_PAGES = 50;

/** The newest payments of a window, up to `most`. */
export async function newestDecided(
  ctx: Context,
  subject: Pick<FlowRow, "merchantIds" | "paymentMethod">,
  { since, until, most }: { since: Date; until: Date; most: number },
): Promise<DecidedPayment[]> {
  const found: DecidedPayment[] = [];
  let before: Cursor | undefined;
  for (let page = 0; page < MOST_PAGES && found.length < most; page++) {
    const { items, next } = await readDecided(ctx, subject, { since, until, before, size: PAGE });
    found.push(...items.slice(0, most - found.length));
    if (!next) break;
    before = next;
  }
  return found;
}

/** One payment, of whatever merchant. */
export async function readOneDecided(ctx: Context, chargeId: string): Promise<DecidedPayment | undefined> {
  const [row] = await ctx.db.execute<{ kept: string }>(sql`
    select ${KEPT} as kept from routing_decisions d join charges c on c.id = d.charge_id
     where d.client_id = ${ctx.account.id} and d.charge_id = ${chargeId}::uuid`);
  return row && decidedOf(row.kept);
}

export async function countDecided(
  ctx: Context,
  { merchantIds, paymentMethod }: FlowRow,
  { since, until, most }: { since: Date; until: Date; most: number },
): Promise<number> {
  const [row] = await ctx.db.execute<{ n: number }>(sql`
    select count(*)::int as n from (
      select from routing_decisions d join charges c on c.id = d.charge_id
       where d.client_id = ${ctx.account.id} and d.created_at >= ${since.toISOString()}::timestamptz
         and d.created_at < ${until.toISOString()}::timestamptz
         and c.merchant_id = any(${`{${merchantIds.join(",")}}`}::uuid[]) and c.payment_type = ${paymentMethod}
         and c.status <> 'pending' limit ${most}) counted`);
  return row?.n ?? 0;
}

/** How often first attempts were approved, in segments; summed by the database, so that any number of them fits. */
export async function readSegments(ctx: Context, { since, until }: { since: Date; until: Date }, deciles: number[]) {
  const rows = await ctx.db.execute<{
    like: Omit<Likeness, "decile">;
    decile: number;
    n: number;
    approved: number;
    retryable: number;
  }>(sql`
    select jsonb_build_object('provider', t.provider_id, 'brand', coalesce(d.facts->>'brand', ''),
             'bin', left(coalesce(d.facts->>'cardBin', ''), 6),
             'band', case when (d.facts->>'installments')::int >= 13 then 13 when (d.facts->>'installments')::int >= 7 then 7
                          when (d.facts->>'installments')::int >= 2 then 2 else 1 end,
             'recurrence', coalesce(d.facts->>'recurrence', ''), 'analyst', coalesce(d.fraud_provider::text, ''),
             'isRandomized', d.bucket is not null or exists (select from unnest(d.path) p where p ~ ':[0-9]+$')) as like,
           width_bucket((d.facts->>'amount')::numeric, ${`{${deciles.join(",")}}`}::numeric[])::int as decile,
           count(*)::int as n,
           (count(*) filter (where c.status in ${SUCCEEDED} and c.provider_id = t.provider_id))::int as approved,
           (count(*) filter (where t.state = 'declined' and t.provider_error->>'retryable' = 'true'))::int as retryable
      from routing_decisions d join charges c on c.id = d.charge_id
      join transaction_requests t on t.charge_id = d.charge_id and t.sequence = 1
       and t.kind in ('authorize', 'pix', 'boleto') and t.state in ('approved', 'declined')
     where d.client_id = ${ctx.account.id} and d.created_at >= ${since.toISOString()}::timestamptz
       and d.created_at < ${until.toISOString()}::timestamptz
     group by 1, 2`);
  const segments: Segments = new Map();
  for (const { like, decile, n, approved, retryable } of rows) {
    count(segments, { ...like, decile }, { n, approved, retryable });
  }
  return segments;
}

/** Nine amounts that part the payments of a window in ten; apart from each other, so that each is a bound. */
export async function readDeciles(ctx: Context, { since, until }: { since: Date; until: Date }): Promise<number[]> {
  const [row] = await ctx.db.execute<{ bounds: number[] | null }>(sql`
    select percentile_disc(array[.1,.2,.3,.4,.5,.6,.7,.8,.9]) within group (order by (facts->>'amount')::bigint) as bounds
      from routing_decisions where client_id = ${ctx.account.id} and created_at >= ${since.toISOString()}::timestamptz
       and created_at < ${until.toISOString()}::timestamptz`);
  return [...new Set((row?.bounds ?? []).map(Number))].toSorted((a, b) => a - b);
}

export const decileOf = (deciles: readonly number[], amount: number): number =>
  deciles.filter((bound) => amount >= bound).length;

/** The versions that decided, each read once. */
export function versions(ctx: Context): (id: string) => Promise<DecidingFlow> {
  const known = new Map<string, Promise<DecidingFlow>>();
  const read = async (id: string): Promise<DecidingFlow> => {
    const [row] = await findRows(ctx.db, flows, { clientId: ctx.account.id, id });
    if (!row) throw new Error("a payment was decided by a flow that is missing");
    return { id, version: "", family: row.familyId, root: rootOf(row) };
  };
  return (id) => {
    const one = known.get(id) ?? read(id);
    known.set(id, one);
    return one;
  };
}
