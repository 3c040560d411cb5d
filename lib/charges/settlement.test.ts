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
    (await settlementOf(await client.context(), role, [charge.id])).map(({ sellerName }) => sellerName).sort();
  expect(await namesFor("owner")).toEqual([expect.stringMatching(/\w/), null]);
  expect(await namesFor("viewer")).toEqual([null, null]);
});
