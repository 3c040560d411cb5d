import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { purchaseSentences } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-sentences";
import { sentencesOf } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { chargeLook, paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { HOLD_ENDS, holdEnd, refusalByAnalysis } from "@/lib/charges/history";
import { eventsOf, paymentOverview } from "@/lib/charges/overview";
import { paymentsOf } from "@/lib/charges/search";
import { inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { BUYER, openShop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { purchaseOverview } from "@/lib/purchases/overview";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { purchasesOf } from "@/lib/search/purchases";
import { openClient } from "@/lib/testing/api";
import { type ChargeReply, capture, payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought } from "@/lib/testing/purchases";

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

async function allSaid(id: string, locale: Locale): Promise<string[]> {
  page.locale = locale;
  const format = createFormatter({ locale, timeZone: "UTC" });
  const overview = await paymentOverview(await shop.client.context(), "owner", id);
  return sentencesOf(overview, { format, money: String });
}
const said = async (id: string, locale: Locale): Promise<string | undefined> => (await allSaid(id, locale))[0];

/** What its timeline calls the last thing it was told of. */
async function lastEvent(id: string, locale: Locale): Promise<string | undefined> {
  page.locale = locale;
  const ctx = await shop.client.context();
  const [last] = (await eventsOf(ctx, id)).sort((one, other) => other.at.getTime() - one.at.getTime());
  return last && (await panelWords()).event(last.event, await paymentOverview(ctx, "owner", id)).text;
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
    expect([await listedAs(id, "en"), await listedAs(id, "pt-BR")]).toEqual([["Expired"], ["Expirado"]]);
  },
);

test.each([
  [100, "The buyer paid 100: 4900 of the 5000 requested is missing."],
  [5_100, "The buyer paid 5100: 100 more than the 5000 requested."],
])("a Pix that was paid with another amount says so: %i", async (amount, sentence) => {
  const id = await charged("Pix");
  await shop.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: { amount } });
  expect(await allSaid(id, "en")).toContain(sentence);
});

test.each(["wallet", "Pix"] as const)("a %s that was closed before stays canceled", async (method) => {
  const id = await charged(method);
  await voidIt(shop.client, id);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  expect(await said(id, "en")).toMatch(/^Canceled on .+\. Nothing was charged\.$/);
  expect(await listedAs(id, "en")).toEqual(["Canceled"]);
});

test.each([
  ["wallet", "Payment expired"],
  ["Pix", "Payment expired"],
] as const)("the timeline of a %s that ran out tells the same as its badge", async (method, told) => {
  const id = await charged(method);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  expect(await lastEvent(id, "en")).toBe(told);
});

