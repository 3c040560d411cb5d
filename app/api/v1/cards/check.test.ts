import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { aKey, openClient, openMerchant } from "@/lib/testing/api";
import type { CallOptions, List } from "@/lib/testing/api-client";
import { addProvider, cardData, openToken, payByCard } from "@/lib/testing/payments";

async function check(card: Record<string, unknown>, options: CallOptions = {}, members: Record<string, unknown> = {}) {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const tokenId = await openToken(client, card);
  const send = () => client.call("POST", "/v1/cards", { ...options, body: { tokenId, merchantId, ...members } });
  return { client, send, reply: await send() };
}

describe("POST /v1/cards with merchantId: the zero-amount check", () => {
  test("201: approved makes the card active, its CVV checked, one attempt shown", async () => {
    const { reply } = await check(cardData());
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ status: "active", statusReason: "zero dollar", cvvChecked: true });
    expect(reply.body.transactionRequests).toMatchObject([
      { requestType: "zero_dollar", requestStatus: "success", providerType: "SANDBOX" },
    ]);
  });

  test.each([
    ["a refused card is failed with the reason", cardData("decline:stolen_card"), "failed", "stolen_card"],
    ["a CVV that does not validate fails the card", { ...cardData(), cardCvv: "123" }, "failed", "invalid_cvv"],
    ["an unanswered check leaves it pending", cardData("timeout_authorised_at_provider"), "pending", null],
    [
      "a failing answer of a provider that has it leaves it pending",
      cardData("http500_then_ok_same_key"),
      "pending",
      null,
    ],
    ["a call that never left leaves it pending", cardData("connection_reset_before_send"), "pending", null],
  ])("201: %s", async (_, card, status, statusReason) => {
    const { reply } = await check(card);
    expect([reply.status, reply.body.status, reply.body.statusReason]).toEqual([201, status, statusReason]);
  });

  test("201: cvvCheck false asks nobody", async () => {
    const { reply } = await check(cardData(), {}, { cvvCheck: false });
    expect(reply.body).toMatchObject({ status: "pending", transactionRequests: [] });
  });

  test("201: a merchant without an able provider leaves it pending", async () => {
    const client = await openClient();
    const { id: merchantId } = await client.make("POST", "/v1/merchants", { body: { mcc: "5411" } });
    const { body } = await client.call("POST", "/v1/cards", { body: { tokenId: await openToken(client), merchantId } });
    expect(body.status).toBe("pending");
  });

  test("201: the first provider that can check it is asked, whoever else comes first", async () => {
    const client = await openClient();
    const shop = { client, merchant: await openMerchant(client, { provider: { priority: 2 } }) };
    const first = await addProvider(shop, {
      credentials: { type: "MERCADO_PAGO", accessToken: "TEST-1-a", environment: "test" },
    });
    const body = { tokenId: await openToken(client), merchantId: shop.merchant.id };
    const checked = await client.call("POST", "/v1/cards", { body });
    expect(checked.body).toMatchObject({
      status: "active",
      cvvChecked: true,
      transactionRequests: [{ requestType: "zero_dollar", providerType: "SANDBOX" }],
    });
    // Nor is it asked to take a brand that it does not.
    const paid = await payByCard(shop, { brand: "diners" });
    expect(paid.body).toMatchObject({ status: "pre_authorized", responsibleProviderType: "SANDBOX" });
    const [decided] = await systemSql()`select skipped from routing_decisions where charge_id = ${paid.body.id}`;
    expect(decided?.skipped).toEqual([{ id: first, why: "brand" }]);
  });

  test("424: a provider that fails keeps no card, and a repeat is told the same", async () => {
    const { client, send, reply } = await check(cardData(), {
      scenario: "fault=http_status;status=500",
      idempotencyKey: aKey(),
    });
    expect([reply.status, reply.error?.businessCode]).toEqual([424, "card_validation_failed"]);
    const again = await send();
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([reply.text, "true"]);
    expect((await client.make<List>("GET", "/v1/cards")).meta.totalItems).toBe(0);
  });

  test("201: a public key runs no check", async () => {
    const client = await openClient();
    const { id: merchantId } = await openMerchant(client);
    const key = await client.publicKey(["cards", "tokens"]);
    const { body } = await client.call("POST", "/v1/cards", {
      key,
      body: { tokenId: await openToken(client), merchantId },
    });
    expect(body).toMatchObject({ status: "active", cvvChecked: false });
  });
});
