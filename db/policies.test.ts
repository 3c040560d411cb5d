import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appSql, systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { newCustomer, payByCard } from "@/lib/testing/payments";
import { fanOutEvents } from "@/lib/webhooks/fan-out";
import { emitEvent, openWebhook } from "@/lib/webhooks/testing";

let owner: postgres.Sql;
let mine: TestClient;
let other: TestClient;
const foreign: Record<"merchant_id" | "provider_id" | "webhook_id", string> = {
  merchant_id: "",
  provider_id: "",
  webhook_id: "",
};

beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  [mine, other] = [await openClient(), await openClient()];
  await payByCard({ client: mine, merchant: await openMerchant(mine) }, { capture: true });
  await mine.make("POST", "/v1/customers", {
    body: newCustomer({ document: { type: "noDocument", country: "BR" } }),
  });
  await mine.make("POST", "/v1/subacquirer/prepayment", { body: { endDate: "2099-12-31" } });
  await openWebhook(mine, "https://shop.example/hooks");
  await emitEvent(mine);
  await fanOutEvents(systemSql());
  const merchant = await openMerchant(other);
  const webhook = await openWebhook(other, "https://other.example/hooks");
  const [provider] = await owner<{ id: string }[]>`select id from providers where merchant_id = ${merchant.id}`;
  Object.assign(foreign, { merchant_id: merchant.id, provider_id: provider?.id, webhook_id: webhook.id });
});
afterAll(() => owner.end());

test("whose rows they are is read once for a statement, not for each row", async () => {
  const policies = await owner<{ name: string; text: string }[]>`
    select tablename || ' ' || policyname as name, coalesce(qual, '') || coalesce(with_check, '') as text
      from pg_policies where schemaname in ('public', 'vault')`;
  const once = /\( SELECT (current_client|current_merchants|current_operator)\(\) AS \w+\)/g;
  const told = policies.filter(({ text }) => text.includes("current_client()"));
  expect(told.length).toBeGreaterThan(80);
  expect(policies.filter(({ text }) => /current_\w+\(\)/.test(text.replace(once, "")))).toEqual([]);
  const plan = await appSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${mine.clientId}, true)`;
    return sql<{ "QUERY PLAN": string }[]>`explain select from charges where status = 'failed'`;
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/InitPlan/);
});

/** The last row of an account's table again, with other values. */
const again = (table: string, changes: Record<string, string>, id: Record<string, string> = { id: newId() }) =>
  owner`
    insert into ${owner(table)}
    select (jsonb_populate_record(t, ${owner.json({ ...changes, ...id })})).*
      from ${owner(table)} t where client_id = ${mine.clientId} limit 1`;

describe("a child whose shared parent is not the account's own is refused", () => {
  const CHILDREN: [table: string, column: keyof typeof foreign | "client_id"][] = [
    ["charges", "merchant_id"],
    ["charges", "provider_id"],
    ["webhook_deliveries", "webhook_id"],
    ["customers", "client_id"],
    ["cards", "client_id"],
  ];
  test.for(CHILDREN)("%s, by its %s", async ([table, column]) => {
    const strangers = column === "client_id" ? [newId()] : [foreign[column], newId()];
    for (const stranger of strangers) {
      await expect(again(table, { [column]: stranger })).rejects.toMatchObject({ code: "23503" });
    }
  });

  test.for(["charge_id", "journal_id"])("receivables, by their %s", async (column) => {
    await expect(again("receivables", { seller_id: newId(), [column]: newId() })).rejects.toMatchObject({
      code: "23503",
    });
  });

  test.for(["prepayment_id", "receivable_id"])("what a prepayment prices, by its %s", async (column) => {
    await expect(again("prepayment_items", { [column]: newId() })).rejects.toMatchObject({ code: "23503" });
  });

  test("and a receivable whose journal is about another charge", async () => {
    await payByCard({ client: mine, merchant: await openMerchant(mine) });
    const [charge] = await owner<{ id: string }[]>`
      select id from charges where client_id = ${mine.clientId} and captured_at is null`;
    const moved = again("receivables", { seller_id: newId(), charge_id: charge?.id ?? "" });
    await expect(moved).rejects.toMatchObject({ code: "23503" });
  });

  test("also when an old one is given another parent", async () => {
    const moved = owner`update charges set provider_id = ${foreign.provider_id} where client_id = ${mine.clientId}`;
    await expect(moved).rejects.toMatchObject({ code: "23503" });
  });
});

describe("what is shared by many children", () => {
  const PARENTS = ["clients", "merchants", "providers", "webhooks", "charges", "ledger_accounts"];
  test.for(PARENTS)("%s: is not deleted, and stays itself, even for the owner", async (table) => {
    await expect(owner`delete from ${owner(table)}`).rejects.toMatchObject({ code: "23503" });
    await expect(owner`update ${owner(table)} set id = gen_random_uuid()`).rejects.toMatchObject({ code: "23503" });
    for (const sql of [appSql(), systemSql()]) {
      await expect(sql`delete from ${sql(table)}`).rejects.toThrow(/permission denied/);
    }
  });

  test.for(["prepayments", "receivables"])("%s that stand in a prepayment are not deleted either", async (table) => {
    const gone = owner`delete from ${owner(table)} where client_id = ${mine.clientId}`;
    await expect(gone).rejects.toMatchObject({ code: "23503" });
  });

  test("is not locked by its children", async () => {
    const held = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
    try {
      await held.begin(async (sql) => {
        // A foreign key's lock would wait for this one.
        await sql`select from clients where id = ${mine.clientId} for update`;
        for (const table of ["merchants", "providers", "webhooks", "ledger_accounts"]) {
          await sql`select from ${sql(table)} where client_id = ${mine.clientId} for update`;
        }
        await owner`set lock_timeout = '2s'`;
        await again("charges", { provider_reference_key: "unlocked" });
        await again("webhook_deliveries", { event_id: newId() });
        await again("customers", { email: "unlocked@example.com", document_number: "unlocked", is_forced: "true" });
      });
    } finally {
      await held.end();
    }
  });
});
