import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const newLink = () => openSession(shop, { amount: 10_500, paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test.each(["pending_then_approved", "3ds_challenge_ok"] as const)(
  "whoever waits for a bank sees what it is asked: the amount, the card and the installments (%s)",
  async (outcome) => {
    const link = await newLink();
    const buyer = await newBuyer({ language: "pt-BR" });
    const page = await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", {
      ...cardFields(outcome),
      installments: "3",
    });
    const told = ["R$ 105,00", "final", "3x de R$ 35,00"];
    expect(told.filter((each) => !plain(page.text).includes(each))).toEqual([]);
    if (page.state !== "processing") return;
    // Shown once it takes long.
    expect(page.html).toContain("você pode fechar esta página e voltar por este link");
  },
);

test("a refunded Pix speaks of no card, and promises no receipt", async () => {
  const link = await newLink();
  const buyer = await newBuyer({ language: "pt-BR" });
  const person = { name: "Ana Souza", document: "123.456.789-09", email: "ana@example.com" };
  const code = await buyer.send(await buyer.open(pathOf(link, "?method=pix")), "pix", person);
  const { items } = await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", {
    query: { sessionId: link.id },
  });
  const id = items[0]?.id ?? "";
  await shop.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
  expect((await buyer.open(code.path)).text).toContain("O comprovante também vai para");
  await voidIt(shop.client, id);
  const page = await buyer.open(code.path);
  expect(page.state).toBe("refunded");
  expect(page.text).toContain("O valor volta para a conta que pagou o Pix.");
  expect(page.text).not.toMatch(/fatura|O comprovante também vai para/);
});
