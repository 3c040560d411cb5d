import { expect, test } from "vitest";
import { inSnapshot } from "@/lib/context";
import { effectOfActivation } from "@/lib/flows/effects";
import { getFlow } from "@/lib/flows/queries";
import { openClient } from "@/lib/testing/api";
import { addProvider, payByCard, withMerchant } from "@/lib/testing/payments";

test("an activation tells all payments that each provider is tried first for, not the moved ones alone", async () => {
  const shop = await withMerchant(await openClient());
  const { id: merchantId, providerId } = shop.merchant;
  const other = await addProvider(shop, { name: "Backup", priority: 2 });
  for (const amount of [10_000, 20_000, 90_000]) await payByCard(shop, { amount, capture: true });
  const { id } = await shop.client.make<{ id: string }>("POST", "/v1/flows", {
    body: {
      name: "Large ones elsewhere",
      paymentMethod: "credit",
      merchantId,
      flow: {
        root: [
          {
            rule: "condition",
            id: "large",
            if: { field: "amount", operator: "gte", value: 50_000 },
            then: [{ rule: "provider", id: other }],
            else: [{ rule: "provider", id: providerId }],
          },
        ],
      },
    },
  });
  const ctx = await shop.client.context();
  const effect = await inSnapshot(ctx, async (inside) => effectOfActivation(inside, await getFlow(inside, id)));
  expect(effect).toMatchObject({ payments: 3, moved: 1, unserved: 0 });
  expect(effect.providers).toEqual(
    expect.arrayContaining([
      { id: providerId, before: 3, after: 2 },
      { id: other, before: 0, after: 1 },
    ]),
  );
});
