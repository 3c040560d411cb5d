import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { BalanceCard, PayoutsCard } from "@/app/(seller)/seller/money-cards";
import { messages } from "@/lib/i18n/messages";
import { ownPage } from "@/lib/seller-access/page";
import { onPayday } from "@/lib/testing/payouts";

const locale = "en";
vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
  getLocale: async () => locale,
}));

async function text(card: Promise<React.ReactNode>): Promise<string> {
  const html = await new Response(await renderToReadableStream(await card)).text();
  return html.replaceAll(/<[^>]*>/g, "|").replaceAll(/[|\s\u200b]+/g, " ");
}

test("each transfer shows what it was before its fee, and what is on its way says what the fees took", async () => {
  const { client, ids } = await onPayday("sandbox", 1);
  const [sellerId = ""] = ids;
  const page = await ownPage({ ctx: await client.context(), sellerId, email: "ana@example.com" });
  // The sandbox's plan takes 3.67 for each transfer.
  expect(await text(BalanceCard({ page }))).toContain(
    "On its way R$96.33 to your bank account, after R$3.67 in transfer fees",
  );
  expect(await text(PayoutsCard({ page }))).toMatch(/R\$100\.00 minus the R\$3\.67 transfer fee R\$96\.33/);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P5D" } });
  const later = await ownPage({ ctx: await client.context(), sellerId, email: "ana@example.com" });
  expect(await text(BalanceCard({ page: later }))).toContain("to your bank account ");
}, 60_000);
