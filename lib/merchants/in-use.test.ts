import { expect, test } from "vitest";
import { aKey, openClient } from "@/lib/testing/api";
import { cardData, openToken, withMerchant } from "@/lib/testing/payments";

test("409: a merchant whose purchase was accepted and not yet worked on is not deleted", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const card = async () => ({
    amount: 1_000,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await openToken(client, cardData()) },
  });
  await client.make("POST", "/v1/purchases", {
    idempotencyKey: aKey(),
    body: { merchantId: merchant.id, amount: 2_000, payments: [await card(), await card()] },
  });
  const reply = await client.call("DELETE", `/v1/merchants/${merchant.id}`);
  expect([reply.status, reply.error?.businessCode]).toEqual([409, "merchant_in_use"]);
});
