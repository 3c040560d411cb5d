import { expect, test } from "vitest";
import { customerFiguresOf } from "@/lib/customers/operator-queries";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { cardData, openCustomer, openToken, payByCard, withMerchant } from "@/lib/testing/payments";
import { bought } from "@/lib/testing/purchases";

test("a customer has cards, payments that took money, and what of it stayed; others have their own", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const [buyer, nobody] = [await openCustomer(client), await openCustomer(client)];
  const changes = { customerId: buyer };
  const paid = (await payByCard(shop, { amount: 5_000, capture: true, changes })).body.id;
  await client.make("POST", `/v1/charges/${paid}/void`, { body: { amount: 1_000 } });
  await payByCard(shop, { amount: 9_000, changes });
  await payByCard(shop, { amount: 9_000, changes, outcome: "decline:generic" });
  await bought(shop, { capture: true, changes });
  const tokenId = await openToken(client, cardData());
  const card = await client.make<{ id: string }>("POST", "/v1/cards", { body: { tokenId } });
  await client.call("POST", `/v1/customers/${buyer}/cards`, { body: { cardId: card.id } });
  const source = { paymentSource: { sourceType: "card", cardId: card.id, cardCvv: "120" } };
  await payByCard(shop, { amount: 700, capture: true, changes: source });

  const figures = await customerFiguresOf(await client.context(), [buyer, nobody]);
  expect(figures.get(buyer)).toEqual({ cards: 1, payments: 3, total: 4_000 + 10_001 + 700, isMore: false });
  expect(figures.get(nobody)).toEqual({ cards: 0, payments: 0, total: 0, isMore: false });
  const stranger = await (await openClient()).context();
  expect((await customerFiguresOf(stranger, [buyer, newId()])).get(buyer)).toMatchObject({
    cards: 0,
    payments: 0,
    total: 0,
  });
});
