import { beforeAll, describe, expect, test } from "vitest";
import { aKey, openClient } from "@/lib/testing/api";
import type { Reply } from "@/lib/testing/api-client";
import { type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, changePurchase, purchaseOf, work } from "@/lib/testing/purchases";
import {
  CREDIT,
  chargeByCard,
  chargeByPix,
  openSession,
  readSession,
  type SessionReply,
  unlikeRows,
} from "@/lib/testing/sessions";

const RACERS = 100;
const LIMIT = { status: 422, error: { businessCode: "multiple_payments_limit_reached" } };
const DISABLED = { status: 422, error: { businessCode: "session_disabled" } };

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const many = <T>(run: (index: number) => Promise<T>, count = RACERS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** How many of each answer there were. */
function tally(replies: Reply<{ status?: string }>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body, error } of replies) {
    const name = error?.businessCode ?? `${status} ${body.status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const counts = async ({ id }: SessionReply) => {
  const { status, multiplePayments } = await readSession(shop, id);
  return { status, paid: multiplePayments.paymentCount, pending: multiplePayments.pendingCount };
};

describe(`${RACERS} buyers at once`, () => {
  test("pay a link that is paid once by card: one of them does", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT] });
    const replies = await many(() => chargeByCard(shop, session.id));
    expect(tally(replies)).toEqual({ "201 authorized": 1, session_disabled: RACERS - 1 });
    expect(await counts(session)).toEqual({ status: "paid", paid: 1, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);

  test("pay a link of seven by card, some with cards that are refused: seven are paid, never more", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 7 });
    const replies = await many((index) =>
      chargeByCard(shop, session.id, index % 5 === 0 ? { outcome: "decline:insufficient_funds" } : {}),
    );
    const {
      "201 authorized": paid = 0,
      "201 failed": failed = 0,
      multiple_payments_limit_reached: late,
    } = tally(replies);
    expect(paid).toBeLessThanOrEqual(7);
    expect(paid + failed + (late ?? 0)).toBe(RACERS);
    // Those whom a refused card kept out meanwhile may come again: then the link is full.
    for (let left = 7 - paid; left > 0; left--)
      expect((await chargeByCard(shop, session.id)).body.status).toBe("authorized");
    expect(await chargeByCard(shop, session.id)).toMatchObject(LIMIT);
    expect(await counts(session)).toEqual({ status: "paid", paid: 7, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);

  test("ask for a Pix of a link that is paid once: one code is open, and one payment counts", async () => {
    const session = await openSession(shop);
    const replies = await many(() => chargeByPix(shop, session.id));
    expect(Object.keys(tally(replies)).sort()).toEqual(["201 pending", "session_disabled"]);
    const { items } = await shop.client.make<{ items: { id: string; status: string }[] }>("GET", "/v1/charges", {
      query: { sessionId: session.id, limit: 100 },
    });
    const open = items.filter(({ status }) => status === "pending");
    expect([open.length, await counts(session)]).toEqual([1, { status: "created", paid: 0, pending: 1 }]);
    expect(items.filter(({ status }) => status !== "pending" && status !== "canceled")).toEqual([]);
    await shop.client.make("POST", `/v1/sandbox/pix/${open[0]?.id}/pay`, { body: {} });
    expect(await counts(session)).toEqual({ status: "paid", paid: 1, pending: 0 });
    expect(await chargeByPix(shop, session.id)).toMatchObject(DISABLED);
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);

  test("buy with two cards on a link of three: three purchases are accepted; failed ones make room again", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 3, amount: 10_001 });
    const attempt = async (outcomes: readonly ["approve", "approve" | "decline:generic"]) =>
      shop.client.call<{ id: string; status: string }>("POST", "/v1/purchases", {
        idempotencyKey: aKey(),
        body: await purchaseOf(shop, { outcomes, capture: true, changes: { sessionId: session.id } }),
      });
    const replies = await many(() => attempt(["approve", "decline:generic"]));
    expect(tally(replies)).toEqual({ "202 pending": 3, purchase_intent_mismatch: RACERS - 3 });
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 3 });
    await work(shop.client);
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 0 });
    const again = await many(() => attempt(["approve", "approve"]), 8);
    expect(tally(again)).toMatchObject({ "202 pending": 3 });
    await work(shop.client);
    expect(await counts(session)).toEqual({ status: "paid", paid: 3, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);

  test("come by every way at once to a link of ten: ten places, whoever takes them", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 10, amount: 10_001 });
    await many(async (index) => {
      if (index % 2) return chargeByCard(shop, session.id);
      const body = await purchaseOf(shop, { capture: true, changes: { sessionId: session.id } });
      return shop.client.call("POST", "/v1/purchases", { idempotencyKey: aKey(), body });
    }, 40);
    await work(shop.client);
    expect(await counts(session)).toEqual({ status: "paid", paid: 10, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);
});

describe("a payment whose outcome is not known", () => {
  test("keeps its place until it is, and then counts", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT] });
    const lost = await chargeByCard(shop, session.id, { scenario: "fault=drop_response;step=authorize" });
    expect(lost).toMatchObject({ status: 201, body: { status: "pending" } });
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 1 });
    expect(await chargeByCard(shop, session.id)).toMatchObject(DISABLED);
    await advance(shop.client, "PT1M");
    expect(await counts(session)).toEqual({ status: "paid", paid: 1, pending: 0 });
  });

  test("gives its place back when nothing was ever there", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT] });
    const lost = await chargeByCard(shop, session.id, { scenario: "fault=drop_request;step=authorize" });
    expect(lost.body.status).toBe("pending");
    await advance(shop.client, "PT10M");
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 0 });
    expect((await chargeByCard(shop, session.id)).body.status).toBe("authorized");
  });
});

describe("what becomes of the payment of a link that is paid once", () => {
  test("a hold takes the place; released, it is free again; captured, the link is paid; refunded, it is voided", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], capture: false });
    const held = await chargeByCard(shop, session.id);
    expect([held.body.status, await counts(session)]).toEqual([
      "pre_authorized",
      { status: "created", paid: 0, pending: 1 },
    ]);
    await voidIt(shop.client, held.body.id);
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 0 });
    const { body } = await chargeByCard(shop, session.id);
    await shop.client.make("POST", `/v1/charges/${body.id}/capture`, { body: {} });
    expect(await counts(session)).toEqual({ status: "paid", paid: 1, pending: 0 });
    await voidIt(shop.client, body.id, { amount: 500 });
    expect(await counts(session)).toMatchObject({ status: "paid" });
    await voidIt(shop.client, body.id);
    expect(await counts(session)).toEqual({ status: "voided", paid: 1, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  });

  test("a purchase that is paid and voided takes the link with it", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], amount: 10_001 });
    const body = await purchaseOf(shop, { capture: true, changes: { sessionId: session.id } });
    const { id } = await shop.client.make("POST", "/v1/purchases", { idempotencyKey: aKey(), body });
    await work(shop.client);
    expect(await counts(session)).toEqual({ status: "paid", paid: 1, pending: 0 });
    await changePurchase(shop.client, id, "void");
    await work(shop.client);
    expect(await counts(session)).toEqual({ status: "voided", paid: 1, pending: 0 });
    expect(await unlikeRows(shop)).toEqual([]);
  });

  test("a Pix that nobody paid gives its place back", async () => {
    const session = await openSession(shop);
    await chargeByPix(shop, session.id);
    await advance(shop.client, "PT2H");
    expect(await counts(session)).toEqual({ status: "created", paid: 0, pending: 0 });
    const { items } = await shop.client.make<{ items: { action: string }[] }>(
      "GET",
      `/v1/sessions/${session.id}/history`,
    );
    expect(items.map(({ action }) => action)).toEqual(["paymentExpired", "paymentPending", "statusChanged"]);
  });
});
