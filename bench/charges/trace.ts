import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { dispatch } from "@/app/api/registry";
import { recordCharge, startRecording } from "@/bench/charges/recording";
import { headersOf, makeTokens, newChargeOf, openShop, type Shop } from "@/bench/charges/shop";
import { inParallel } from "@/bench/latencies";
import { serverCpuSeconds } from "@/bench/machine";
import { ownCpuSeconds } from "@/bench/processes";
import { openSellers } from "@/bench/sellers/open";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";

/**
 * What one card charge costs, statement by statement, with those of triggers and foreign keys:
 * npx tsx bench/charges/trace.ts [--charges 400] [--connections 8] [--sellers 3] [--installments 6] [--flights] [--log]
 * `--log` says which table or index the write-ahead log is about, record by record.
 */
const { values } = parseArgs({
  options: {
    charges: { type: "string", default: "400" },
    connections: { type: "string", default: "8" },
    sellers: { type: "string", default: "0" },
    installments: { type: "string", default: "1" },
    flights: { type: "boolean", default: false },
    log: { type: "boolean", default: false },
  },
});
const COUNT = Number(values.charges);
const HANDS = Number(values.connections);
const WIDTH = 150;

interface Cost {
  calls: string;
  ms: string;
  plan: string;
  /** A statement that is planned at every call has a generic plan that looks dearer than it is. */
  plans: string;
  wal: string;
  top: boolean;
  query: string;
}

interface Logged {
  about: string;
  records: string;
  bytes: string;
  /** Of them whole pages: the first change of each after a checkpoint. */
  pages: string;
}

/** What the log holds from here on, a charge. */
async function tellLog(owner: postgres.Sql, from: string): Promise<void> {
  const [end] = await owner<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
  const kinds = await owner<Logged[]>`
    with blocks as (select distinct on (start_lsn) start_lsn, relfilenode, record_length, resource_manager, record_type
      from pg_get_wal_block_info(${from}, ${end?.lsn ?? from}) order by start_lsn, block_id),
    records as (select start_lsn, record_length, resource_manager, record_type, fpi_length
      from pg_get_wal_records_info(${from}, ${end?.lsn ?? from}))
    select concat_ws(' ', coalesce(c.relname, '-'), r.resource_manager, r.record_type) as about,
           round(count(*)::numeric / ${COUNT}, 2)::text as records, round(sum(r.record_length) / ${COUNT})::text as bytes,
           round(sum(r.fpi_length) / ${COUNT})::text as pages
      from records r left join blocks b using (start_lsn) left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
     group by 1 having sum(r.record_length) >= ${COUNT} * 5 order by sum(r.record_length) desc`;
  for (const { about, records, bytes, pages } of kinds) {
    process.stdout.write(`${bytes.padStart(6)} ${records.padStart(6)} ${pages.padStart(6)}  ${about}\n`);
  }
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

async function bodiesOf(shop: Shop, sellers: readonly string[], count: number): Promise<string[]> {
  const splitRules = sellers.map((sellerId) => ({ sellerId, percentage: 9, processingFee: true, liable: true }));
  const given = {
    capture: true,
    paymentMethod: { paymentType: "credit", installments: Number(values.installments) },
    ...(splitRules.length > 0 ? { splitRules } : {}),
  };
  // Guarantee: what newChargeOf writes is an object.
  const bodyOf = (body: string): string => JSON.stringify({ ...(JSON.parse(body) as object), ...given });
  return (await makeTokens(shop, count)).map((token) => bodyOf(newChargeOf(shop, token)));
}

const server = await openWorld({
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.track_planning": "on",
});
const owner = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  await owner`create extension if not exists pg_stat_statements`;
  const shop = await openShop();
  const sellers = await openSellers(shop, Number(values.sellers));
  await pay(shop, await bodiesOf(shop, sellers, COUNT));
  const bodies = await bodiesOf(shop, sellers, COUNT);
  // As the server does by itself a little later: what a plan is made from is then known.
  await owner`analyze`;
  await owner`select pg_stat_statements_reset()`;
  if (values.log) await owner`create extension pg_walinspect`;
  const [start] = await owner<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`;
  const before = { own: ownCpuSeconds(), server: serverCpuSeconds(server.pid) };
  await pay(shop, bodies);
  const node = ((ownCpuSeconds() - before.own) / COUNT) * 1000;
  const database = ((serverCpuSeconds(server.pid) - before.server) / COUNT) * 1000;
  const costs = await owner<Cost[]>`
    select round(calls::numeric / ${COUNT}, 2)::text as calls, round((total_exec_time / ${COUNT} * 1000)::numeric)::text as ms,
           round((total_plan_time / ${COUNT} * 1000)::numeric)::text as plan, round(plans::numeric / ${COUNT}, 2)::text as plans,
           round(wal_bytes / ${COUNT})::text as wal,
           toplevel as top, regexp_replace(query, '\\s+', ' ', 'g') as query
      from pg_stat_statements where calls >= ${COUNT} / 4 and query !~ 'pg_stat_statements'
     order by toplevel desc, total_exec_time desc`;
  const [sum] = await owner<{ wal: string; calls: string; xacts: string }[]>`
    select round(sum(wal_bytes) filter (where toplevel) / ${COUNT})::text as wal,
           round(sum(calls) filter (where toplevel)::numeric / ${COUNT}, 1)::text as calls, '' as xacts from pg_stat_statements`;
  if (values.log && start) await tellLog(owner, start.lsn);
  // Afterwards: telling of each statement costs as much as sending it.
  await closePools();
  startRecording();
  const { flights } = await recordCharge(shop);
  process.stdout.write(
    `${node.toFixed(2)} ms of Node, ${database.toFixed(2)} ms of PostgreSQL, ${sum?.wal} bytes of log, ` +
      `${sum?.calls} statements a charge; ${flights.flat().length} sent in ${flights.length} flights\n` +
      "a charge: calls, µs, plans, µs planning, bytes of log; then what triggers and keys ran\n",
  );
  for (const { calls, ms, plans, plan, wal, top, query } of costs) {
    const line = [
      calls.padStart(6),
      ms.padStart(6),
      plans.padStart(6),
      plan.padStart(5),
      wal.padStart(6),
      top ? " " : "·",
    ].join(" ");
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