test("a hold is to be captured before it is released here, which is before it ends by itself", async () => {
  const { body } = await payByCard(shop);
  const end = new Date(body.expiresAt ?? "");
  const released = new Date(end.getTime() - 6 * 3_600_000);
  const shown = createFormatter({ locale: "en", timeZone: "UTC" }).dateTime(released, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  expect(await said(body.id, "en")).toContain(`Capture by ${shown}, or the authorization is voided.`);
});

test("a hold that was released is told in one word", async () => {
  const { body } = await payByCard(shop);
  await voidIt(shop.client, body.id);
  expect(await said(body.id, "en")).toMatch(/^The authorization was voided on /);
  expect(await lastEvent(body.id, "en")).toBe("Authorization voided");
});

test("a hold that nobody captured in time is told apart from one that a person released", async () => {
  const { body } = await payByCard(shop);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  expect(await said(body.id, "en")).toMatch(/^Not captured in time: Trilho voided the authorization on .+\./);
  expect(await said(body.id, "pt-BR")).toMatch(
    /^Não foi capturado a tempo: o Trilho liberou a pré-autorização em .+\./,
  );
  expect([await lastEvent(body.id, "en"), await lastEvent(body.id, "pt-BR")]).toEqual([
    "Authorization ended without capture",
    "Pré-autorização encerrada sem captura",
  ]);
  expect([await listedAs(body.id, "en"), await listedAs(body.id, "pt-BR")]).toEqual([
    ["Not captured"],
    ["Não capturado"],
  ]);
  const released = (await payByCard(shop)).body.id;
  await voidIt(shop.client, released);
  expect([await listedAs(released, "en"), await listedAs(released, "pt-BR")]).toEqual([["Voided"], ["Liberado"]]);
});

test("a hold that the system must release twice, and one that ended at its provider, were not captured either", async () => {
  const { body } = await payByCard(shop);
  const { row, attempts } = await paymentOverview(await shop.client.context(), "owner", body.id);
  const [made] = attempts;
  if (!made) throw new Error("it was never tried");
  const call = { ...made, kind: "void" as const, requestType: "void" };
  const ended = { row: { ...row, status: "voided" as const }, attempts };
  const twice = [
    { ...call, id: "2", state: "approved" as const },
    { ...call, id: "1", state: "declined" as const, details: HOLD_ENDS },
  ];
  expect(holdEnd({ ...ended, attempts: [...twice, made] })?.id).toBe("2");
  const notice = (requestStatusReason: string) => [{ ...call, kind: "notice" as const, requestStatusReason }, made];
  expect(holdEnd({ ...ended, attempts: notice("expired") })).toBeDefined();
  expect(holdEnd({ ...ended, attempts: notice("voided") })).toBeUndefined();
  expect(holdEnd({ ...ended, attempts: [{ ...call, state: "approved" }, made] })).toBeUndefined();
});

test.each([{}, { runBeforeCharge: true }])(
  "a sale that the fraud analysis refused is declined by it wherever it is told, analyzed %o",
  async (options) => {
    const analysed = await openShop(withAnalyst(options));
    const { body } = await analysed.pay(sandboxPan("approve"), {
      fraudAnalysis: { customer: { identity: "52998224725" } },
    });
    const told = async (locale: Locale) => {
      page.locale = locale;
      const ctx = await analysed.context();
      const overview = await paymentOverview(ctx, "owner", body.id);
      const format = createFormatter({ locale, timeZone: "UTC" });
      const [sentence] = await sentencesOf(overview, { format, money: String });
      const [row] = await inTransaction(ctx, (inside) => paymentsOf(inside, "owner", [body.id]));
      const [last] = (await eventsOf(ctx, body.id)).sort((one, other) => other.at.getTime() - one.at.getTime());
      return {
        sentence,
        listed: row && (await paymentWords()).status(row),
        look: row && chargeLook(row),
        last: last && (await panelWords()).event(last.event, overview).text,
      };
    };
    expect(await told("en")).toEqual({
      sentence: expect.stringMatching(/^Declined on .+\. The fraud analysis refused the sale\. .+ was not charged\.$/),
      listed: "Declined by fraud analysis",
      look: "failed",
      last: expect.stringMatching(/^Declined by fraud analysis/),
    });
    expect(await told("pt-BR")).toMatchObject({
      sentence: expect.stringMatching(/^Recusado em .+\. A análise de fraude reprovou a venda\./),
      listed: "Recusado na análise de fraude",
    });
  },
);

test("a hold that a person released after a verdict that released nothing is no refusal", async () => {
  const analysed = await openShop(withAnalyst({ refundOnReproved: false }));
  const { body } = await analysed.pay(sandboxPan("approve"), {
    fraudAnalysis: { customer: { identity: "52998224725" } },
  });
  await analysed.advance("PT1H");
  await analysed.make("POST", `/v1/charges/${body.id}/void`, { body: {} });
  const overview = await paymentOverview(await analysed.context(), "owner", body.id);
  expect(overview.row.status).toBe("voided");
  expect(refusalByAnalysis(overview)).toBeUndefined();
});

test("an order on several cards says the same", async () => {
  const { id } = await bought(shop);
  await advance(shop.client, "P40D");
  page.locale = "en";
  const ctx = await shop.client.context();
  const purchase = await purchaseOverview(ctx, "owner", id);
  const words = { format: createFormatter({ locale: "en", timeZone: "UTC" }), money: String };
  expect((await purchaseSentences(purchase, words))[0]).toMatch(/^Not captured in time: Trilho voided/);
  const [listed] = await inTransaction(ctx, (inside) => purchasesOf(inside, "owner", [id]));
  expect(listed && (await paymentWords()).purchase(listed)).toBe("Not captured");
});

test("a part that was captured is told beside what was authorized", async () => {
  const { body } = await payByCard(shop, { amount: 11_540 });
  await capture(shop.client, body.id, { amount: 10_000 });
  expect(await allSaid(body.id, "en")).toContain(
    "10000 of 11540 were captured; the rest of the authorization was voided.",
  );
});
