import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { startFor } from "@/app/(dashboard)/dashboard/links/fields";
import { BoletoStep, DisputeStep, NextStep } from "@/app/(dashboard)/dashboard/payments/[id]/next-step";
import { actionsFor } from "@/lib/charges/operator-actions";
import { paymentOverview } from "@/lib/charges/overview";
import { inTransaction } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import type { OperatorRole } from "@/lib/operators/sessions";
import { BUYER } from "@/lib/providers/sandbox/api/testing";
import { emailOfPayment, noteNewLink } from "@/lib/purchases/new-links";
import { purchaseOverview } from "@/lib/purchases/overview";
import { soldBy } from "@/lib/purchases/sold-by";
import { openClient } from "@/lib/testing/api";
import { payByBoleto, payByCard, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { bought } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";
import { openSession } from "@/lib/testing/sessions";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
  getLocale: async () => "en",
}));

async function text(card: Promise<React.ReactNode>): Promise<string> {
  const html = await new Response(await renderToReadableStream(await card)).text();
  return html.replaceAll(/<[^>]*>/g, "|").replaceAll(/[|\s\u200b]+/g, " ");
}

test("a declined payment shows the link that was made for it, by whom, and what became of it", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop, { outcome: "decline:insufficient_funds" });
  const ctx = await person(shop.client, "owner");
  const payment = await paymentOverview(ctx, "owner", body.id);
  const shown = () =>
    text(NextStep({ ctx, role: "owner", id: body.id, merchantId: shop.merchant.id, payments: [payment] }));
  expect(await shown()).toContain("Send a new link");
  const session = await openSession(shop);
  await inTransaction(ctx, (inside) => noteNewLink(inside, body.id, session.id));
  expect(await shown()).toMatch(/New link created on .+ by owner, in the dashboard\. Status: Open\. Send another link/);
});

test("a purchase that failed has a next step as well, and its link is for the whole order", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await bought(shop, { outcomes: ["approve", "decline:insufficient_funds"] });
  const ctx = await person(shop.client, "owner");
  const { row, lanes } = await purchaseOverview(ctx, "owner", id);
  expect(row.status).toBe("failed");
  const payments = lanes.flatMap(({ payment }) => payment ?? []);
  expect(await text(NextStep({ ctx, role: "owner", id, merchantId: row.merchantId, payments }))).toContain(
    "once the limit is free",
  );
  const start = await startFor(await inTransaction(ctx, (inside) => soldBy(inside, id)), { link: undefined });
  expect(start).toMatchObject({ amount: "100.01", merchantId: shop.merchant.id });
});

test("a paid boleto says why it has no refund, and what to do instead, to whoever may refund", async () => {
  const shop = await withMerchant(await openClient());
  const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
  const { body } = await payByBoleto(shop, { amount: 25_000, changes: { splitRules: [{ sellerId, percentage: 40 }] } });
  const ctx = await person(shop.client, "owner");
  const shown = async (role: OperatorRole) => {
    const payment = await paymentOverview(ctx, role, body.id);
    expect(actionsFor(role, ctx.account, payment)).not.toContain("refund");
    return text(BoletoStep({ ctx, role, payment }));
  };
  expect(await shown("owner")).toBe("");
  await shop.client.make("POST", `/v1/sandbox/boletos/${body.id}/pay`, { body: {} });
  expect(await shown("owner")).toMatch(/don’t refund a boleto to its payer\. Transfer R\$250\.00 to the buyer/);
  expect(await shown("owner")).toContain("adjust each one’s balance: Ana Souza");
  expect(await shown("viewer")).toBe("");
});

test("a disputed payment says why it has no refund, and what to do with what is not disputed", async () => {
  const shop = await withMerchant(await openClient());
  const ctx = await person(shop.client, "owner");
  const disputed = async (amount: number | undefined, role: OperatorRole = "owner") => {
    const { body } = await payByCard(shop, { amount: 30_000, capture: true });
    expect(await shown(body.id, role)).toBe("");
    await shop.client.make("POST", `/v1/sandbox/charges/${body.id}/chargeback`, { body: { amount } });
    return shown(body.id, role);
  };
  const shown = async (id: string, role: OperatorRole) => {
    const payment = await paymentOverview(ctx, role, id);
    if (payment.row.status === "charged_back") expect(actionsFor(role, ctx.account, payment)).not.toContain("refund");
    return text(DisputeStep({ role, payment }));
  };
  expect(await disputed(1_000)).toMatch(/While R\$10\.00 is disputed.+the other R\$290\.00\..+Open the dispute/);
  expect(await disputed(undefined)).toContain("a refund would pay the buyer twice");
  expect(await disputed(1_000, "viewer")).toBe("");
});

test("of an order on several cards the disputed one is named", async () => {
  const shop = await withMerchant(await openClient());
  const ctx = await person(shop.client, "owner");
  const { id } = (await payByCard(shop, { amount: 30_000, capture: true })).body;
  await shop.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
  const payment = await paymentOverview(ctx, "owner", id);
  expect(await text(DisputeStep({ role: "owner", payment, card: 2 }))).toContain("Why card 2 can’t be refunded");
});

test("who is written to is whoever paid, for those alone who see buyers whole", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await shop.client.make<{ id: string }>("POST", "/v1/charges", {
    body: {
      merchantId: shop.merchant.id,
      amount: 5_000,
      paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
      paymentSource: { sourceType: "customer", customer: BUYER },
    },
  });
  const ctx = await person(shop.client, "owner");
  expect(await emailOfPayment(ctx, "owner", id)).toBe(BUYER.email);
  expect(await emailOfPayment(ctx, "viewer", id)).toBeUndefined();
});
