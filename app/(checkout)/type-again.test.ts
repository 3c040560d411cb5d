import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { cardData, newCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession } from "@/lib/testing/sessions";

const AGAIN = "For your security, enter the card number and the CVV again.";
let shop: Shop;
let customerId: string;
let saved: string;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  ({ id: customerId } = await shop.client.make<{ id: string }>("POST", "/v1/customers?force=true", {
    body: newCustomer(),
  }));
  ({ id: saved } = await shop.client.make<{ id: string }>("POST", "/v1/cards", {
    body: { tokenId: await openToken(shop.client, cardData("approve", "elo")) },
  }));
  await shop.client.call("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: saved } });
});

test("a card's number is asked for again only where one is to be typed", async () => {
  const link = await openSession(shop, { customerId, paymentMethods: [CREDIT] });
  const buyer = await newBuyer({ language: "en" });
  const wrong = async (method: "card" | "cards", fields: Record<string, string>) => {
    const { html } = await buyer.send(await buyer.open(pathOf(link, `?method=${method}`)), method, fields);
    expect(html).toContain('aria-invalid="true"');
    return html.includes(`<noscript><p>${AGAIN}</p></noscript>`);
  };
  const typed = { ...cardFields(), savedCard: "", document: "123" };
  expect(await wrong("card", typed)).toBe(true);
  expect(await wrong("card", { savedCard: saved, cardCvv: "" })).toBe(false);
  const second = cardFields("approve", { card: 1 });
  expect(await wrong("cards", { savedCard0: saved, cardCvv0: "", ...second, savedCard1: "" })).toBe(true);
  expect(await wrong("cards", { savedCard0: saved, cardCvv0: "", savedCard1: saved, cardCvv1: "" })).toBe(false);
});
