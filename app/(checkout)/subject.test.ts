import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const ADDRESS = {
  zipCode: "01310-100",
  street: "Avenida Paulista",
  streetNumber: "1000",
  district: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};
const items = (names: readonly string[]) => names.map((name) => ({ name, unitPrice: 3_500, quantity: 1 }));

test.each([
  ["pix", PIX],
  ["boleto", BOLETO],
])("whoever waits for a payment by %s reads what it is for", async (method, offered) => {
  const waiting = async (order: Record<string, unknown>) => {
    const link = await openSession(shop, { paymentMethods: [offered], amount: 10_500, ...order });
    const buyer = await newBuyer({ language: "en" });
    const page = await buyer.send(await buyer.open(pathOf(link)), method, { ...PERSON, ...ADDRESS });
    expect(page.state).toBe(method);
    return page;
  };
  const one = await waiting({ name: "Running shoes", description: "Size 42", orderId: "A-77", items: items(["Pair"]) });
  for (const told of ["Running shoes", "Size 42", "Order A-77", "Pair"]) expect(one.text).toContain(told);
  const three = await waiting({ items: items(["Shoes", "Socks", "Laces"]) });
  // Folded: the code stays near the top of a small screen.
  expect(three.html).toMatch(/<details class="more"><summary>3 items/);
  expect(three.text).toContain("Socks");
});
