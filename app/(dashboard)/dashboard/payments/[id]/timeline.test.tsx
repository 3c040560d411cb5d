import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { AttemptsCard } from "@/app/(dashboard)/dashboard/payments/[id]/attempts-card";
import { RouteCard, TimelineCard } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { beganAt, PurchaseStoryCard } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-panels";
import { purchaseSentences } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-sentences";
import { paymentOverview } from "@/lib/charges/overview";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { openShop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { purchaseOverview } from "@/lib/purchases/overview";
import { type AskedResolution, planResolution, resolveReview } from "@/lib/purchases/review/service";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { addProvider, capture, payByCard, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { advance, bought, work } from "@/lib/testing/purchases";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const words = { format: createFormatter({ locale: "en", timeZone: "UTC" }), money: String };
const place = { path: "/payment", given: {} };

async function text(card: Promise<React.ReactNode>): Promise<string> {
  const html = await new Response(await renderToReadableStream(await card)).text();
  return html.replaceAll(/<[^>]*>/g, "|").replaceAll(/[|\s\u200b]+/g, " ");
}

test("the timeline of a payment says who asked by which key, and how much each event took and gave back", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop, { amount: 10_000 });
  await capture(shop.client, body.id, { amount: 9_000 });
  await voidIt(shop.client, body.id, { amount: 1_500 });
  await voidIt(shop.client, body.id, { amount: 7_500 });
  const ctx = await person(shop.client, "owner");
  const payment = await paymentOverview(ctx, "owner", body.id);
  const shown = await text(TimelineCard({ ctx, role: "owner", payment, words, ...place }));
  expect(shown).toContain("Payment confirmed, 9000 captured and 1000 voided");
  expect(shown).toContain("Partially refunded, 1500");
  expect(shown).toContain("Refunded in full, 7500");
  expect(shown).toMatch(/Through the API, with the key .*sk_/);
});

test("the timeline says why a payment was disputed, each time, to whoever sees disputes", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop, { amount: 10_000, capture: true });
  const sandbox = `/v1/sandbox/charges/${body.id}/chargeback`;
  await shop.client.make("POST", sandbox, { body: { reason: "duplicate" } });
  await shop.client.make("POST", `${sandbox}/reverse`, { body: {} });
  await shop.client.make("POST", sandbox, { body: { amount: 500 } });
  await shop.client.make("POST", `${sandbox}/reverse`, { body: {} });
  await shop.client.make("POST", sandbox, { body: { reason: "size XL" } });
  const ctx = await person(shop.client, "owner");
  const payment = await paymentOverview(ctx, "owner", body.id);
  const shown = await text(TimelineCard({ ctx, role: "owner", payment, words, ...place }));
  expect(shown.match(/Dispute opened( Reason: \S+ \S+)?/g)).toEqual([
    "Dispute opened Reason: “size XL”",
    "Dispute opened",
    "Dispute opened Reason: Charged more",
  ]);
  expect(await text(TimelineCard({ ctx, role: "developer", payment, words, ...place }))).not.toContain("Reason:");
});

test("the timeline of a purchase says why one of its cards was disputed", async () => {
  const shop = await withMerchant(await openClient());
  const { id, payments } = await bought(shop, { capture: true });
  const sandbox = `/v1/sandbox/charges/${payments[1]?.chargeId}/chargeback`;
  await shop.client.make("POST", sandbox, { body: { reason: "unrecognized" } });
  const ctx = await person(shop.client, "owner");
  const purchase = await purchaseOverview(ctx, "owner", id);
  const shown = await text(PurchaseStoryCard({ ctx, role: "owner", purchase, words, ...place }));
  expect(shown).toMatch(/Card 2[^.]*isputed\S* Reason: Payment not recognized/);
  const hidden = await text(PurchaseStoryCard({ ctx, role: "developer", purchase, words, ...place }));
  expect(hidden).not.toContain("Reason:");
});

