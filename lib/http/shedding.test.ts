import { afterAll, beforeAll, expect, test } from "vitest";
import { appSql, closePools, poolUse, systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { newMerchant, openClient, type TestClient } from "@/lib/testing/api";

let client: TestClient;
const given = process.env.DATABASE_POOL;
beforeAll(async () => {
  client = await openClient();
  await closePools();
  process.env.DATABASE_POOL = "5";
});
afterAll(async () => {
  await closePools();
  if (given === undefined) delete process.env.DATABASE_POOL;
  else process.env.DATABASE_POOL = given;
});

/** Transactions that stay open until the work is done. */
async function holding<T>(count: number, work: () => Promise<T>): Promise<T> {
  const context = await client.context();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = Array.from({ length: count }, () => inTransaction(context, () => ended));
  await expect.poll(() => poolUse().find(({ pool }) => pool === "trilho_app:drizzle")?.used).toBe(count);
  try {
    return await work();
  } finally {
    end();
    await Promise.all(held);
  }
}

test("lists are refused where four fifths of the pool are in use; everything else goes on", async () => {
  await holding(4, async () => {
    const list = await client.call("GET", "/v1/merchants");
    expect(list.status).toBe(503);
    expect(list.headers.get("retry-after")).toBe("2");
    expect(list.error).toEqual({ type: "api_error", code: 503, message: "temporarily unavailable", details: [] });
    const made = await client.call("POST", "/v1/merchants", { body: newMerchant() });
    expect(made.status).toBe(201);
    expect((await client.call("GET", `/v1/merchants/${made.body.id}`)).status).toBe(200);
  });
  expect((await client.call("GET", "/v1/merchants")).status).toBe(200);
});

test("a list that comes while the pool is used for a moment only is answered", async () => {
  const list = await holding(4, async () => ({ reply: client.call("GET", "/v1/merchants") }));
  expect((await list.reply).status).toBe(200);
});

test("the gauge counts what is held and what waits, and nothing when all is done", async () => {
  await holding(5, async () => {
    const context = await client.context();
    const sixth = inTransaction(context, async () => undefined);
    await expect
      .poll(() => poolUse().find(({ pool }) => pool === "trilho_app:drizzle"))
      .toMatchObject({
        size: 5,
        used: 5,
        waiting: 1,
      });
    return { sixth };
  });
  await expect.poll(() => poolUse().reduce((sum, { used, waiting }) => sum + used + waiting, 0)).toBe(0);
  await Promise.all([appSql()`select 1`, systemSql()`select 1`]);
});
