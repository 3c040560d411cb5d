import postgres from "postgres";
import { headersOf, makeTokens, newChargeOf, openShop } from "@/bench/charges/shop";
import { type Measured, percentile } from "@/bench/latencies";
import { fillCharges, type Listed } from "@/bench/lists/rows";
import type { Load } from "@/bench/load";
import { launch, type Worker } from "@/bench/processes";

const PAGE_SIZE = 10;

interface Case {
  name: string;
  /** The most that the p95 may be of the same case at the smallest size. */
  target: number;
  query(list: Listed): string;
  total(list: Listed): number;
}

const pages = (rows: number): number => Math.ceil(rows / PAGE_SIZE);
const all = ({ rows }: Listed): number => rows;
const onlyFailed = ({ failed }: Listed): number => failed;

const CASES: readonly Case[] = [
  { name: "page 1", target: 1.5, query: () => "page=1", total: all },
  { name: "status=failed, page 1", target: 1.5, query: () => "page=1&status=failed", total: onlyFailed },
  { name: "last page", target: 2, query: ({ rows }) => `page=${pages(rows)}`, total: all },
  {
    name: "status=failed, last page",
    target: 2,
    query: ({ failed }) => `page=${pages(failed)}&status=failed`,
    total: onlyFailed,
  },
  { name: "middle page", target: 25, query: ({ rows }) => `page=${Math.ceil(pages(rows) / 2)}`, total: all },
];

export interface ListResult {
  name: string;
  rows: number;
  p50: number;
  p95: number;
  /** Of the p95 at the smallest size. */
  ratio: number;
  target: number;
}

/** Latency of the list at each size; the sizes take turns, so that a busy moment of the machine meets all of them. */
export async function measureLists(
  url: string,
  { sizes, rounds, requests }: { sizes: readonly number[]; rounds: number; requests: number },
  say: (line: string) => void,
): Promise<ListResult[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const server = launch("charges/product.ts");
  const load = launch("load.ts");
  try {
    const { port } = await server.ask<{ port: number }>({});
    const origin = `http://127.0.0.1:${port}`;
    const lists: Listed[] = [];
    for (const rows of sizes) {
      say(`filling in ${rows.toLocaleString("en")} charges`);
      lists.push(await fillCharges(sql, await modelCharge(origin), rows));
    }
    await sql`vacuum analyze charges, transaction_requests, charge_counts`;
    for (const one of CASES) for (const list of lists) await checkTotal(origin, one, list);
    const results: ListResult[] = [];
    for (const one of CASES) {
      say(`listing: ${one.name}`);
      results.push(...(await measureCase(one, lists, { origin, load, rounds, requests })));
    }
    return results;
  } finally {
    await Promise.all([server.stop(), load.stop(), sql.end({ timeout: 5 })]);
  }
}

async function measureCase(
  one: Case,
  lists: readonly Listed[],
  { origin, load, rounds, requests }: { origin: string; load: Worker; rounds: number; requests: number },
): Promise<ListResult[]> {
  const taken = new Map<Listed, number[]>(lists.map((list) => [list, []]));
  const ask = (list: Listed, count: number) => load.ask<Measured>(requestsFor(origin, one, list, count));
  for (const list of lists) await ask(list, Math.ceil(requests / 4));
  for (let round = 0; round < rounds; round++) {
    for (const list of lists) taken.get(list)?.push(...(await ask(list, requests)).latencies);
  }
  const at = (list: Listed | undefined, part: number): number =>
    percentile(
      [...((list && taken.get(list)) ?? [])].sort((a, b) => a - b),
      part,
    );
  return lists.map((list) => ({
    name: one.name,
    rows: list.rows,
    p50: at(list, 0.5),
    p95: at(list, 0.95),
    ratio: at(list, 0.95) / at(lists[0], 0.95),
    target: one.target,
  }));
}

const requestsFor = (origin: string, one: Case, list: Listed, count: number): Load => ({
  origin,
  method: "GET",
  path: `/v1/charges?${one.query(list)}&limit=${PAGE_SIZE}`,
  headers: headersOf(list.shop),
  bodies: Array.from({ length: count }, () => ""),
  connections: 1,
  expected: 200,
});

/** A list that is quick and wrong is no list. */
async function checkTotal(origin: string, one: Case, list: Listed): Promise<void> {
  const answer = await fetch(`${origin}/v1/charges?${one.query(list)}&limit=${PAGE_SIZE}`, {
    headers: headersOf(list.shop),
  });
  // Guarantee: what is read of it is compared at once.
  const { items, meta } = (await answer.json()) as { items: unknown[]; meta: { totalItems: number } };
  if (meta.totalItems !== one.total(list) || items.length === 0) {
    throw new Error(`${one.name} at ${list.rows}: ${meta.totalItems} items in all, ${items.length} on the page`);
  }
}

/** A charge that the product itself made, to be copied. */
async function modelCharge(origin: string): Promise<string> {
  const shop = await openShop();
  const [token] = await makeTokens(shop, 1);
  if (!token) throw new Error("no token was made");
  const answer = await fetch(`${origin}/v1/charges`, {
    method: "POST",
    headers: headersOf(shop),
    body: newChargeOf(shop, token),
  });
  if (answer.status !== 201) throw new Error(`the model was refused: ${await answer.text()}`);
  // Guarantee: a created charge is answered with its id.
  return ((await answer.json()) as { id: string }).id;
}
