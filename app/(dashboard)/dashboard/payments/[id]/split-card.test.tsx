import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { SplitCard } from "@/app/(dashboard)/dashboard/payments/[id]/split-card";
import { formatCents } from "@/components/ui/money-format";
import { ledgerOf } from "@/lib/charges/overview";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { payByCard, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

const spoken = vi.hoisted((): { locale: "en" | "pt-BR" } => ({ locale: "en" }));

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: spoken.locale, messages: messages[spoken.locale], namespace }),
}));

const SAID = {
  en: {
    ofSale: "Account default: 3.99% + R$0.39 on the whole sale",
    ofCard: "3.99% + R$0.39 on the whole amount of the card",
    kept: "the fixed R$0.39 was not",
  },
  "pt-BR": {
    ofSale: "Padrão da conta: 3,99% + R$ 0,39 sobre a venda inteira",
    ofCard: "3,99% + R$ 0,39 sobre o valor inteiro do cartão",
    kept: "os R$ 0,39 fixos, não",
  },
} as const;

test("a seller's rate says what it is taken of: the whole sale, or of several cards the whole of each", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
  const splitRules = [{ sellerId, percentage: 70, processingFee: true }];
  const { body } = await payByCard(shop, { amount: 10_000, capture: true, changes: { splitRules } });
  const ctx = await person(shop.client, "owner");
  const shown = async (chargeIds: string[]) => {
    const { locale } = spoken;
    const words = {
      format: createFormatter({ locale, timeZone: "UTC" }),
      money: (cents: number) => formatCents(cents, "BRL", locale),
    };
    const card = await SplitCard({ ctx, role: "owner", chargeIds, words, path: "/payment" });
    const html = await new Response(await renderToReadableStream(card)).text();
    return html.replaceAll(/<[^>]*>|\u200b/g, "").replaceAll(/\s/g, " ");
  };
  for (const locale of ["en", "pt-BR"] as const) {
    spoken.locale = locale;
    const alone = await shown([body.id]);
    expect(alone).toContain(SAID[locale].ofSale);
    // 3.99 % and 0.39 of 100.00, though 70.00 are the seller's.
    expect(alone).toContain(formatCents(438, "BRL", locale).replaceAll(/\s/g, " "));
    expect(alone).not.toContain(SAID[locale].kept);
    expect(await shown([body.id, "019a0000-0000-7000-8000-000000000000"])).toContain(SAID[locale].ofCard);
  }
  // With a refund the part of the fee that stays is named, and what names the accounts says whose they are.
  await voidIt(shop.client, body.id, { amount: 10_000 });
  for (const locale of ["en", "pt-BR"] as const) {
    spoken.locale = locale;
    expect(await shown([body.id])).toContain(SAID[locale].kept);
  }
  const lines = (await ledgerOf(ctx, "owner", body.id))?.flatMap((journal) => journal.lines) ?? [];
  const named = lines.filter(({ account }) => account.startsWith("seller_")).map(({ seller }) => seller);
  expect(named.length).toBeGreaterThan(0);
  expect(named).not.toContain(null);
});
