import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DatabaseNews, databaseHere, onDatabaseNews } from "@/db/availability";
import { closePools, systemSql } from "@/db/client";
import { aKey, newMerchant, openClient, type TestClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { type DatabaseProxy, startDatabaseProxy } from "@/lib/testing/database-proxy";
import { pause } from "@/lib/wait";

let proxy: DatabaseProxy;
let client: TestClient;
let news: DatabaseNews[] = [];
const direct = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  client = await openClient();
  await closePools();
  proxy = await startDatabaseProxy(await testDatabaseUrl());
  process.env.DATABASE_URL = proxy.url;
  onDatabaseNews((told) => news.push(told));
});
beforeEach(async () => {
  proxy.set("carry");
  await databaseHere();
  news = [];
});
afterAll(async () => {
  await closePools();
  await proxy.close();
  process.env.DATABASE_URL = direct;
});

const list = () => client.call("GET", "/v1/charges");
/** A connection that broke while nobody looked tells so with its next statement. */
const served = () => expect.poll(async () => (await list()).status, { timeout: 10_000 }).toBe(200);

describe.each(["refuse", "swallow"] as const)("while the database is away (%s)", (mode) => {
  test("every route answers 503 in its own envelope and says when to come back; then it serves by itself", async () => {
    await served();
    proxy.set(mode);
    const [reply, purchase] = await Promise.all([list(), client.call("GET", "/v1/purchases")]);
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).toBe("2");
    expect(reply.body).toEqual({
      error: { type: "api_error", code: 503, message: "temporarily unavailable", details: [] },
    });
    expect(purchase.status).toBe(503);
    expect(purchase.headers.get("retry-after")).toBe("2");
    expect(purchase.body).toEqual({
      error: { type: "unavailable", code: 503, message: "temporarily unavailable", details: [] },
    });
    const made = await client.call("POST", "/v1/merchants", { body: newMerchant(), idempotencyKey: aKey() });
    expect(made.status).toBe(503);
    proxy.set("carry");
    await served();
  });

  test("many requests at once are answered too, and the change is told once", async () => {
    await served();
    proxy.set(mode);
    const replies = await Promise.all(Array.from({ length: 100 }, list));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
    await pause(300);
    await list();
    proxy.set("carry");
    await databaseHere();
    expect(news.map(({ is }) => is)).toEqual(["away", "back"]);
  });
});

test("a statement that takes long on a living database is not mistaken for one that is away", async () => {
  const slow = systemSql()`select pg_sleep(3)`.then(() => "done");
  await expect(slow).resolves.toBe("done");
  expect(news).toEqual([]);
});

test("a commit whose answer was lost is answered as unavailable, and its key tells what became of it", async () => {
  await served();
  const request = { body: newMerchant({ name: "Lost answer" }), idempotencyKey: aKey() };
  // A connection that knows the statement would send no text.
  await closePools();
  proxy.breakAfter("commit");
  const lost = await client.call("POST", "/v1/merchants", request);
  expect(lost.status).toBe(503);
  await served();
  const again = await client.call("POST", "/v1/merchants", request);
  expect(again.status).toBe(201);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const rows = await systemSql()`select from merchants where client_id = ${client.clientId} and name = 'Lost answer'`;
  expect(rows).toHaveLength(1);
});
