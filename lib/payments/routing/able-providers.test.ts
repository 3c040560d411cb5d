import { expect, test } from "vitest";
import { inTransaction } from "@/lib/context";
import { ableProviders } from "@/lib/payments/routing/record";
import { openClient } from "@/lib/testing/api";
import { addProvider, withMerchant } from "@/lib/testing/payments";

test("everybody who could take a payment is known, though one payment is tried at three", async () => {
  const shop = await withMerchant(await openClient());
  const ids = [shop.merchant.providerId];
  for (const priority of [2, 3, 4]) ids.push(await addProvider(shop, { priority }));
  const needs = {
    method: "credit",
    currency: "BRL",
    installments: 1,
    split: false,
    threeDS: false,
    authOnly: false,
  } as const;
  const able = await inTransaction(await shop.client.context(), (inside) =>
    ableProviders(inside, shop.merchant.id, needs),
  );
  expect(able.map(({ id }) => id)).toEqual(ids);
});
