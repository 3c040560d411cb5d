import { expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { bought, buy } from "@/lib/testing/purchases";

it("200: as the worker left it, the charges of its cards listed under it", async () => {
  const shop = await withMerchant(await openClient());
  const purchase = await bought(shop, { capture: true });
  expect(purchase.status).toBe("paid");
  const { items } = await shop.client.make<{ items: { id: string; purchaseId: string; amount: number }[] }>(
    "GET",
    "/v1/charges",
    {
      query: { purchaseId: purchase.id, order: "asc" },
    },
  );
  expect(items.map(({ id }) => id)).toEqual(purchase.payments.map(({ chargeId }) => chargeId));
  expect(items.map(({ amount }) => amount)).toEqual(purchase.payments.map(({ amount }) => amount));
});

it("404: unknown and another client's are alike; 400: an id that is none", async () => {
  const shop = await withMerchant(await openClient());
  const other = await withMerchant(await openClient());
  const { id } = (await buy(other)).body;
  const replies = [];
  for (const asked of [id, newId()]) replies.push(await shop.client.call("GET", `/v1/purchases/${asked}`));
  for (const reply of replies) {
    expect(reply.status).toBe(404);
    expect(reply.error).toMatchObject({ type: "not_found", code: 404, businessCode: "purchase_not_found" });
    expect(reply.error?.details).toContain("purchase_not_found");
  }
  expect(replies[0]?.text).toBe(replies[1]?.text);
  const malformed = await shop.client.call("GET", "/v1/purchases/abc");
  expect(malformed).toMatchObject({ status: 400, error: { type: "bad_request", businessCode: "invalid_request" } });
});
