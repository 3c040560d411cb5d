import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { messages } from "@/lib/i18n/messages";
import { listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { payByBoleto, payByCard, withMerchant } from "@/lib/testing/payments";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

test("a boleto that was paid short was asked for, a card's payment that was captured in part authorized", async () => {
  const shop = await withMerchant(await openClient());
  const boleto = (await payByBoleto(shop, { amount: 10_500 })).body.id;
  await shop.client.make("POST", `/v1/sandbox/boletos/${boleto}/pay`, { body: { amount: 9_000 } });
  const card = (await payByCard(shop, { amount: 10_500 })).body.id;
  await shop.client.make("POST", `/v1/charges/${card}/capture`, { body: { amount: 9_000 } });
  const { items } = await listPayments(await shop.client.context(), "owner", {});
  const words = await paymentWords();
  const beside = (id: string) => items.flatMap((item) => (item.id === id ? (words.beside(item, String) ?? "") : []));
  expect(beside(boleto)).toEqual(["of 10500 requested"]);
  expect(beside(card)).toEqual(["of 10500 authorized"]);
});
