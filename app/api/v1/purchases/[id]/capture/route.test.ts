import { expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { aKey, openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { bought, buy, changePurchase, readPurchase, work } from "@/lib/testing/purchases";

const openShop = async () => withMerchant(await openClient());

it("202: the operation is accepted and the repeat gets the same bytes, also when it is done", async () => {
  const shop = await openShop();
  const { id, amount } = await bought(shop);
  const idempotencyKey = aKey();
  const first = await changePurchase(shop.client, id, "capture", { amount }, { idempotencyKey });
  expect(first.status, first.text).toBe(202);
  expect(first.body).toMatchObject({ status: "pending", operation: { type: "capture", status: "pending" } });
  expect(first.body).not.toHaveProperty("activeOperation");
  await work(shop.client);
  expect((await readPurchase(shop.client, id)).status).toBe("paid");
  const again = await changePurchase(shop.client, id, "capture", { amount }, { idempotencyKey });
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
});

it("409: while an operation runs, with Retry-After", async () => {
  const shop = await openShop();
  const { id } = (await buy(shop)).body;
  const reply = await changePurchase(shop.client, id, "capture");
  expect(reply).toMatchObject({
    status: 409,
    error: { type: "conflict", businessCode: "purchase_operation_in_progress" },
  });
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("409: paid, failed, cancelled or under review, with a new key", async () => {
  const shop = await openShop();
  const paid = await bought(shop, { capture: true });
  const failed = await bought(shop, { outcomes: ["decline:generic", "approve"] });
  const reviewed = await bought(shop, { outcomes: ["approve", "amount_mismatch_minus_1"] });
  for (const { id } of [paid, failed, reviewed]) {
    const reply = await changePurchase(shop.client, id, "capture");
    expect([reply.status, reply.error?.businessCode]).toEqual([409, "purchase_invalid_state"]);
  }
});

it("409: an amount that is not the total; 400: members nobody knows; 404: an unknown purchase", async () => {
  const shop = await openShop();
  const { id, amount } = await bought(shop);
  const codes = [];
  for (const [asked, body] of [
    [id, { amount: amount - 1 }],
    [id, { reason: "x" }],
    [newId(), {}],
  ] as const) {
    const reply = await changePurchase(shop.client, asked, "capture", body);
    codes.push([reply.status, reply.error?.businessCode]);
  }
  expect(codes).toEqual([
    [409, "purchase_intent_mismatch"],
    [400, "invalid_request"],
    [404, "purchase_not_found"],
  ]);
  expect((await readPurchase(shop.client, id)).activeOperation).toBeUndefined();
});