test("what a fraud provider decided is its own, and what it was told is ours", async () => {
  const shop = await openShop(withAnalyst());
  const { body } = await shop.pay(sandboxPan("approve"), { fraudAnalysis: { customer: { identity: "12345678901" } } });
  const ctx = await person(shop, "owner");
  const payment = await paymentOverview(ctx, "owner", body.id);
  expect(payment.row.status).toBe("authorized");
  const route = await text(RouteCard({ payment, role: "owner" }));
  expect(route).toMatch(/SANDBOX Processed .*SANDBOX_ANTIFRAUD Approved/);
  const refused = await shop.pay(sandboxPan("approve"), { fraudAnalysis: { customer: { identity: "52998224725" } } });
  await shop.advance("PT1H");
  const released = await paymentOverview(ctx, "owner", refused.body.id);
  const attempts = await text(AttemptsCard({ ctx, role: "owner", payment: released, words }));
  expect(attempts).toContain("reported by Trilho");
  expect(attempts).not.toContain("the provider told us");
});

test("a payment that nobody confirmed was not processed", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop, { outcome: "pending_forever" });
  const payment = await paymentOverview(await person(shop.client, "owner"), "owner", body.id);
  expect(await text(RouteCard({ payment, role: "owner" }))).toContain("SANDBOX Unconfirmed");
});

test("a provider that was not tried says why: by the decline as it was recorded", async () => {
  const shop = await withMerchant(await openClient());
  await addProvider(shop, { priority: 2 });
  const { body } = await payByCard(shop, { outcome: "decline:stolen_card" });
  const payment = await paymentOverview(await person(shop.client, "owner"), "owner", body.id);
  expect(payment.routeEnd).toBe("decline");
  expect(await text(RouteCard({ payment, role: "owner" }))).toMatch(
    /Tried .*This decline doesn’t allow another try\. Not tried/,
  );
});

test("what a decision led to in its own transaction is told after it, however long that took to write", () => {
  const moment = (ms: number) => new Date(Date.UTC(2026, 11, 4) + ms);
  const moves = [
    { fact: "authorize.undetermined", createdAt: moment(0) },
    { fact: "review.opened", createdAt: moment(9_500) },
    { fact: "authorize.refused", createdAt: moment(10_042) },
    { fact: "review.resolved", createdAt: moment(10_044) },
    { fact: "operation.claimed", createdAt: moment(10_066) },
  ];
  const row = { createdAt: moment(-100) };
  // Guarantee: nothing else of the purchase is read.
  const purchase = { row } as Parameters<typeof beganAt>[1];
  expect(beganAt({ action: "purchase.resolve", at: moment(10_048) }, purchase, moves)).toEqual(moment(10_042));
  expect(beganAt({ action: "purchase.create", at: moment(-99) }, purchase, moves)).toEqual(moment(-100));
  expect(beganAt({ action: "purchase.capture", at: moment(10_048) }, purchase, moves)).toEqual(moment(10_048));
});

test("a purchase that a person decided tells the decision first, then what it led to, and whose word it was", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await bought(shop, { outcomes: ["approve", "pending_forever"], capture: false });
  await advance(shop.client, "P1D");
  const ctx = await person(shop.client, "owner");
  const asked: AskedResolution = { purchaseId: id, slots: [{ slotIndex: 1, truth: "absent" }], followUp: undefined };
  const { plan } = await planResolution(ctx, asked);
  await resolveReview(ctx, { ...asked, plan, key: newId(), aloneUpTo: null });
  await work(shop.client);
  const purchase = await purchaseOverview(ctx, "owner", id);
  const shown = await text(PurchaseStoryCard({ ctx, role: "owner", purchase, words, ...place }));
  const inOrder = [
    "Authorization not completed",
    "Voiding the other cards",
    "Card 2: Confirming with the provider → Declined",
    "Review resolved",
    "Purchase in review",
  ];
  const places = inOrder.map((each) => shown.indexOf(each));
  expect(places, shown).toEqual(places.toSorted((one, other) => one - other));
  expect(Math.min(...places), shown).toBeGreaterThan(0);
  expect(shown).toContain("Card 1: Processing → Voided");
  expect(shown).not.toMatch(/Voided or refunded|Requested by/);
  expect((await purchaseSentences(purchase, words)).join(" ")).toContain(
    "Card 2 was declined. In the review, a person found no such operation at the provider.",
  );
});
