import { expect, test } from "vitest";
import { settlementOf } from "@/lib/charges/settlement";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

test("whom a receivable is for is named, a person to those alone who see people", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const [sellerId] = await openSellers(client, shop.merchant.id, 1);
  const splitRules = [{ sellerId, percentage: 30 }];
  const { body: charge } = await payByCard(shop, { amount: 10_000, capture: true, changes: { splitRules } });
  const namesFor = async (role: "owner" | "viewer") =>
    (await settlementOf(await client.context(), role, [charge.id]))?.lines.map(({ sellerName }) => sellerName).sort();
  expect(await namesFor("owner")).toEqual([expect.stringMatching(/\w/), null]);
  expect(await namesFor("viewer")).toEqual([null, null]);
});

test("what a payment comes to counts the lines that are not shown", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const sellerIds = await openSellers(client, shop.merchant.id, 20);
  const splitRules = sellerIds.map((sellerId) => ({ sellerId, percentage: 4, processingFee: true }));
  const changes = { paymentMethod: { paymentType: "credit", installments: 12 }, splitRules };
  const { body: charge } = await payByCard(shop, { amount: 100_000, capture: true, changes });
  const settlement = await settlementOf(await client.context(), "owner", [charge.id]);
  expect(settlement?.lines).toHaveLength(200);
  expect(settlement?.count).toBe(21 * 12);
  expect(settlement && settlement.net + settlement.fee).toBe(100_000);
});
