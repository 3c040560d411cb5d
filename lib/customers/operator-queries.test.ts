import { expect, test } from "vitest";
import {
  customerFiguresOf,
  customerOverview,
  listCustomersForOperator,
  personFiguresOf,
  sameDocument,
} from "@/lib/customers/operator-queries";
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

test("customers that payments made for one document are one row; to be charged, the one with a card stands for all", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const ctx = await client.context();
  const add = async (name: string, number: string): Promise<string> => {
    const body = {
      name,
      email: `${name.toLowerCase()}@example.com`,
      phoneNumber: "+5511999990000",
      document: { type: "cpf", number },
    };
    return (await client.make<{ id: string }>("POST", "/v1/customers?force=true", { body })).id;
  };
  const first = await add("Ana", "52998224725");
  const tokenId = await openToken(client, cardData());
  const card = await client.make<{ id: string }>("POST", "/v1/cards", { body: { tokenId } });
  await client.call("POST", `/v1/customers/${first}/cards`, { body: { cardId: card.id } });
  await payByCard(shop, { amount: 5_000, capture: true, changes: { customerId: first } });
  const other = await add("Bia", "11144477735");
  const second = await add("Ana", "52998224725");
  const last = await add("Ana", "52998224725");
  await payByCard(shop, { amount: 700, capture: true, changes: { customerId: last } });

  const ids = async (asked: Parameters<typeof listCustomersForOperator>[2] = {}) =>
    (await listCustomersForOperator(ctx, "owner", asked)).items.map(({ id }) => id);
  expect(await ids()).toEqual([last, other]);
  expect(await ids({ isToCharge: true })).toEqual([other, first]);
  // Whoever looks for one finds it.
  expect(await ids({ ids: [first, second] })).toEqual([second]);
  const figures = await personFiguresOf(ctx, [last, other]);
  expect(figures.get(last)).toEqual({ cards: 1, payments: 2, total: 5_700, isMore: false, records: 3 });
  expect(figures.get(other)).toMatchObject({ payments: 0, records: 1 });
  const overview = await customerOverview(ctx, "owner", last);
  const others = await sameDocument(ctx, "owner", overview.row, { isAll: false });
  expect(others.map(({ buyer, cards, payments, total }) => [buyer.id, cards, payments, total])).toEqual([
    [second, 0, 0, 0],
    [first, 1, 1, 5_000],
  ]);
  for (let more = 0; more < 4; more += 1) await add("Ana", "52998224725");
  const shown = async (isAll: boolean) => (await sameDocument(ctx, "owner", overview.row, { isAll })).length;
  expect([await shown(false), await shown(true)]).toEqual([5, 6]);
});
