import { beforeAll, expect, test } from "vitest";
import { POST as pay } from "@/app/(checkout)/pay/[sessionId]/[method]/route";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, CREDIT, openSession, PIX } from "@/lib/testing/sessions";

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

/** The button that changes the language, as it stands on the page. */
const switchOf = (html: string, lang: string): string =>
  new RegExp(`<button lang="${lang}"[^>]*>`).exec(html)?.[0].replaceAll("&amp;", "&") ?? "";

test("in another language the form stands as it was filled in, and nothing was paid", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, CREDIT, BOLETO] });
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(link, "?method=boleto&again=1"));
  const button = switchOf(page.html, "en");
  for (const own of [' form="form-boleto"', ' name="to"', ' value="en"']) expect(button).toContain(own);
  expect(button).toContain(` formAction="${pathOf(link)}/boleto?method=boleto&again=1&lang=en"`);
  expect(page.html).toMatch(/<form id="form-boleto"/);
  const typed = { ...PERSON, ...ADDRESS, email: "ana@example.com" };
  const english = await buyer.send(page, "boleto", { ...typed, to: "en" });
  expect([english.status, english.state, english.html.includes('<html lang="en"')]).toEqual([200, "open", true]);
  expect(valuesOf(english, "boleto")).toMatchObject(typed);
  expect(valuesOf(english, "pix")).toMatchObject({ ...PERSON, email: "ana@example.com" });
  expect(english.html).toMatch(/<details[^>]*open=""[^>]*data-method="boleto"/);
  const { items } = await shop.client.make<{ items: object[] }>("GET", "/v1/charges", {
    query: { sessionId: link.id },
  });
  expect(items).toEqual([]);
  // The way back leads to the same form again.
  expect(switchOf(english.html, "pt-BR")).toContain(` formAction="${pathOf(link)}/boleto?lang=pt-BR"`);
  const portuguese = await buyer.send(english, "boleto", { to: "pt-BR" });
  expect([portuguese.html.includes('<html lang="pt-BR"'), valuesOf(portuguese, "boleto")]).toMatchObject([true, typed]);
  expect((await buyer.send(portuguese, "boleto")).state).toBe("boleto");
});

test("the number and the code of a card do not come back", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });
  const buyer = await newBuyer();
  const card = cardFields();
  const page = await buyer.open(pathOf(link, "?method=card"));
  const english = await buyer.send(page, "card", { ...card, installments: "3", to: "en" });
  expect(english.html).not.toContain(card.cardNumber);
  expect(valuesOf(english, "card")).toMatchObject({
    cardNumber: "",
    cardCvv: "",
    cardHolderName: "ANA SOUZA",
    document: PERSON.document,
    installments: "3",
  });
  const cards = await buyer.open(pathOf(link, "?method=cards&cards=3"));
  const three = await buyer.send(cards, "cards", { cardHolderName2: "RUI", amount2: "10,00", to: "en" });
  expect(valuesOf(three, "cards")).toMatchObject({ count: "3", cardHolderName2: "RUI", cardNumber2: "" });
});

const AGAIN = "For your security, enter the card number and the CVV again.";
const saysAgain = ({ html }: { html: string }): boolean =>
  new RegExp(`<div id="alert"><div class="box warn" role="status"><p>${AGAIN}</p></div></div>`).test(html);

test("that a card's number went with the change of language is said where it was typed", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });
  const buyer = await newBuyer();
  const { cardNumber, cardCvv } = cardFields();
  const change = async (method: string, fields: Record<string, string>) =>
    buyer.send(await buyer.open(pathOf(link, `?method=${method}`)), method, { ...fields, to: "en" });
  expect(saysAgain(await change("card", { cardNumber: cardNumber ?? "" }))).toBe(true);
  expect(saysAgain(await change("card", { cardCvv: cardCvv ?? "" }))).toBe(true);
  expect(saysAgain(await change("card", { cardHolderName: "ANA SOUZA", cardNumber: " " }))).toBe(false);
  expect(saysAgain(await change("cards", { cardNumber1: cardNumber ?? "" }))).toBe(true);
  // A saved card pays: no number is to be typed.
  expect(saysAgain(await change("card", { cardNumber: cardNumber ?? "", savedCard: link.id }))).toBe(false);
  // Once it is said, and nothing was typed since, it is not said again.
  const english = await change("card", { cardNumber: cardNumber ?? "" });
  const portuguese = await buyer.send(english, "card", { to: "pt-BR" });
  expect(portuguese.text).not.toContain("digite de novo o número");
  expect((await buyer.open(pathOf(link, "?method=card&lang=en"))).html).not.toContain(AGAIN);
});

/** What the page calls itself in the browser's history. */
const addressOf = ({ html }: { html: string }): string | undefined => /"address":"([^"]+)"/.exec(html)?.[1];

test("the page that a form was answered with has an address of its own, which the way back opens", async () => {
  const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(link, "?method=card"));
  expect(addressOf(page)).toBeUndefined();
  const english = await buyer.send(page, "card", { to: "en" });
  expect(addressOf(english)).toBe(`${pathOf(link)}?method=card&lang=en`);
  const again = await buyer.open(addressOf(english) ?? "");
  expect([again.status, again.state, again.html.includes('<html lang="en"')]).toEqual([200, "open", true]);
  expect(again.html).toMatch(/<details[^>]*open=""[^>]*data-method="card"/);
  const three = await buyer.send(await buyer.open(pathOf(link, "?method=cards&cards=3")), "cards", { to: "en" });
  expect(addressOf(three)).toBe(`${pathOf(link)}?method=cards&cards=3&lang=en`);
  const request = new Request(`http://trilho.test${pathOf(link)}/pix?again=1`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ to: "en" }),
  });
  const more = await pay(request, { params: Promise.resolve({ sessionId: link.id, method: "pix" }) });
  expect(addressOf({ html: await more.text() })).toBe(`${pathOf(link)}?method=pix&again=1&lang=en`);
});

test("who is asked whether to pay once more is asked again in the other language", async () => {
  const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX, CREDIT] });
  const buyer = await newBuyer();
  expect((await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", cardFields())).state).toBe("paid");
  const asked = await buyer.send(await buyer.open(pathOf(link, "?method=card&again=1")), "card", cardFields());
  expect(valuesOf(asked, "card").again).toBe("1");
  const english = await buyer.send(asked, "card", { to: "en" });
  expect([english.state, valuesOf(english, "card").again]).toEqual(["open", ""]);
  expect((await buyer.send(english, "card", cardFields())).text).toContain("You already paid");
});

test("nobody else's page fills in the form", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const request = new Request(`http://trilho.test${pathOf(link)}/pix`, {
    method: "POST",
    headers: { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
    body: new URLSearchParams({ email: "mallory@example.com", to: "en" }),
  });
  const answer = await pay(request, { params: Promise.resolve({ sessionId: link.id, method: "pix" }) });
  const html = await answer.text();
  expect(html).toContain('<html lang="en"');
  expect(html).not.toContain("mallory@example.com");
});
