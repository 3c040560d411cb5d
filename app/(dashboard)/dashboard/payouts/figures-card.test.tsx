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

test("a debt names the batches in which it stands and the day of the next deduction, with links", async () => {
  const card = await FiguresCard({
    title: "",
    text: "",
    figures: { available: -5_000, receivable: 0, inTransit: 0, debt: 5_000, earlyCost: 0 },
    next: undefined,
    carried: [
      { id: "b2", day: "2026-11-24" },
      { id: "b1", day: "2026-11-20" },
    ],
    deduction: "2026-12-01",
    whose: "sellers",
    seller: { id: "1", name: "Ana" },
    whyHref: () => "#",
  });
  const html = await new Response(await renderToReadableStream(card)).text();
  const said = html.replaceAll(/<!--.*?-->|<[^>]+>/g, "");
  expect(said).toContain(
    "Deducted from the next batches. Carried over from 2 batches: Nov 24, 2026 and Nov 20, 2026. The next deduction is expected on Dec 1, 2026.",
  );
  for (const href of ["batches/b2", "batches/b1", "?seller=1&amp;day=2026-12-01"])
    expect(html).toContain(`href="/dashboard/payouts${href.startsWith("?") ? "" : "/"}${href}"`);
});
