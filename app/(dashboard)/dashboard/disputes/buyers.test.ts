import { expect, test } from "vitest";
import { buyersOf } from "@/app/(dashboard)/dashboard/disputes/buyers";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

test("whose payment was disputed is told as much as the role sees", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop, { capture: true });
  const ctx = await shop.client.context();
  const [whole, masked] = [await buyersOf(ctx, "owner", [body.id]), await buyersOf(ctx, "viewer", [body.id])];
  expect(whole.get(body.id)).toMatch(/^\S+ \S{2,}/);
  expect(masked.get(body.id)).toMatch(/^\S+ \S\.$/);
});
