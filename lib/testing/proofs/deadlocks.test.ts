import postgres from "postgres";
import { expect, test } from "vitest";
import { closePools } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { ask, ordersOf, settleOrders, workOn } from "@/lib/testing/proofs/orders";
import { pause } from "@/lib/wait";

const IN_SUITE = 8;
const AT_ONCE = 8;
const SABOTEURS = 3;
const HOLDS_MS = 25;
const RESTS_MS = 60;
/** A fast machine may leave no transaction in the way: more orders follow until one was, up to so many times as many. */
const MOST_ROUNDS = 6;

test("transactions of the product are ended as deadlocks: what they meant is done once, and the records agree", {
  timeout: proofTimeout(240_000),
}, async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: SABOTEURS + 1, onnotice: () => undefined });
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  let ran = 0;
  const figures = { deadlocks: 0, requestsUnanswered: 0, stepsFailed: 0 };
  // Whoever waits first looks first, and is the one that is ended: the product, not who stands in its way.
  await owner.unsafe(`do $$ begin
    execute format('alter database %I set deadlock_timeout = 10', current_database()); end $$`);
  const before = await deadlocksOf(owner);
  await closePools();
  const isDone = (): boolean => ran >= runs && (figures.deadlocks > 0 || ran >= runs * MOST_ROUNDS);
  while (!isDone()) {
    const orders = await ordersOf(shop, first + ran, Math.min(AT_ONCE, ran < runs ? runs - ran : runs));
    let isOver = false;
    const inTheWay = Array.from({ length: SABOTEURS }, async (_, nth) => {
      while (!isOver) await standInTheWay(owner, client.clientId, nth);
    });
    await Promise.all(orders.map((order) => ask(client, order)));
    figures.stepsFailed += await workOn(client, orders);
    isOver = true;
    await Promise.all(inTheWay);
    figures.requestsUnanswered += orders.reduce((sum, { unanswered }) => sum + unanswered, 0);
    violations.push(...(await settleOrders(client, orders)));
    ran += orders.length;
    if (ran < runs) continue;
    // A session counts its own deadlocks at its end at the latest.
    await closePools();
    figures.deadlocks = await settledCount(owner, before);
  }
  await owner.end({ timeout: 5 });
  recordProof({ ran, violations, figures });
  expect(violations).toEqual([]);
  expect(figures.deadlocks).toBeGreaterThan(0);
});

type Lock = (sql: postgres.TransactionSql, clientId: string) => Promise<unknown>;
const CHARGES: Lock = (sql, clientId) =>
  sql`select id from charges where client_id = ${clientId} order by created_at desc limit 2 for update`;
const PURCHASES: Lock = (sql, clientId) =>
  sql`select id from purchases where client_id = ${clientId} order by created_at desc limit 2 for update`;
const OPERATIONS: Lock = (sql, clientId) =>
  sql`select id from purchase_operations where client_id = ${clientId} order by created_at desc limit 2 for update`;
/** Against the product's order; among themselves they keep one, and never wait for each other in a circle. */
const PAIRS: readonly (readonly [Lock, Lock])[] = [
  [CHARGES, PURCHASES],
  [CHARGES, OPERATIONS],
  [PURCHASES, OPERATIONS],
];

/** Locks the newest rows of two tables, the one after the other. */
async function standInTheWay(owner: postgres.Sql, clientId: string, nth: number): Promise<void> {
  const [one, other] = PAIRS[nth % PAIRS.length] ?? [CHARGES, PURCHASES];
  await owner
    .begin(async (sql) => {
      await sql`set local deadlock_timeout = '5s'`;
      await one(sql, clientId);
      await pause(HOLDS_MS);
      await other(sql, clientId);
    })
    .catch((thrown) => {
      if (!(thrown instanceof postgres.PostgresError && thrown.code === DEADLOCK)) throw thrown;
    });
  await pause(RESTS_MS);
}

const DEADLOCK = "40P01";
const LOOKS = 60;
const LOOK_MS = 50;

async function deadlocksOf(owner: postgres.Sql): Promise<number> {
  const [row] = await owner<{ n: number }[]>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

async function settledCount(owner: postgres.Sql, before: number): Promise<number> {
  let count = 0;
  for (let looked = 0; looked < LOOKS && count === 0; looked++) {
    await pause(LOOK_MS);
    count = (await deadlocksOf(owner)) - before;
  }
  return count;
}
