import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

test("what the shop wrote of the order, of its items and of the card's statement stands on the page and the receipt", async () => {
  const link = await openSession(shop, {
    name: "Pedido de maio",
    description: "Entrega até sexta",
    statementDescriptor: "LOJA AZUL",
    items: [{ name: "Tênis", description: "Número 42, azul", unitPrice: 10_500, quantity: 1 }],
    paymentMethods: [PIX, CREDIT],
  });
  const buyer = await newBuyer({ language: "pt-BR" });
  const open = await buyer.open(pathOf(link, "?method=card"));
  const told = ["Entrega até sexta", "Número 42, azul", "Na fatura, a compra aparece como LOJA AZUL."];
  const receipt = await buyer.send(open, "card", cardFields());
  expect([open.state, receipt.state]).toEqual(["open", "paid"]);
  for (const { text } of [open, receipt]) expect(told.filter((each) => !text.includes(each))).toEqual([]);
});

test("an order that the shop already names is not told twice", async () => {
  const named = await openSession(shop, { name: "Pedido PED-1010", orderId: "PED-1010", paymentMethods: [PIX] });
  const other = await openSession(shop, { name: "Pedido PED-10100", orderId: "PED-1010", paymentMethods: [PIX] });
  const buyer = await newBuyer({ language: "pt-BR" });
  const lines = async (path: string) => (await buyer.open(path)).text.match(/Pedido PED-\d+/g);
  expect(await lines(pathOf(named))).toEqual(["Pedido PED-1010"]);
  expect(await lines(pathOf(other))).toEqual(["Pedido PED-10100", "Pedido PED-1010"]);
});

test("a name has letters", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const buyer = await newBuyer({ language: "pt-BR" });
  const person = { document: "123.456.789-09", email: "" };
  const refused = await buyer.send(await buyer.open(pathOf(link)), "pix", { ...person, name: "😀😀" });
  expect([refused.state, refused.html.includes('aria-invalid="true"')]).toEqual(["open", true]);
  expect((await buyer.send(refused, "pix", { ...person, name: "Zoë" })).state).toBe("pix");
});

test("without scripts a declined card's buyer finds the name in the Pix form too, and why no card is offered", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });
  const buyer = await newBuyer({ language: "pt-BR" });
  const typed = {
    ...cardFields("decline:insufficient_funds"),
    cardHolderName: "ANA SOUZA",
    document: "123.456.789-09",
  };
  const declined = await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", typed);
  expect(valuesOf(declined, "pix")).toMatchObject({ name: "ANA SOUZA", document: "123.456.789-09" });
  expect(declined.html).toMatch(/<noscript>[^<]*<p class="note">Para pagar com cartão neste link, ative o JavaScript/);
});

test("a link that ends before its boleto is due says which is first", async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const link = await openSession(shop, {
    dueDate: day(2),
    paymentMethods: [PIX, BOLETO],
  });
  const { text } = await (await newBuyer({ language: "pt-BR" })).open(pathOf(link));
  expect(text).toMatch(/Gere até .+\. O boleto vence em /);
});
