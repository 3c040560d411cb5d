import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { SumCard } from "@/app/(dashboard)/dashboard/payouts/batches/[id]/sum-card";
import type { BatchOverview } from "@/lib/finance/batch";
import { messages } from "@/lib/i18n/messages";
import type { OperatorRole } from "@/lib/operators/sessions";

const spoken = vi.hoisted((): { locale: "en" | "pt-BR" } => ({ locale: "en" }));

vi.mock("next-intl/server", () => ({
  getLocale: async () => spoken.locale,
  getFormatter: async () => createFormatter({ locale: spoken.locale, timeZone: "UTC" }),
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: spoken.locale, messages: messages[spoken.locale], namespace }),
}));

const BEFORE_COST = {
  en: "Total before the acquirer’s cost",
  "pt-BR": "Total antes do custo da adquirente",
} as const;
const CREDITS = "/dashboard/finance/credits?until=2026-11-20";

async function shown(sellerId: string | null, role: OperatorRole): Promise<string> {
  // Guarantee: the members that the card reads.
  const row = {
    sellerId,
    finalBalance: 8_000,
    amount: 8_000,
    paymentDate: "2026-11-20",
    payoutDate: null,
  } as BatchOverview["row"];
  const overview = { row, parts: [{ type: "credit" as const, count: 1, amount: 8_000 }], sum: 8_000 };
  const stream = await renderToReadableStream(<SumCard overview={overview} role={role} path="/batch" given={{}} />);
  return new Response(stream).text();
}

test.each(["en", "pt-BR"] as const)(
  "a batch of the account's own says, in %s, that its acquirer's cost is not off it",
  async (locale) => {
    spoken.locale = locale;
    const own = await shown(null, "finance");
    expect(own).toContain(BEFORE_COST[locale]);
    expect(own).toContain(messages[locale].payouts.sumOwnText);
    expect(own).toContain(CREDITS);
    // Nobody is led to a page that is not for them.
    expect(await shown(null, "support")).not.toContain(CREDITS);
    const seller = await shown("019a0000-0000-7000-8000-000000000000", "finance");
    expect(seller).not.toContain(BEFORE_COST[locale]);
    expect(seller).toContain(messages[locale].payouts.sumSent);
  },
);
