import { createFormatter, createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { HistoryCard } from "@/app/(dashboard)/dashboard/subscriptions/[id]/history-card";
import type { Context } from "@/lib/context";
import { LOCALES, type Locale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { subscriptionPages } from "@/lib/subscriptions/operator-pages";
import { overviewOf } from "@/lib/subscriptions/operator-queries";
import { type Club, openClub } from "@/lib/testing/subscriptions";

const page = vi.hoisted(() => ({ locale: "en" as "en" | "pt-BR" }));
vi.mock("next-intl/server", () => ({
  getLocale: async () => page.locale,
  getFormatter: async () => createFormatter({ locale: page.locale, timeZone: "UTC" }),
  // Guarantee: the component's own types hold its namespace against the messages.
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: page.locale, messages: messages[page.locale], namespace }),
}));

async function historyOf(ctx: Context, id: string, locale: Locale): Promise<string> {
  page.locale = locale;
  const [overview, { history }] = [await overviewOf(ctx, "owner", id), await subscriptionPages(ctx, "owner", id)];
  return renderToStaticMarkup(await HistoryCard({ ctx, overview, page: history, pages: null }));
}

const told = async (club: Club, id: string): Promise<string[]> => {
  const ctx = await club.client.context();
  const pages: string[] = [];
  for (const locale of LOCALES) pages.push(await historyOf(ctx, id, locale));
  return pages;
};

test("that its customer was deleted is told in the page's language, whoever deleted them", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const { body } = await club.subscribe();
  await club.client.call("DELETE", `/v1/customers/${club.customerId}`);
  const [brazilian, english] = await told(club, body.id);
  expect(brazilian).toContain("Cliente excluído");
  expect(brazilian).not.toMatch(/customer.deleted/i);
  expect(english).toContain("Customer deleted");
});

test("a person's own reason stands as it was written", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const { body } = await club.subscribe();
  await club.client.make("PATCH", `/v1/subscriptions/${body.id}/cancel`, { body: { reason: "payer" } });
  for (const text of await told(club, body.id)) expect(text).toContain(">payer<");
});
