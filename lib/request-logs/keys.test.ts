import { expect, test } from "vitest";
import { flushRequestLog } from "@/lib/http/request-log";
import { documentDifferencesOf } from "@/lib/request-logs/differences";
import { keyStory, listKeys } from "@/lib/request-logs/keys";
import { aKey, openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { purchaseOf } from "@/lib/testing/purchases";

test("a key tells its first request, the stored answer, each repeat and each mismatch, and no other account's", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const [key, body] = [aKey(), await purchaseOf(shop)];
  const post = (sent: unknown) => client.call("POST", "/v1/purchases", { idempotencyKey: key, body: sent });
  const first = await post(body);
  expect(first.status).toBe(202);
  expect((await post(body)).text).toBe(first.text);
  expect((await post({ ...body, orderId: "another" })).status).toBe(409);
  await flushRequestLog();

  const ctx = await client.context();
  const story = await keyStory(ctx, "developer", key);
  expect(story.row).toMatchObject({ key, method: "POST", path: "/v1/purchases", state: "done", status: 202 });
  expect(story.bytes).toBe(Buffer.byteLength(first.text));
  expect(story.calls.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
    "first 202",
    "mismatch 409",
    "repeat 202",
  ]);
  expect(story.first?.requestBody).toMatchObject({ amount: body.amount });
  expect((await listKeys(ctx, "owner", undefined)).map((row) => row.key)).toContain(key);
  const stranger = await (await openClient()).context();
  await expect(keyStory(stranger, "owner", key)).rejects.toMatchObject({ status: 404 });
  expect(await listKeys(stranger, "owner", undefined)).toEqual([]);
  await expect(keyStory(ctx, "viewer", key)).rejects.toMatchObject({ status: 404 });
});

test("two requests differ in the members that differ, added and missing ones too", () => {
  const one = { amount: 1, payer: { name: "Ana", tags: ["a", "b"] }, note: null };
  const other = { amount: 2, payer: { name: "Ana", tags: ["a"] }, extra: {} };
  expect(documentDifferencesOf(one, other)).toEqual([
    { path: "amount", one: "1", other: "2" },
    { path: "extra", one: undefined, other: "{}" },
    { path: "note", one: "null", other: undefined },
    { path: "payer.tags[1]", one: '"b"', other: undefined },
  ]);
  expect(documentDifferencesOf(one, structuredClone(one))).toEqual([]);
});
