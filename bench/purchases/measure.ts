import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { headersOf } from "@/bench/charges/shop";
import { type Measured, percentile, perSecond } from "@/bench/latencies";
import type { Load } from "@/bench/load";
import { launch } from "@/bench/processes";
import { fillPurchases } from "@/bench/purchases/rows";
import { type CardShop, call, newPurchaseOf, openCardShop } from "@/bench/purchases/shop";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { driveOperation } from "@/lib/purchases/work";

/** The least that three cards can take: authorise and capture each, one call after the other. */
const CARDS = 3;
const CALLS = CARDS * 2;
export const PROVIDER_MS = 50;
export const FLOOR_MS = CALLS * PROVIDER_MS;
const SCENARIO = `latency=${PROVIDER_MS};times=0`;
const CAPTURE_SCENARIO = `${SCENARIO};step=capture`;
const CONNECTIONS = 32;

export interface PurchasePlan {
  /** Rows of the client in the table. */
  sizes: readonly number[];
  /** Purchases from request to paid, one after the other. */
  whole: number;
  /** Requests of one burst. */
  accepted: number;
}

export interface PurchaseResult {
  rows: number;
  wholeP50: number;
  wholeP95: number;
  /** The six calls as they were answered: what the simulator keeps of each takes its time beside the 50 ms. */
  callsP50: number;
  /** The whole of each purchase by its own six calls, p95. */
  ofCalls: number;
  perSecond: number;
  acceptP50: number;
  acceptP99: number;
}

/** At each size: three cards from the request to paid, and how many purchases are accepted in a second. */
export async function measurePurchases(
  url: string,
  { sizes, whole, accepted }: PurchasePlan,
  say: (line: string) => void,
): Promise<PurchaseResult[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const server = launch("charges/product.ts");
  const load = launch("load.ts");
  try {
    const { port } = await server.ask<{ port: number }>({});
    const shop = await openCardShop();
    const model = await buyWhole(shop);
    const results: PurchaseResult[] = [];
    for (const rows of sizes) {
      say(`purchases: ${rows.toLocaleString("en")} in the table`);
      await fillPurchases(sql, shop, model.id, rows);
      await buyWhole(shop);
      const bought: Whole[] = [];
      for (let count = 0; count < whole; count++) bought.push(await buyWhole(shop));
      const times = sorted(bought.map(({ ms }) => ms));
      const calls = await callsOf(sql, bought);
      await load.ask<Measured>(requests(port, shop, Math.ceil(accepted / 4)));
      const burst = await load.ask<Measured>(requests(port, shop, accepted));
      // What was accepted is not worked on: the table grows by it, and nothing else runs beside the next size.
      await sql`update purchase_operations set run_at = null where client_id = ${shop.clientId} and status = 'pending'`;
      results.push({
        rows,
        wholeP50: percentile(times, 0.5),
        wholeP95: percentile(times, 0.95),
        callsP50: percentile(sorted([...calls.values()]), 0.5),
        ofCalls: percentile(sorted(bought.map(({ id, ms }) => ms / (calls.get(id) ?? Number.NaN))), 0.95),
        perSecond: perSecond(burst),
        acceptP50: percentile(burst.latencies, 0.5),
        acceptP99: percentile(burst.latencies, 0.99),
      });
    }
    return results;
  } finally {
    await Promise.all([server.stop(), load.stop(), sql.end({ timeout: 5 })]);
  }
}

interface Answer {
  id: string;
  operation: { id: string };
}

interface Whole {
  id: string;
  ms: number;
}

const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);

/** By purchase, what its calls took together. */
async function callsOf(sql: postgres.Sql, bought: readonly Whole[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; ms: number }[]>`
    select p.purchase_id as id, sum(t.response_ms)::float8 as ms
      from transaction_requests t join purchase_payments p using (charge_id)
     where p.purchase_id = any(${bought.map(({ id }) => id)}::uuid[]) group by 1`;
  return new Map(rows.map(({ id, ms }) => [id, ms]));
}

/** From the request to paid, by the handlers and the worker's own step, with a provider that takes its time. */
export async function buyWhole(shop: CardShop): Promise<Whole> {
  const ctx = systemContext(await loadAccount(shop.clientId), randomUUID());
  const began = performance.now();
  const { id, operation } = await call<Answer>(shop, "/v1/purchases", newPurchaseOf(shop, CARDS), SCENARIO);
  await driveOperation(ctx, operation.id, id);
  const captured = await call<Answer>(shop, `/v1/purchases/${id}/capture`, {}, CAPTURE_SCENARIO);
  await driveOperation(ctx, captured.operation.id, id);
  const ms = performance.now() - began;
  // A timer may come a millisecond early.
  if (ms < FLOOR_MS - CALLS) throw new Error(`three cards in ${Math.round(ms)} ms: the provider was not waited for`);
  return { id, ms };
}

const requests = (port: number, shop: CardShop, count: number): Load => ({
  origin: `http://127.0.0.1:${port}`,
  method: "POST",
  path: "/v1/purchases",
  headers: headersOf(shop),
  bodies: Array.from({ length: count }, () => JSON.stringify(newPurchaseOf(shop, CARDS))),
  connections: CONNECTIONS,
  expected: 202,
});
