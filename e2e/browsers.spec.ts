import { expect } from "@playwright/test";
import { ENGLISH_DESK, PORTUGUESE_PHONE, type Tab, test } from "@/e2e/browsers";
import { call, newStage } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

/** Every way to pay, in every browser there is on this machine: see the projects of playwright.config.ts. */

/** The first journey of a worker starts its browser as well. */
test.describe.configure({ timeout: 240_000 });

const VISA = sandboxPan("approve");
const DECLINED = sandboxPan("decline:insufficient_funds", "mastercard");
const MASTERCARD = sandboxPan("approve", "mastercard");
const ELO = sandboxPan("approve", "elo");
const DOCUMENT = { document: "123.456.789-09" };
const PERSON = { name: "Ana Souza", ...DOCUMENT };

const card = (number: string, index: number | "" = "") => ({
  [`cardNumber${index}`]: number,
  [`cardHolderName${index}`]: "ANA SOUZA",
  [`cardExpiration${index}`]: "12/39",
  [`cardCvv${index}`]: "123",
});

const field = (form: string, name: string): string => `form[data-form=${form}] [name=${name}]`;
async function type(tab: Tab, form: string, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await tab.fill(field(form, name), value);
}
const pay = (tab: Tab, form: string) => tab.press(`form[data-form=${form}] button[type=submit]`);
const simulate = (tab: Tab) => tab.press("form[action$='/simulate'] button");

async function chargeOf(link: { id: string }): Promise<string> {
  const { items } = await call<{ items: { id: string }[] }>("GET", `/v1/charges?sessionId=${link.id}`);
  return items[0]?.id ?? "";
}

test.describe("on a phone, in Portuguese", () => {
  test.use({ look: PORTUGUESE_PHONE });

  test("Pix: from the link to the receipt, and from the paid link back to it", async ({ tab }) => {
    const { id } = await openLink(newStage());
    await tab.open(`/pay/${id}`);
    await tab.shows("open", /Pagamento para .*R\$ 100,01/s);
    await type(tab, "pix", PERSON);
    await pay(tab, "pix");
    await tab.shows("pix", /^Pague com Pix: R\$ 100,01$/);
    await tab.holds("#code", /^000201.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/);
    await tab.says("[role=img]", /QR code/);
    await simulate(tab);
    await tab.shows("paid", /^Pagamento aprovado$/);
    await tab.open(`/pay/${id}`);
    await tab.shows("paid", /^Este link já foi pago$/);
    await tab.press(`a[href*='/pay/${id}/p/']`);
    await tab.shows("paid", /^Pagamento aprovado$/);
  });

  test("boleto: from the link to the slip, and to the receipt", async ({ tab }) => {
    const { id } = await openLink(newStage());
    await tab.open(`/pay/${id}?method=boleto`);
    await tab.shows("open", /R\$ 100,01/);
    await type(tab, "boleto", {
      ...PERSON,
      zipCode: "01310-100",
      street: "Av. Paulista",
      streetNumber: "1000",
      district: "Bela Vista",
      city: "São Paulo",
    });
    await tab.choose(field("boleto", "state"), "SP");
    await pay(tab, "boleto");
    await tab.shows("boleto", /^Seu boleto está pronto$/);
    await tab.says("#line", /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/);
    await tab.says("[role=img]", /Código de barras/);
    await simulate(tab);
    await tab.shows("paid", /^Pagamento aprovado$/);
  });

  test("card in twelve parts: to the cent on the form and on the receipt", async ({ tab }) => {
    const { id } = await openLink(newStage(), {
      paymentMethods: [{ paymentType: "credit", installments: 12 }],
      items: [{ name: "Bicicleta", unitPrice: 120_007, quantity: 1 }],
    });
    const parts = /12x: 1ª de R\$ 100,07 e 11 de R\$ 100,00/;
    await tab.open(`/pay/${id}`);
    await tab.shows("open", /R\$ 1\.200,07/);
    await type(tab, "card", { ...card(VISA), ...DOCUMENT });
    await tab.choose(field("card", "installments"), "12");
    await tab.says(`${field("card", "installments")} option:checked`, /12x, 1ª de R\$ 100,07/);
    await pay(tab, "card");
    await tab.shows("paid", /^Pagamento aprovado$/);
    await tab.says("dl", parts);
    await tab.says("dl", /Visa final 0002/);
  });

  test("two cards: the one that is declined is replaced, and each has its line on the receipt", async ({ tab }) => {
    const { id } = await openLink(newStage());
    await tab.open(`/pay/${id}?method=cards`);
    await tab.shows("open", /R\$ 100,01/);
    await type(tab, "cards", { ...card(VISA, 0), ...card(DECLINED, 1), ...DOCUMENT });
    await pay(tab, "cards");
    await tab.says("[role=alert]", /O cartão 2 foi recusado.*Nenhum cartão foi cobrado/s);
    await tab.holds(field("cards", "cardNumber0"), "4111 2200 0000 0002");
    await tab.press("[role=alert] [data-action=card]");
    await type(tab, "cards", card(MASTERCARD, 1));
    await pay(tab, "cards");
    await tab.shows("paid", /^Pagamento aprovado$/);
    await tab.says("dl", /Visa final 0002.*Mastercard final 0007/s);
  });
});

