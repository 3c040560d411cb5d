import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { REPORT_TYPES, type ReportType } from "@/db/schema/reports";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { listDisputes } from "@/lib/disputes/queries";
import { newId } from "@/lib/ids";
import { runReport } from "@/lib/reports/run";
import { madeReport, newReport, type ReportReply, textOf } from "@/lib/reports/testing";
import { sourceOf } from "@/lib/reports/types/registry";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS } from "@/lib/testing/fuzz/world";
import { drawsFor } from "@/lib/testing/simulator/seeded";

let client: TestClient;
beforeAll(async () => {
  client = await openClient();
  // The last of them move the account's clock.
  for (const make of [
    MAKERS.session,
    MAKERS.purchase,
    MAKERS.disputedCharge,
    MAKERS.charge,
    MAKERS.pixCharge,
    MAKERS.customer,
    MAKERS.seller,
    MAKERS.delivery,
    MAKERS.subscription,
    MAKERS.prepayment,
    MAKERS.paymentBatch,
  ])
    await make(client);
}, 60_000);

const rowsOf = async (of: TestClient, type: ReportType, fields: string[], filters = {}): Promise<string[][]> => {
  const report = await madeReport(of, { type, fields, filters, bom: false });
  if (report.status === "empty") return [];
  return (await textOf(of, report))
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
};

type Item = Record<string, unknown> & { id: string };
async function listed(path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const { items } = await client.make<{ items: Item[] }>("GET", path, { query: { limit: "100", ...query } });
  return items;
}

describe("the rows of a report are those of the list", () => {
  /** The list, the columns of a report, and the members that they say. */
  const LISTS: Partial<Record<ReportType, [string, Record<string, string>, string[], string[]]>> = {
    transactions: ["/v1/charges", {}, ["transaction__id", "transaction__amount"], ["id", "amount"]],
    purchases: [
      "/v1/purchases",
      {},
      ["purchase__id", "purchase__amount", "purchase__status"],
      ["id", "amount", "status"],
    ],
    sessions: ["/v1/sessions", {}, ["session__id", "session__amount", "session__status"], ["id", "amount", "status"]],
    customers: ["/v1/customers", {}, ["customer__id"], ["id"]],
    sellers: ["/v1/sellers", {}, ["seller__id", "seller__status"], ["id", "status"]],
    subscriptions: ["/v1/subscriptions", {}, ["subscription__id", "subscription__amount"], ["id", "amount"]],
    prepayments: [
      "/v1/subacquirer/prepayment",
      {},
      ["prepayment__id", "prepayment__net_amount", "prepayment__status"],
      ["id", "netAmount", "status"],
    ],
    payout_orders: ["/v1/payouts/orders", { sellerId: "*" }, ["order__id", "order__amount"], ["id", "amount"]],
    payout_batches: [
      "/v1/payouts/payment-batches",
      { sellerId: "*" },
      ["batch__id", "batch__final_balance"],
      ["id", "finalBalance"],
    ],
  };
  const cases = Object.entries(LISTS) as [ReportType, [string, Record<string, string>, string[], string[]]][];
  test.each(cases)("%s", async (type, [path, query, fields, members]) => {
    const items = await listed(path, query);
    expect(items.length).toBeGreaterThan(0);
    const expected = items.map((item) => members.map((member) => String(item[member])).join());
    const rows = await rowsOf(client, type, fields);
    expect(rows.map((row) => row.join()).sort()).toEqual(expected.sort());
  });

  test("disputes, narrowed by their stage too", async () => {
    const { items } = await listDisputes(await client.context(), "owner", {});
    expect(items.length).toBeGreaterThan(0);
    const fields = ["dispute__id", "dispute__stage", "dispute__amount"];
    const expected = items.map(({ id, stage, amount }) => `${id},${stage},${amount}`).sort();
    expect((await rowsOf(client, "disputes", fields)).map((row) => row.join()).sort()).toEqual(expected);
    expect(await rowsOf(client, "disputes", fields, { stage: ["won"] })).toEqual([]);
    expect(await rowsOf(client, "disputes", fields, { stage: ["open"] })).toHaveLength(items.length);
  });

  test("receivables and the ledger are what the books hold", async () => {
    const sql = systemSql();
    for (const [type, column, from] of [
      ["receivables", "receivable__net", sql`select gross - fee - anticipation_fee as amount from receivables`],
      ["ledger", "transfer__amount", sql`select amount from transfers`],
    ] as const) {
      const [books] = await sql<{ n: number; sum: number }[]>`
        select count(*)::int as n, sum(amount)::int as sum from (${from} where client_id = ${client.clientId}) x`;
      const rows = await rowsOf(client, type, [column]);
      expect([rows.length, rows.reduce((sum, [cell]) => sum + Number(cell), 0)]).toEqual([books?.n, books?.sum]);
      expect(rows.length).toBeGreaterThan(0);
    }
  });

  test.each(REPORT_TYPES)("%s says every column", async (type) => {
    const report = await madeReport(client, { type, fields: "all" });
    expect(report.status).toBe("uploaded");
    expect(report.fields).toHaveLength(sourceOf(type).columns.length);
  });
});

