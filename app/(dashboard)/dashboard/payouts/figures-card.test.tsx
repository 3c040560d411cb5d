import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { FiguresCard } from "@/app/(dashboard)/dashboard/payouts/figures-card";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));

test.each([
  ["own", undefined, "You owe"],
  ["sellers", undefined, "Owed by sellers"],
  ["sellers", { id: "1", name: "Ana" }, "Owed by the seller"],
] as const)("what is owed says by whom: %s %j", async (whose, seller, said) => {
  const card = await FiguresCard({
    title: "",
    text: "",
    figures: { available: 0, receivable: 0, inTransit: 0, debt: 5_000, earlyCost: 0 },
    next: undefined,
    whose,
    seller,
    whyHref: () => "#",
  });
  expect(await new Response(await renderToReadableStream(card)).text()).toContain(`>${said}</a>`);
});
