import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const PERSON = { name: "Ana Souza", document: "123.456.789-09", email: "ana@example.com" };

test.each([
  [100, "Pagamento recebido em parte", "R$ 104,00 a menos que os R$ 105,00 do pedido"],
  [12_000, "Pagamento aprovado", "R$ 15,00 a mais que os R$ 105,00 do pedido"],
])("a Pix of R$ 105,00 that was paid with %i cents says so, and what to do now", async (amount, heading, told) => {
  const link = await openSession(shop, { amount: 10_500, paymentMethods: [PIX] });
  const buyer = await newBuyer({ language: "pt-BR" });
  const code = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
  const { items } = await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", {
    query: { sessionId: link.id },
  });
  await shop.client.make("POST", `/v1/sandbox/pix/${items[0]?.id}/pay`, { body: { amount } });
  const receipt = await buyer.open(code.path);
  expect([receipt.state, receipt.heading]).toEqual(["paid", heading]);
  const text = receipt.text.replaceAll("\u00a0", " ");
  expect(text).toContain(told);
  expect(text).toContain("fale com ela");
});
