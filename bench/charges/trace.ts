import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { dispatch } from "@/app/api/registry";
import { recordCharge, startRecording } from "@/bench/charges/recording";
import { headersOf, makeTokens, newChargeOf, openShop, type Shop } from "@/bench/charges/shop";
import { inParallel } from "@/bench/latencies";
import { serverCpuSeconds } from "@/bench/machine";
import { ownCpuSeconds } from "@/bench/processes";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";

/**
 * What one card charge costs, statement by statement, with those of triggers and foreign keys:
 * npx tsx bench/charges/trace.ts [--charges 400] [--connections 8] [--flights]
 */
const { values } = parseArgs({
  options: {
    charges: { type: "string", default: "400" },
    connections: { type: "string", default: "8" },
    flights: { type: "boolean", default: false },
  },
});
const COUNT = Number(values.charges);
const HANDS = Number(values.connections);
const WIDTH = 150;

interface Cost {
  calls: string;
  ms: string;
  plan: string;
  wal: string;
  top: boolean;
  query: string;
}

async function pay(shop: Shop, bodies: readonly string[]): Promise<void> {
  await inParallel(bodies, HANDS, async (body) => {
    const answer = await dispatch(
      new Request("http://127.0.0.1/v1/charges", {
        method: "POST",
        headers: { ...headersOf(shop), "x-idempotency-key": randomUUID() },
        body,
      }),
    );
    if (answer.status !== 201) throw new Error(await answer.text());
    await answer.arrayBuffer();
  });
}

const bodiesOf = async (shop: Shop, count: number): Promise<string[]> =>
  (await makeTokens(shop, count)).map((token) => captured(newChargeOf(shop, token)));

// Guarantee: what newChargeOf writes is an object.
const captured = (body: string): string => JSON.stringify({ ...(JSON.parse(body) as object), capture: true });

const server = await openWorld({
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.track_planning": "on",
});
const owner = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  await owner`create extension if not exists pg_stat_statements`;
  const shop = await openShop();
  await pay(shop, await bodiesOf(shop, COUNT));
  const bodies = await bodiesOf(shop, COUNT);
  await owner`select pg_stat_statements_reset()`;
  const before = { own: ownCpuSeconds(), server: serverCpuSeconds(server.pid) };
  await pay(shop, bodies);
  const node = ((ownCpuSeconds() - before.own) / COUNT) * 1000;
  const database = ((serverCpuSeconds(server.pid) - before.server) / COUNT) * 1000;
  const costs = await owner<Cost[]>`
    select round(calls::numeric / ${COUNT}, 2)::text as calls, round((total_exec_time / ${COUNT} * 1000)::numeric)::text as ms,
           round((total_plan_time / ${COUNT} * 1000)::numeric)::text as plan, round(wal_bytes / ${COUNT})::text as wal,
           toplevel as top, regexp_replace(query, '\\s+', ' ', 'g') as query
      from pg_stat_statements where calls >= ${COUNT} / 4 and query !~ 'pg_stat_statements'
     order by toplevel desc, total_exec_time desc`;
  const [sum] = await owner<{ wal: string; calls: string; xacts: string }[]>`
    select round(sum(wal_bytes) filter (where toplevel) / ${COUNT})::text as wal,
           round(sum(calls) filter (where toplevel)::numeric / ${COUNT}, 1)::text as calls, '' as xacts from pg_stat_statements`;
  // Afterwards: telling of each statement costs as much as sending it.
  await closePools();
  startRecording();
  const { flights } = await recordCharge(shop);
  process.stdout.write(
    `${node.toFixed(2)} ms of Node, ${database.toFixed(2)} ms of PostgreSQL, ${sum?.wal} bytes of log, ` +
      `${sum?.calls} statements a charge; ${flights.flat().length} sent in ${flights.length} flights\n` +
      "a charge: calls, µs, µs planning, bytes of log; then what triggers and keys ran\n",
  );
  for (const { calls, ms, plan, wal, top, query } of costs) {
    const line = [calls.padStart(6), ms.padStart(6), plan.padStart(5), wal.padStart(6), top ? " " : "·"].join(" ");
    process.stdout.write(`${line} ${query.slice(0, WIDTH)}\n`);
  }
  if (values.flights) {
    for (const [index, flight] of flights.entries()) {
      for (const { pool, connection, text } of flight) {
        process.stdout.write(`${index} ${pool}#${connection} ${text.replace(/\s+/g, " ").slice(0, WIDTH)}\n`);
      }
    }
  }
} finally {
  await owner.end({ timeout: 5 });
  await closePools();
  await closeWorld(server);
}
process.exit(0);
