import { expect, test } from "vitest";
import type { DryRun } from "@/lib/dry-runs/service";
import { planPurchaseChange } from "@/lib/purchases/plan-change";
import { aKey } from "@/lib/testing/api";
import { newsOf } from "@/lib/testing/dry-runs/booked";
import { expectSameTogether } from "@/lib/testing/dry-runs/place";
import { openToken, withMerchant } from "@/lib/testing/payments";
import { openPastNoon } from "@/lib/testing/payouts";
import { readPurchase, work } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";

test("two cards that take from one seller's balance are planned to take no more than it may owe", async () => {
  const shop = await withMerchant(await openPastNoon());
  const { client, merchant } = shop;
  // Its fares stay when a card is refunded: 82 of each, where it may owe no more than 120.
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { faresOnRefund: "none" } });
  const [sellerId = ""] = await openSellers(client, merchant.id, 1, {
    fareMdr: 1.5,
    fareFee: 7,
    minNegativeBalance: 120,
  });
  const splitRules = [{ sellerId, percentage: 50, processingFee: false, liable: true }];
  const { id } = await client.make("POST", "/v1/purchases", {
    body: {
      merchantId: merchant.id,
      amount: 20_000,
      capture: true,
      splitRules,
      payments: await Promise.all(
        [1, 2].map(async () => ({
          amount: 10_000,
          paymentMethod: { paymentType: "credit", installments: 1 },
          paymentSource: { sourceType: "token", tokenId: await openToken(client) },
        })),
      ),
    },
    idempotencyKey: aKey(),
  });
  await work(client);
  const news = newsOf(client.clientId);
  await news();

  const { payments } = await readPurchase(client, id);
  const alone = await Promise.all(
    payments.map(({ chargeId }) =>
      client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation: "void", id: chargeId, body: {} } }),
    ),
  );
  const together = await planPurchaseChange(await client.context(), id, "void");
  const taken = (plans: readonly Pick<DryRun["plan"], "journals">[]): number =>
    plans
      .flatMap(({ journals }) => journals.flatMap(({ transfers }) => transfers))
      .filter(({ debit }) => debit === `seller_available:${sellerId}`)
      .reduce((sum, { amount }) => sum + amount, 0);
  expect([taken(alone.map(({ plan }) => plan)), taken([together])]).toEqual([164, 120]);

  await client.make("POST", `/v1/purchases/${id}/void`, { body: {}, idempotencyKey: aKey() });
  await work(client);
  expectSameTogether(together, await news());
});
