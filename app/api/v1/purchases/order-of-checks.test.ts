import { expect, it } from "vitest";
import { aKey, openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { bought, changePurchase, purchaseOf, work } from "@/lib/testing/purchases";

const openShop = async () => withMerchant(await openClient());
const PAN = "4111 1111 1111 1111";
const BROKEN = { raw: "{", headers: { "content-type": "application/json" } };

it("each check comes before the next one: credentials, key, JSON, card numbers, count, currency, source, minimums, sum", async () => {
  const shop = await openShop();
  const { payments, ...rest } = await purchaseOf(shop);
  const [first, ...others] = payments;
  const without = [{ ...first, paymentSource: undefined, amount: 99 }, ...others];
  const low = [{ ...first, amount: 99 }, ...others];
  const steps: [wrong: object, status: number, businessCode: string | undefined][] = [
    [{ ...BROKEN, key: "wrong" }, 401, undefined],
    [{ ...BROKEN, idempotencyKey: undefined }, 400, "invalid_request"],
    [BROKEN, 400, "invalid_request"],
    [{ body: { ...rest, description: PAN, currency: "USD", payments: [] } }, 400, "pan_not_allowed"],
    [{ body: { ...rest, currency: "USD", payments: [without[0]] } }, 422, "invalid_payments_count"],
    [{ body: { ...rest, currency: "USD", payments: without } }, 422, "currency_not_brl"],
    [{ body: { ...rest, payments: without } }, 422, "payment_source_required"],
    [{ body: { ...rest, amount: 1, payments: low } }, 422, "payment_amount_below_minimum"],
    [{ body: { ...rest, amount: 199, payments } }, 422, "payment_amount_below_minimum"],
    [{ body: { ...rest, amount: rest.amount + 1, payments } }, 422, "payments_amount_mismatch"],
  ];
  for (const [options, status, businessCode] of steps) {
    const reply = await shop.client.call("POST", "/v1/purchases", { idempotencyKey: aKey(), ...options });
    expect([reply.status, reply.error?.businessCode], reply.text).toEqual([status, businessCode]);
  }
});

it("capture and void need a key, take no body at all, and tell nothing but what the state allows", async () => {
  const shop = await openShop();
  const { id } = await bought(shop);
  for (const verb of ["capture", "void"] as const) {
    const reply = await shop.client.call("POST", `/v1/purchases/${id}/${verb}`, { body: {} });
    expect([reply.status, reply.error?.businessCode]).toEqual([400, "invalid_request"]);
  }
  expect((await shop.client.call("POST", `/v1/purchases/${id}/capture`, { idempotencyKey: aKey() })).status).toBe(202);
  await work(shop.client);
  expect((await shop.client.call("POST", `/v1/purchases/${id}/void`, { idempotencyKey: aKey() })).status).toBe(202);
  await work(shop.client);
  for (const verb of ["capture", "void"] as const) {
    expect((await changePurchase(shop.client, id, verb)).error?.businessCode).toBe("purchase_invalid_state");
  }
  const atOnce = await bought(shop, { outcomes: ["approve", "pending_forever"], capture: true });
  expect((await changePurchase(shop.client, atOnce.id, "capture")).error?.businessCode).toBe(
    "purchase_operation_in_progress",
  );
});

it("a key of one verb is not the key of another: the same key elsewhere is a mismatch without effect", async () => {
  const shop = await openShop();
  const { id } = await bought(shop);
  const idempotencyKey = aKey();
  expect((await changePurchase(shop.client, id, "capture", {}, { idempotencyKey })).status).toBe(202);
  const reply = await changePurchase(shop.client, id, "void", {}, { idempotencyKey });
  expect([reply.status, reply.error?.businessCode]).toEqual([409, "idempotency_key_payload_mismatch"]);
});
