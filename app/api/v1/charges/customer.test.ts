import { expect, test } from "vitest";
import { type ChargeReply, openShop } from "@/lib/providers/sandbox/api/testing";
import { openCustomer } from "@/lib/testing/payments";

test("charges of a customer are those that name it and those whose source it is, and each answers it", async () => {
  const [shop, stranger] = await Promise.all([openShop(), openShop()]);
  const [customerId, other] = [
    await openCustomer(shop, { email: "a@example.com" }),
    await openCustomer(shop, { email: "b@example.com" }),
  ];
  const pix = (source: string, changes: Record<string, unknown> = {}) =>
    shop.pix(4_990, { paymentSource: { sourceType: "customer", customerId: source }, ...changes });
  const asSource = await pix(customerId);
  const named = await pix(other, { customerId });
  const both = await pix(customerId, { customerId });
  const elsewhere = await pix(other);
  expect([asSource, named, both, elsewhere].map((charge) => charge.customerId)).toEqual([
    customerId,
    customerId,
    customerId,
    other,
  ]);
  const listed = (of: Pick<typeof shop, "make">, id: string) =>
    of.make<{ items: ChargeReply[] }>("GET", `/v1/charges?customerId=${id}&order=asc`);
  const own = await listed(shop, customerId);
  expect(own.items.map(({ id }) => id).sort()).toEqual([asSource.id, named.id, both.id].sort());
  expect(own.items.map((charge) => charge.customerId)).toEqual([customerId, customerId, customerId]);
  expect((await listed(shop, other)).items.map(({ id }) => id).sort()).toEqual([named.id, elsewhere.id].sort());
  expect((await listed(stranger, customerId)).items).toEqual([]);
});
