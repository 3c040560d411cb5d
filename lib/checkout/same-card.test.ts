import { beforeAll, expect, test } from "vitest";
import { newVisit } from "@/lib/checkout/visit";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf, severalCards, textOf } from "@/lib/testing/buyer";
import { openLink, pressPay } from "@/lib/testing/checkout";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { cardData, newCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const [VISA, ELO] = [sandboxPan("approve"), sandboxPan("approve", "elo")];
const spaced = (number: string): string => number.replace(/(\d{4})(?=\d)/g, "$1 ");
const several = { ...severalCards(["approve", "approve", "approve"]), document: "12345678909", captcha: "sandbox-ok" };
const TWO = { count: "2", amount0: "60,00", amount1: "45,00" };
const THREE = { count: "3", amount0: "60,00", amount1: "25,00", amount2: "20,00" };

test.each([
  [{ ...TWO, cardNumber1: spaced(VISA) }, [{ field: "cardNumber", card: 1, sameAs: 0 }]],
  [{ ...THREE, cardNumber2: VISA }, [{ field: "cardNumber", card: 2, sameAs: 0 }]],
  [
    { ...THREE, cardNumber0: ELO, cardNumber1: ELO, cardNumber2: ELO },
    [
      { field: "cardNumber", card: 1, sameAs: 0 },
      { field: "cardNumber", card: 2, sameAs: 0 },
    ],
  ],
  // What is no number is called so, and nothing else.
  [
    { ...TWO, cardNumber0: "1", cardNumber1: "1" },
    [
      { field: "cardNumber", card: 0 },
      { field: "cardNumber", card: 1 },
    ],
  ],
])("one card is not two of an order: %j", async (fields, told) => {
  const outcome = await pressPay(await openLink(shop), newVisit(), "cards", { ...several, ...fields });
  expect(outcome).toMatchObject({ kind: "notice", notice: { kind: "fields", fields: told } });
});

test("nor is a saved card, chosen twice or typed once more", async () => {
  const { id: customerId } = await shop.client.make<{ id: string }>("POST", "/v1/customers?force=true", {
    body: newCustomer(),
  });
  const { id } = await shop.client.make<{ id: string }>("POST", "/v1/cards", {
    body: { tokenId: await openToken(shop.client, cardData()) },
  });
  await shop.client.call("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: id } });
  const opened = await openLink(shop, { customerId });
  const press = (fields: Record<string, string>) =>
    pressPay(opened, newVisit(), "cards", { ...several, ...TWO, savedCard0: id, ...fields });
  expect(await press({ cardNumber1: VISA })).toMatchObject({
    notice: { fields: [{ field: "cardNumber", card: 1, sameAs: 0 }] },
  });
  // The number of a saved card is not on the page: its code is.
  expect(await press({ savedCard1: id })).toMatchObject({
    notice: { fields: [{ field: "cardCvv", card: 1, sameAs: 0 }] },
  });
  expect((await press({ cardNumber1: ELO })).kind).toBe("payment");
});

test.each([
  ["pt-BR", "É o mesmo cartão do cartão 1. Use outro, ou pague tudo com ele."],
  ["en", "This is the same card as card 1. Use another one, or pay it all with that card."],
] as const)(
  "it is said at the second card's field, and the number is nowhere on the page (%s)",
  async (language, told) => {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = await newBuyer({ language });
    const page = await buyer.open(pathOf(link, "?method=cards"));
    const form = { ...several, ...cardFields("approve", { card: 1 }) };
    const { html } = await buyer.send(page, "cards", form);
    const line = /<p class="err" id="cards-cardNumber1-error">([^<]*)</.exec(html)?.[1] ?? "";
    expect(textOf(line)).toBe(told);
    expect(html).not.toContain(VISA);
    const answer = await buyer.sendByScript<{ fields: object[] }>(page, "cards", form);
    expect(answer.fields).toEqual([{ name: "cardNumber1", message: told }]);
  },
);
