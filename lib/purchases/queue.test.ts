import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { aKey, openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { purchaseOf } from "@/lib/testing/purchases";

process.env.PURCHASE_QUEUE_LIMIT = "2";

test("above the limit new purchases are refused for a while; what was accepted keeps its answer, payments go on", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const accepted: { body: unknown; idempotencyKey: string; text: string }[] = [];
  for (let made = 0; made < 3; made++) {
    const request = { body: await purchaseOf(shop), idempotencyKey: aKey() };
    const reply = await client.call("POST", "/v1/purchases", request);
    expect(reply.status).toBe(202);
    accepted.push({ ...request, text: reply.text });
  }
  const refused = { body: await purchaseOf(shop), idempotencyKey: aKey() };
  // What was seen a moment ago counts for a second.
  await expect
    .poll(async () => (await client.call("POST", "/v1/purchases", { ...refused, idempotencyKey: aKey() })).status, {
      timeout: 10_000,
      interval: 300,
    })
    .toBe(503);
  const reply = await client.call("POST", "/v1/purchases", refused);
  expect(reply.status).toBe(503);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(reply.error).toEqual({ type: "unavailable", code: 503, message: "temporarily unavailable", details: [] });
  for (const { text, ...request } of accepted) {
    const replay = await client.call("POST", "/v1/purchases", request);
    expect(replay.status).toBe(202);
    expect(replay.text).toBe(text);
  }
  // Nobody works here: the queue is taken away.
  await systemSql()`update purchase_operations set run_at = null where client_id = ${client.clientId}`;
  await expect
    .poll(async () => (await client.call("POST", "/v1/purchases", refused)).status, { timeout: 10_000, interval: 300 })
    .toBe(202);
});
