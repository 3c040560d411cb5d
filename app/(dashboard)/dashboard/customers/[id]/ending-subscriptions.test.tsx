import { createFormatter, createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { EndingSubscriptions } from "@/app/(dashboard)/dashboard/customers/[id]/ending-subscriptions";
import { messages } from "@/lib/i18n/messages";
import { openCustomer } from "@/lib/testing/payments";
import { openClub } from "@/lib/testing/subscriptions";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "pt-BR",
  getFormatter: async () => createFormatter({ locale: "pt-BR", timeZone: "UTC" }),
  // Guarantee: the component's own types hold its namespace against the messages.
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: "pt-BR", messages: messages["pt-BR"], namespace }),
}));

test("what ends with a customer is told before: each subscription that is not over, with what it charges", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const { client, customerId } = club;
  const told = async (id: string) =>
    renderToStaticMarkup(await EndingSubscriptions({ ctx: await client.context(), customerId: id })).replaceAll(
      "\u00a0",
      " ",
    );
  expect(await told(customerId)).toBe("");
  await club.subscribe({ items: [{ name: "x", amount: 1_990, quantity: 1 }] });
  expect(await told(customerId)).toContain("A assinatura abaixo será cancelada agora");
  const paused = (await club.subscribe({ name: "Plano Prata", recurrence: { interval: "yearly" } })).body;
  await client.make("PATCH", `/v1/subscriptions/${paused.id}/pause`);
  const over = (await club.subscribe({ name: "Plano Velho" })).body;
  await client.make("PATCH", `/v1/subscriptions/${over.id}/cancel`);
  const text = await told(customerId);
  expect(text).toContain("As 2 assinaturas abaixo serão canceladas agora");
  expect(text).toContain("Plano Ouro: R$ 19,90 por mês, no dia 10 (Ativa)");
  expect(text).toContain("Plano Prata: R$ 49,90 por ano, em 10 de janeiro (Pausada)");
  expect(text).not.toContain("Plano Velho");
  expect(await told(await openCustomer(client))).toBe("");
});
