import { beforeAll, describe, expect, test } from "vitest";
import { exactText } from "@/components/checkout/parts";
import { getTranslations } from "@/components/checkout/words";
import { installmentsText } from "@/components/emails/payment-words";
import { receiptFile } from "@/lib/checkout/documents";
import { partsOf } from "@/lib/checkout/instalments";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { partsText } from "@/lib/payment-documents/receipt-pdf";
import { RECEIPT } from "@/lib/payment-documents/receipt-words";
import { readPdf } from "@/lib/payment-documents/testing";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf, type Shown, severalCards } from "@/lib/testing/buyer";
import { reopen, seePayment } from "@/lib/testing/checkout";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const HUNDRED = [{ name: "Tênis", unitPrice: 10_000, quantity: 1 }];
const options = ({ html }: Shown): string[] =>
  [...html.matchAll(/<option value="\d+"[^>]*>([^<]*)/g)].map(([, text = ""]) => text.replaceAll("\u00a0", " "));

async function paid(installments: string) {
  const link = await openSession(shop, { items: HUNDRED });
  const buyer = await newBuyer();
  const page = await buyer.send(await buyer.open(pathOf(link)), "card", { ...cardFields(), installments });
  const { items } = await shop.client.make<{ items: { id: string }[] }>("GET", `/v1/charges?sessionId=${link.id}`);
  const opened = await reopen(link.id);
  const view = await seePayment(opened, items[0]?.id ?? "");
  const paper = readPdf((await receiptFile(opened.ctx, opened.session, view, "pt-BR")) ?? new Uint8Array()).lines;
  return { page, paper: paper.replace(/\s+/g, " ") };
}

describe("instalments", () => {
  test("one short line each, the total beside them, the cents of each part where they are asked for", async () => {
    const page = await (await newBuyer()).open(pathOf(await openSession(shop, { items: HUNDRED })));
    expect(options(page).slice(0, 3)).toEqual(["À vista, R$ 100,00", "2x de R$ 50,00", "3x, 1ª de R$ 33,34"]);
    expect(options(page)).toContain("4x de R$ 25,00");
    expect(page.text).toContain("Total de R$ 100,00, sem juros");
    expect(page.text).toContain("Valor exato das parcelas 3x: 1ª de R$ 33,34 e 2 de R$ 33,33 6x: 1ª de R$ 16,70");
  });

  test("page and document say the same of them", async () => {
    const once = await paid("1");
    expect(once.page.text).toContain("Parcelas À vista");
    expect(once.paper).toContain("À vista");
    const three = await paid("3");
    const exact = "3x: 1ª de R$ 33,34 e 2 de R$ 33,33";
    expect(three.page.text).toContain(exact);
    expect(three.paper).toContain(exact);
    for (const { page, paper } of [once, three]) expect(page.text + paper).not.toMatch(/\b1x\b/);
  });
});

test.each(LOCALES)(
  "instalments in %s: page, e-mail and paper have the same words, which add up to the total",
  (locale) => {
    const t = getTranslations("checkout", locale);
    for (const amount of [10_000, 10_001, 99_999, 1_234_567]) {
      for (let count = 1; count <= 12; count++) {
        const parts = partsOf(amount, count);
        expect(parts.first + parts.others * (count - 1)).toBe(amount);
        const onPage = exactText(t, locale, "BRL", parts);
        const card = { brand: "Visa", last4: "0002", amount, installments: count };
        expect(installmentsText(card, locale)).toBe(onPage);
        expect(partsText(card, "BRL", locale)).toBe(onPage);
      }
    }
  },
);

describe("a receipt is called the same on the page, in the e-mail and on paper", () => {
  const IN_MAIL = {
    date: "date",
    method: "method",
    order: "order",
    payment: "payment",
    items: "items",
    card: "card",
    amount: "amount",
    installments: "installments",
    authorization: "authorization",
    nsu: "nsu",
    endToEnd: "endToEndId",
    line: "line",
    method_pix: "methodPix",
    method_boleto: "methodBoleto",
    method_credit: "methodCard",
    method_nupay: "methodNupay",
    method_drip: "methodDrip",
    method_other: "methodWallet",
  } as const;
  // Guarantee: the keys of the object above.
  const NAMES = Object.keys(IN_MAIL) as (keyof typeof IN_MAIL)[];
  test.each(LOCALES)("%s", (locale) => {
    const { checkout, mail } = messages[locale];
    const paper = RECEIPT[locale];
    const onPaper: Readonly<Record<string, unknown>> = {
      ...paper,
      ...Object.fromEntries(Object.entries(paper.methods).map(([name, text]) => [`method_${name}`, text])),
    };
    const page = NAMES.map((name) => [name, checkout.receipt[name]]);
    expect(Object.entries(IN_MAIL).map(([name, inMail]) => [name, mail[inMail]])).toEqual(page);
    expect(NAMES.map((name) => [name, onPaper[name]])).toEqual(page);
    const card = { brand: "Visa", last4: "0002" };
    const filled = (text: string) => text.replace("{brand}", card.brand).replace("{last4}", card.last4);
    expect([filled(checkout.slot.card), filled(mail.cardName)]).toEqual(
      Array(2).fill(paper.ending(card.brand, card.last4)),
    );
  });
});

