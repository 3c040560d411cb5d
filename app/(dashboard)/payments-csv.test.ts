import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { GET } from "@/app/(dashboard)/dashboard/payments/export/route";
import { systemSql } from "@/db/client";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { now } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { addProvider, capture, openCustomer, payByCard, withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";
import { bought } from "@/lib/testing/purchases";
import { realNow } from "@/lib/time";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTimeZone: async () => "America/Sao_Paulo",
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "America/Sao_Paulo" }),
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

/** No cell of these tests holds a comma. */
async function exported(client: TestClient, role: "owner" | "viewer", query: Record<string, string> = {}) {
  request.sessionId = await signedIn(client, role);
  const answer = await GET(new Request(`http://localhost/?${new URLSearchParams(query)}`));
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).trimEnd().split("\r\n").slice(1);
  return { name: answer.headers.get("content-disposition"), rows: lines.map((line) => line.split(",")) };
}

test("payments name their buyer, else who is named on the card, masked for who sees names so", async () => {
  const shop = await withMerchant(await openClient());
  const customerId = await openCustomer(shop.client, { name: "Clarice Lispector" });
  await payByCard(shop, { changes: { customerId } });
  await payByCard(shop);
  await bought(shop);
  const named = async (role: "owner" | "viewer") =>
    // Between the installments and the e-mail.
    (await exported(shop.client, role)).rows.map((row) => [row[12], row[14]]);
  expect(await named("owner")).toEqual([
    ["Ana Souza", ""],
    ["Ana Souza", ""],
    ["Clarice Lispector", "52998224725"],
  ]);
  expect(await named("viewer")).toEqual([
    ["Ana S.", ""],
    ["Ana S.", ""],
    ["Clarice L.", expect.stringContaining("•")],
  ]);
  const found = async (role: "owner" | "viewer", q: string) => (await exported(shop.client, role, { q })).rows.length;
  expect([await found("owner", "lispector"), await found("viewer", "lispector")]).toEqual([1, 0]);
});

test("what was captured of a payment in part, and what banks took back, is in the file as in the list", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = (await payByCard(shop, { amount: 80_000, capture: false })).body;
  await capture(shop.client, id, { amount: 30_050 });
  await shop.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount: 10_000 } });
  const { name, rows } = await exported(shop.client, "owner");
  expect(name).toMatch(/filename="payments-\d{4}-\d{2}-\d{2}\.csv"/);
  expect(rows[0]?.slice(4, 8)).toEqual(["800.00", "300.50", "0.00", "100.00"]);
});

test("a payment tells which of its merchant's connections it went through, a removed one too", async () => {
  const shop = await withMerchant(await openClient());
  const second = await addProvider(shop, { name: "Contrato 2", priority: 1 });
  const sql = systemSql();
  await sql`update providers set priority = 9 where merchant_id = ${shop.merchant.id} and id <> ${second}`;
  await payByCard(shop);
  const seen = async () => (await exported(shop.client, "owner")).rows.map((row) => row.slice(17, 19));
  expect(await seen()).toEqual([["Sandbox", "Contrato 2"]]);
  await bought(shop);
  expect((await seen())[0]).toEqual(["Sandbox", "Contrato 2"]);
  await sql`update providers set deleted_at = now() where id = ${second}`;
  expect((await seen())[0]).toEqual(["Sandbox", "Contrato 2"]);
});

test("of chosen payments the file has those alone, and nothing where none of them exists", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = (await payByCard(shop)).body;
  await payByCard(shop);
  const ids = async (chosen: string) =>
    (await exported(shop.client, "owner", { id: chosen })).rows.map(([first]) => first);
  expect(await ids(id)).toEqual([id]);
  expect(await ids("nonsense")).toEqual([]);
});

test("who paid an order on several cards by a link is in the file, and it is named on the account's clock", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await bought(shop);
  const sql = systemSql();
  await sql`insert into payment_buyers (payment_id, client_id, kind, merchant_id, session_id, email, locale, created_at)
            values (${id}, ${shop.client.clientId}, 'purchase', ${shop.merchant.id}, ${newId()}, 'ana@example.com', 'pt-BR', now())`;
  const holder = { name: "Ana Souza", document: { type: "CPF", number: "52998224725" } };
  await sql`update charges set holder = ${sql.json(holder)} where purchase_id = ${id}`;
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  const { name, rows } = await exported(shop.client, "owner");
  expect(rows[0]?.slice(13, 15)).toEqual(["ana@example.com", "52998224725"]);
  const there = saoPauloDay(now(await shop.client.context()));
  expect(there > saoPauloDay(realNow())).toBe(true);
  expect(name).toContain(`filename="payments-${there}.csv"`);
});
