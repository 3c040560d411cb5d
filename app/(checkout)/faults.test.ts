import { expect, test, vi } from "vitest";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { type Buyer, formsOf, pathOf, severalCards } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { type PurchaseReply, work } from "@/lib/testing/purchases";
import { openSession, type SessionReply } from "@/lib/testing/sessions";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

/** What can go wrong with one card of several. */
const FAULTS: readonly SandboxOutcome[] = [
  "decline:generic",
  "pending_then_approved",
  "pending_then_declined",
  "pending_forever",
  "timeout_authorised_at_provider",
  "timeout_not_found_at_provider",
  "timeout_declined_at_provider",
  "connection_reset_before_send",
  "http500_then_ok_same_key",
  "http429_retry_after",
  "malformed_body_authorised",
  "replay_differs",
  "capture_refused",
  "capture_timeout_captured",
  "capture_timeout_not_captured",
  "void_timeout_voided",
  "3ds_challenge_ok",
  "amount_mismatch_minus_1",
];
const CASES: readonly (readonly SandboxOutcome[])[] = [
  ...FAULTS.map((fault) => ["approve", fault] as const),
  ...(["decline:generic", "timeout_authorised_at_provider", "pending_forever", "capture_refused"] as const).map(
    (fault) => ["approve", fault, "approve"] as const,
  ),
  ["timeout_not_found_at_provider", "approve"],
  ["capture_refused", "approve"],
];
const MOMENTS = ["PT0S", "PT1M", "PT2H", "P2D"];
const PAYS = ["pix", "card", "cards", "boleto"];

/** What the page says of a card, by what the purchase says of it. */
const WORDS: Record<string, readonly string[]> = {
  pending: ["waiting"],
  processing: ["processing", "releasing"],
  undetermined: ["confirming"],
  pre_authorized: ["held", "releasing"],
  authorized: ["paid"],
  failed: ["declined"],
  voided: ["released"],
  canceled: ["waiting"],
};
const ENDS: Record<string, readonly string[]> = {
  paid: ["paid"],
  failed: ["released"],
  cancelled: ["canceled", "refunded"],
  pending: ["running", "confirming", "review"],
};

interface Status {
  state: string;
  slots: { word: string }[];
}

async function look(shop: Shop, buyer: Buyer, link: SessionReply, path: string): Promise<PurchaseReply> {
  const [purchase] = (
    await shop.client.make<{ items: PurchaseReply[] }>("GET", "/v1/purchases", { query: { sessionId: link.id } })
  ).items;
  if (!purchase) throw new Error("no purchase of the link");
  const seen = JSON.stringify(purchase.payments.map(({ status }) => status));
  const { state, slots } = await buyer.json<Status>(`${path}/status`);
  for (const [index, slot] of slots.entries())
    expect(WORDS[purchase.payments[index]?.status ?? ""], `${state} ${seen}`).toContain(slot.word);
  expect(ENDS[purchase.status], `${purchase.status} ${seen}`).toContain(state);
  const [page, linkPage] = [await buyer.open(path), await buyer.open(pathOf(link))];
  expect(page.state).toBe(state);
  if (purchase.status === "pending")
    expect(
      [...formsOf(page), ...formsOf(linkPage)].filter((form) => PAYS.includes(form)),
      seen,
    ).toEqual([]);
  if (state === "released") expect(purchase.payments.every(({ refundedAmount }) => refundedAmount === 0)).toBe(true);
  return purchase;
}

test.each(CASES)("%s · %s · %s: what is shown is what is, and nobody may pay twice", async (...outcomes) => {
  const shop = await withMerchant(await openClient());
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
  const buyer = await newBuyer();
  const link = await openSession(shop);
  const page = await buyer.open(pathOf(link, `?method=cards&cards=${outcomes.length}`));
  const path = (await buyer.send(page, "cards", severalCards(outcomes))).path.split("?")[0] ?? "";
  await look(shop, buyer, link, path);
  let purchase: PurchaseReply | undefined;
  for (const duration of MOMENTS) {
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } });
    await work(shop.client);
    purchase = await look(shop, buyer, link, path);
    if (purchase.status !== "pending") break;
  }
  expect(purchase?.status !== "pending" || purchase.pendingReview !== undefined, JSON.stringify(purchase)).toBe(true);
});