describe("what is being paid", () => {
  test.each([
    [12_000, "-R$ 20,00"],
    [9_000, "R$ 10,00"],
  ])("items of %i cents show what they differ by", async (unitPrice, difference) => {
    const link = await openSession(shop, { amount: 10_000, items: [{ name: "Tênis", unitPrice, quantity: 1 }] });
    const { text } = await (await newBuyer()).open(pathOf(link));
    expect(text).toContain(`Ajuste da loja ${difference}`);
  });

  test("nothing where they add up", async () => {
    const { text } = await (await newBuyer()).open(pathOf(await openSession(shop, { items: HUNDRED })));
    expect(text).not.toContain("Ajuste");
  });

  test("no name turns the reading direction of what stands around it", async () => {
    const items = [{ name: "fatura\u202Egnp.exe", unitPrice: 10_000, quantity: 1 }];
    const link = await openSession(shop, { items, name: "Pedido \u2066\u200f7", paymentMethods: [PIX] });
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(link));
    const again = await buyer.send(page, "pix", { name: "Ana\u202E azuoS", document: "1" });
    expect(page.text).toContain("faturagnp.exe");
    for (const { html } of [page, again]) expect(html).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  });
});

test("an empty field is asked for, a wrong one is called wrong", async () => {
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(await openSession(shop, { paymentMethods: [CREDIT] })));
  const empty = await buyer.send(page, "card", { document: "", cardNumber: "", cardExpiration: "", cardCvv: "" });
  for (const text of ["Preencha o CPF ou CNPJ.", "Preencha o número do cartão.", "Preencha o código CVV."])
    expect(empty.text).toContain(text);
  const wrong = await buyer.send(page, "card", { ...cardFields(), document: "123" });
  expect(wrong.text).toContain("Este CPF ou CNPJ não confere.");
});

test("the lines of several cards say in how many parts each is paid", async () => {
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(await openSession(shop, { items: HUNDRED })));
  const fields = { ...severalCards(["approve", "approve"]), count: "2", amount0: "60,00", amount1: "40,00" };
  const shown = await buyer.send(page, "cards", { ...fields, installments1: "3" });
  expect(shown.text).toContain("R$ 60,00 à vista");
  expect(shown.text).toContain("R$ 40,00 em 3x");
});

test("a card declined in the shop is told so on every link of it", async () => {
  const card = cardFields("decline:lost_card");
  const told: string[] = [];
  for (let link = 0; link < 2; link++) {
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(await openSession(shop, { paymentMethods: [CREDIT] })));
    told.push((await buyer.send(page, "card", card)).text);
  }
  expect(told[1]).toContain("Este cartão já foi recusado nesta loja. Use outro cartão.");
});

test("a field that is to be corrected is told the reason without what stands around it", async () => {
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(await openSession(shop, { paymentMethods: [CREDIT, PIX] }), "?method=cards"));
  const alone = await buyer.open(pathOf(await openSession(shop, { paymentMethods: [CREDIT, PIX] }), "?method=card"));
  const { alert } = await buyer.sendByScript<{ alert: { focus: string; reason: string } }>(
    alone,
    "card",
    cardFields("decline:expired_card"),
  );
  expect(alert).toMatchObject({ focus: "cardExpiration", reason: "A validade informada não confere ou já passou." });
  expect(page.html).toContain("O máximo neste cartão é {amount}.");
});

test("three cards are not told of the other one", async () => {
  const buyer = await newBuyer();
  const link = await openSession(shop, { items: HUNDRED });
  const page = await buyer.open(pathOf(link, "?method=cards&cards=3"));
  expect(page.html).toContain("O restante vai para o último cartão que você não mudou.");
  expect(page.text).not.toMatch(/no outro|outro cartão\./);
});

test("where no link is, nothing is said of a payment", async () => {
  const { status, text } = await (await newBuyer()).open("/pay/0192f1c0-1111-7aaa-8bbb-000000000001");
  expect(status).toBe(404);
  expect(text).not.toMatch(/Pagamento seguro|Seus dados/);
  expect(text).toContain("English");
});

test("the way past the head of the page leads to the payment where there is one, else to what is said", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const buyer = await newBuyer();
  const skip = ({ html }: Shown) => /class="skip" href="#main">([^<]*)</.exec(html)?.[1];
  const open = await buyer.open(pathOf(link));
  const waiting = await buyer.send(open, "pix", PERSON);
  expect([open, waiting].map(skip)).toEqual(["Ir para o pagamento", "Ir para o pagamento"]);
  await shop.client.make("POST", `/v1/sessions/${link.id}/cancel`);
  const canceled = await buyer.open(pathOf(link));
  const none = await buyer.open("/pay/not-a-link");
  expect([canceled, none].map((page) => [page.state, skip(page)])).toEqual([
    ["canceled", "Ir para o conteúdo"],
    ["unknown", "Ir para o conteúdo"],
  ]);
});