test("rows that are written, moved and deleted during an export are each there once, as they were at its moment", {
  timeout: 60_000,
}, async () => {
  const own = await openClient();
  const sql = systemSql();
  const write = (count: number, name: string) => sql`
    insert into customers (id, client_id, name, email, phone_number, document_type, document_country, is_forced, created_at, updated_at)
    select gen_random_uuid(), ${own.clientId}, ${name}, n || '@example.com', '+55 11 0', 'noDocument', 'BR', true,
           now() - random() * interval '20 days', now() from generate_series(1, ${count}::int) n`;
  const some = (count: number) => sql`array(
    select ctid from customers where client_id = ${own.clientId} and name = 'moving' order by random() limit ${count})`;
  const STILL = 6_000;
  await Promise.all([write(STILL, "still"), write(STILL, "moving")]);
  const { id } = await own.make<ReportReply>("POST", "/v1/reports", {
    body: newReport({ type: "customers", fields: ["customer__id", "customer__name"], bom: false }),
  });
  let [isOver, writes] = [false, 0];
  const storm = async (number: number) => {
    const draws = drawsFor(`storm ${number}`);
    while (!isOver) {
      const count = draws.between(2, 9);
      await write(count, `${count} of ${number}.${writes}`);
      await sql`
        update customers set created_at = created_at + interval '1 hour', updated_at = now() where ctid = any(${some(40)})`;
      await sql`delete from customers where ctid = any(${some(5)})`;
      writes += 3;
    }
  };
  const storms = [1, 2, 3].map(storm);
  await expect.poll(() => writes, { timeout: 20_000 }).toBeGreaterThan(9);
  const before = writes;
  await runReport(systemContext(await loadAccount(own.clientId), newId()), id);
  const during = writes - before;
  isOver = true;
  await Promise.all(storms);
  const rows = (await textOf(own, { id }))
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
  expect(during).toBeGreaterThan(0);
  expect(new Set(rows.map(([row]) => row)).size).toBe(rows.length);
  expect(rows.filter(([, name]) => name === "still")).toHaveLength(STILL);
  // What one statement wrote is there whole or not at all.
  const together = new Map<string, number>();
  for (const [, name = ""] of rows) if (name.includes(" of ")) together.set(name, (together.get(name) ?? 0) + 1);
  expect(together.size).toBeGreaterThan(0);
  for (const [name, count] of together) expect(count, name).toBe(Number(name.split(" ")[0]));
  const { manifest } = await own.make<{ manifest: { rows: number } }>("GET", `/v1/reports/${id}/manifest`);
  const { progress } = await own.make<ReportReply>("GET", `/v1/reports/${id}`);
  expect([manifest.rows, progress]).toEqual([rows.length, { rows: rows.length, total: rows.length }]);
});
