import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { sentencesOf } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { paymentOverview } from "@/lib/charges/overview";
import { paymentsOf } from "@/lib/charges/search";
import { inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { BUYER } from "@/lib/providers/sandbox/api/testing";
import { openClient } from "@/lib/testing/api";
import { type ChargeReply, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";

const page = vi.hoisted(() => ({ locale: "en" as "en" | "pt-BR" }));
vi.mock("next-intl/server", () => ({
  // Guarantee: the sentences' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: page.locale, messages: messages[page.locale], namespace }),
}));

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const METHODS = {
  wallet: { paymentType: "nupay" },
  Pix: { paymentType: "pix", expiresIn: 3_600 },
  boleto: { paymentType: "boleto" },
};

const charged = async (method: keyof typeof METHODS): Promise<string> => {
  const { id } = await shop.client.make<ChargeReply>("POST", "/v1/charges", {
    body: {
      merchantId: shop.merchant.id,
      amount: 5_000,
      paymentMethod: METHODS[method],
      paymentSource: { sourceType: "customer", customer: BUYER },
    },
  });
  return id;
};

async function said(id: string, locale: Locale): Promise<string | undefined> {
  page.locale = locale;
  const format = createFormatter({ locale, timeZone: "UTC" });
  const overview = await paymentOverview(await shop.client.context(), "owner", id);
  return (await sentencesOf(overview, { format, money: String }))[0];
}

/** Its badge in lists. */
async function listedAs(id: string, locale: Locale): Promise<string[]> {
  page.locale = locale;
  const words = await paymentWords();
  const ctx = await shop.client.context();
  const rows = await inTransaction(ctx, (inside) => paymentsOf(inside, "owner", [id]));
  return rows.map((row) => words.status(row));
}

test.each(["wallet", "Pix", "boleto"] as const)(
  "a %s that nobody paid in time expired, and was not canceled",
  async (method) => {
    const id = await charged(method);
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
    expect(await said(id, "en")).toMatch(/^Expired unpaid on .+\. Nothing was charged\.$/);
    expect(await said(id, "pt-BR")).toMatch(/^Expirou sem pagamento em .+\. Nada foi cobrado\.$/);
    expect([await listedAs(id, "en"), await listedAs(id, "pt-BR")]).toEqual([["Expired"], ["Expirada"]]);
  },
);

test.each(["wallet", "Pix"] as const)("a %s that was closed before stays canceled", async (method) => {
  const id = await charged(method);
  await voidIt(shop.client, id);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  expect(await said(id, "en")).toMatch(/^Canceled on .+\. Nothing was charged\.$/);
  expect(await listedAs(id, "en")).toEqual(["Canceled"]);
});
