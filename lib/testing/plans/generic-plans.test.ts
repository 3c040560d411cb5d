import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePools, observeStatements, type SentStatement } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { planned, readsWhole } from "@/lib/testing/plans/explain";
import { fillTables } from "@/lib/testing/plans/fill";
import { type HotShop, livePayments, openHotShop, readPages } from "@/lib/testing/plans/hot-paths";

const sent: SentStatement[] = [];
observeStatements((statement) => sent.push(statement));

let sql: postgres.Sql;
let shop: HotShop;
let large = new Set<string>();
beforeAll(async () => {
  sql = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  shop = await openHotShop(await openClient());
  await livePayments(shop, fallDue);
  large = new Set(await fillTables(sql));
  await closePools();
  await sql.unsafe(
    `do $$ begin execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database()); end $$`,
  );
  sent.length = 0;
}, 120_000);
afterAll(async () => {
  await shop?.receiver.stop();
  // Copies by the thousand would be searched for card numbers one by one.
  await sql.unsafe("set session_replication_role = replica");
  await sql.unsafe(`truncate ${[...large].join(", ")} cascade`);
  await sql.end();
});

it("no statement of a payment reads a large table from end to end, whatever its values", async () => {
  expect([...large]).toEqual(
    expect.arrayContaining([
      ...["charges", "transaction_requests", "idempotency_keys", "purchases", "purchase_operations", "events"],
      ...["outbox", "due_jobs", "webhook_deliveries", "journals", "transfers"],
    ]),
  );
  const before = await scansOf();
  await livePayments(shop, fallDue);
  const after = await scansOf();
  await readPages(shop);
  const statements = planned(sent);
  expect(statements.length).toBeGreaterThan(100);
  const whole: { text: string; tables: string[] }[] = [];
  for (const statement of statements) {
    const tables = (await readsWhole(sql, statement, shop.client.clientId)).filter((table) => large.has(table));
    if (tables.length > 0) whole.push({ text: statement.text, tables });
  }
  expect(whole).toEqual([]);
  // What triggers, policies and foreign keys ask is in no statement that was sent.
  expect([...after].filter(([table, scans]) => large.has(table) && scans !== before.get(table))).toEqual([]);
}, 120_000);

const fallDue = (refId: string) => sql`update due_jobs set wake_at = now() where ref_id = ${refId}`;

async function scansOf(): Promise<Map<string, number>> {
  // A connection tells its counts late, but at its end.
  await closePools();
  const rows = await sql<{ table: string; scans: string }[]>`
    select relname as table, seq_scan as scans from pg_stat_user_tables where schemaname = 'public'`;
  return new Map(rows.map(({ table, scans }) => [table, Number(scans)]));
}