test.describe("at a desk, in English", () => {
  test.use({ look: ENGLISH_DESK });

  test("Pix paid in the bank's app: the open page is told of it", async ({ tab }) => {
    const link = await openLink(newStage());
    await tab.open(`/pay/${link.id}`);
    await tab.shows("open", /Payment to .*R\$100\.01/s);
    await type(tab, "pix", PERSON);
    await pay(tab, "pix");
    await tab.shows("pix", /^Pay with Pix: R\$100\.01$/);
    await expect.poll(() => tab.asked.some((address) => address.includes("/live"))).toBe(true);
    await call("POST", `/v1/sandbox/pix/${await chargeOf(link)}/pay`, {});
    await tab.shows("paid", /^Payment approved$/);
    expect(tab.asked.filter((address) => /\/status\b/.test(address))).toEqual([]);
  });

  test("card in one part: declined first, and another one pays", async ({ tab }) => {
    const { id } = await openLink(newStage());
    await tab.open(`/pay/${id}?method=card`);
    await tab.shows("open", /R\$100\.01/);
    await type(tab, "card", { ...card(DECLINED), ...DOCUMENT });
    await pay(tab, "card");
    await tab.says("[role=alert]", /The card's limit does not cover this amount\..*You have not been charged\./s);
    await tab.holds(field("card", "cardHolderName"), "ANA SOUZA");
    await type(tab, "card", card(VISA));
    await pay(tab, "card");
    await tab.shows("paid", /^Payment approved$/);
    await tab.says("dl", /In full/);
  });

  test("three cards: the amounts add up, and each has its line on the receipt", async ({ tab }) => {
    const { id } = await openLink(newStage());
    await tab.open(`/pay/${id}?method=cards`);
    await tab.press("a[data-cards='3']");
    await tab.holds(field("cards", "amount2"), "33.33");
    await tab.fill(field("cards", "amount0"), "50.00");
    await tab.holds(field("cards", "amount1"), "33.33");
    await tab.holds(field("cards", "amount2"), "16.68");
    await type(tab, "cards", { ...card(VISA, 0), ...card(MASTERCARD, 1), ...card(ELO, 2), ...DOCUMENT });
    await tab.shows("open", /R\$100\.01/);
    await pay(tab, "cards");
    await tab.shows("paid", /^Payment approved$/);
    await tab.says(
      "dl",
      /Visa ending in 0002.*R\$50\.00.*Mastercard ending in 0007.*R\$33\.33.*Elo ending in \d{4}.*R\$16\.68/s,
    );
  });

  test("capture later: the page says authorised, and approved once the shop has captured", async ({ tab }) => {
    const link = await openLink(newStage(), { capture: false });
    await tab.open(`/pay/${link.id}?method=card`);
    await type(tab, "card", { ...card(VISA), ...DOCUMENT });
    await pay(tab, "card");
    await tab.shows("authorised", /^Payment authorized$/);
    await call("POST", `/v1/charges/${await chargeOf(link)}/capture`, {});
    await tab.shows("paid", /^Payment approved$/);
    await tab.open(`/pay/${link.id}`);
    await tab.shows("paid", /^This link has been paid$/);
    await tab.press(`a[href*='/pay/${link.id}/p/']`);
    await tab.shows("paid", /^Payment approved$/);
  });
});
