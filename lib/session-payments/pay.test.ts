import { beforeAll, describe, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { newBuyer } from "@/lib/customers/schema";
import { simulatePixPayment } from "@/lib/providers/sandbox/pay";
import { payByCards } from "@/lib/purchases/pay-session";
import { payByBoleto, payByCard, payByPix } from "@/lib/session-payments/pay";
import { openSession as openLink } from "@/lib/sessions/open";
import { getSession } from "@/lib/sessions/queries";
import { linkStateOf } from "@/lib/sessions/state";
import { aKey, openClient } from "@/lib/testing/api";
import { cardData, newCustomer, openCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { advance, work } from "@/lib/testing/purchases";
import {
  BOLETO,
  CREDIT,
  chargeByCard,
  chargeByPix,
  newSession,
  openSession,
  PIX,
  readSession,
  type SessionChargeReply,
  unlikeRows,
} from "@/lib/testing/sessions";
import { realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const parsedBuyer = () => newBuyer.parse({ ...newCustomer(), address: undefined });
const refusedWith = (businessCode: string) => ({ status: 422, error: { type: "bad_request", businessCode } });

describe("a session that is paid once", () => {
  test("is paid by card with the session's own terms, and by nobody after that", async () => {
    const { id } = await openSession(shop, { orderId: "A-1", statementDescriptor: "LOJA AZUL" });
    const paid = await chargeByCard(shop, id, { installments: 3, changes: { amount: 1, capture: false } });
    expect(paid).toMatchObject({
      status: 201,
      body: { status: "authorized", sessionId: id, amount: 10_500, orderId: "A-1", statementDescriptor: "LOJA AZUL" },
    });
    for (const member of ["multiplePayments", "capture", "splitRules"]) expect(paid.body).not.toHaveProperty(member);
    expect(await readSession(shop, id)).toMatchObject({
      status: "paid",
      isActive: false,
      multiplePayments: { allow: false, maxPayments: null, paymentCount: 1, pendingCount: 0, status: "disabled" },
    });
    expect(await chargeByCard(shop, id)).toMatchObject(refusedWith("session_disabled"));
  });

  test("a refused card leaves it open", async () => {
    const { id } = await openSession(shop);
    const refused = await chargeByCard(shop, id, { outcome: "decline:insufficient_funds" });
    expect(refused).toMatchObject({
      status: 201,
      body: { status: "failed", error: { type: "card_declined", declinedCode: "insufficient_funds" } },
    });
    expect(await readSession(shop, id)).toMatchObject({
      status: "created",
      multiplePayments: { paymentCount: 0, pendingCount: 0, status: "active" },
    });
    expect((await chargeByCard(shop, id)).body.status).toBe("authorized");
  });

  test("a new attempt closes the Pix that waits, and takes its place", async () => {
    const { id } = await openSession(shop);
    const pix = await chargeByPix(shop, id);
    expect(pix).toMatchObject({ status: 201, body: { status: "pending" } });
    expect((await chargeByCard(shop, id)).body.status).toBe("authorized");
    expect(await shop.client.make("GET", `/v1/charges/${pix.body.id}`)).toMatchObject({ status: "canceled" });
    expect(await unlikeRows(shop)).toEqual([]);
  });

  test("a new attempt finds that the Pix was paid meanwhile: the link is paid, the attempt refused", async () => {
    const { id } = await openSession(shop);
    const pix = await chargeByPix(shop, id);
    // At the provider alone: nobody has asked it since.
    await simulatePixPayment(shop.client.clientId, { chargeId: pix.body.id }, {}, realNow);
    expect(await chargeByCard(shop, id)).toMatchObject(refusedWith("session_disabled"));
    expect(await readSession(shop, id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 1 } });
  });

  test("what is refused by its shape or its rules closes no Pix", async () => {
    const { id } = await openSession(shop);
    const pix = await chargeByPix(shop, id);
    expect(await chargeByCard(shop, id, { installments: 7 })).toMatchObject(
      refusedWith("session_installments_not_allowed"),
    );
    expect(await shop.client.make("GET", `/v1/charges/${pix.body.id}`)).toMatchObject({ status: "pending" });
  });
});

describe("a payment of a session", () => {
  const charge = (id: string, paymentType: string, more: object = {}) =>
    shop.client.call<SessionChargeReply>("POST", `/v1/sessions/${id}/charge`, {
      body: {
        paymentMethod: { paymentType, ...more },
        paymentSource: { sourceType: "customer", customer: newCustomer() },
      },
    });

  test("is refused with a method, or in parts, that the session does not offer, and without an amount", async () => {
    const { id } = await openSession(shop, { paymentMethods: [CREDIT] });
    expect(await charge(id, "pix")).toMatchObject(refusedWith("payment_method_not_allowed"));
    expect(await charge(id, "debit")).toMatchObject(refusedWith("payment_method_not_allowed"));
    expect(await charge(id, "cash")).toMatchObject({ status: 400, error: { type: "bad_request" } });
    const free = await openSession(shop, { amount: 0, createLink: false });
    expect(await chargeByPix(shop, free.id)).toMatchObject(refusedWith("session_amount_zero"));
  });

  test("shortens the life of a Pix, and never stretches it", async () => {
    const { id } = await openSession(shop, { maxPayments: -1 });
    const [short, long] = [await charge(id, "pix", { expiresIn: 60 }), await charge(id, "pix", { expiresIn: 99_999 })];
    expect([short.body.paymentMethod, long.body.paymentMethod]).toMatchObject([
      { expiresIn: 60 },
      { expiresIn: 3_600 },
    ]);
  });

  test("by boleto has the session's due date and instructions", async () => {
    const { id } = await openSession(shop, { paymentMethods: [BOLETO] });
    expect((await charge(id, "boleto")).body).toMatchObject({
      status: "pending",
      paymentMethod: { paymentType: "boleto", expiresDate: BOLETO.expiresDate, instructions: BOLETO.instructions },
    });
  });

  test("is not taken by a session that is paused, past due or canceled", async () => {
    const paused = await openSession(shop);
    await shop.client.make("PATCH", `/v1/sessions/${paused.id}`, { body: { isActive: false } });
    expect(await chargeByCard(shop, paused.id)).toMatchObject(refusedWith("session_disabled"));
    const canceled = await openSession(shop);
    await shop.client.make("POST", `/v1/sessions/${canceled.id}/cancel`);
    expect(await chargeByCard(shop, canceled.id)).toMatchObject(refusedWith("session_disabled"));
    const late = await withMerchant(await openClient());
    const due = await openSession(late, { dueDate: addDays(saoPauloDay(realNow()), 2) });
    await advance(late.client, "P3D");
    expect(await chargeByCard(late, due.id)).toMatchObject(refusedWith("session_disabled"));
    expect(await readSession(late, due.id)).toMatchObject({ status: "created", isActive: false });
  });

  test("with one idempotency key is made once, and its repeat answered after the session is paid", async () => {
    const { id } = await openSession(shop);
    const idempotencyKey = aKey();
    const tokenId = await openToken(shop.client);
    const body = { paymentMethod: { paymentType: "credit" }, paymentSource: { sourceType: "token", tokenId } };
    const pay = () => shop.client.call("POST", `/v1/sessions/${id}/charge`, { idempotencyKey, body });
    const [first, again] = [await pay(), await pay()];
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  });

  test("carries its events and the session's, in order, each once", async () => {
    const { id } = await openSession(shop);
    const paid = await chargeByCard(shop, id);
    const named = async (objectId: string) =>
      (
        await shop.client.make<{ items: { object: string; event: string; entityVersion: number }[] }>(
          "GET",
          "/v1/events",
          { query: { objectId, order: "asc" } },
        )
      ).items.map(({ object, event, entityVersion }) => `${object}.${event} ${entityVersion}`);
    expect(await named(id)).toEqual(["session.created 1", "session.paid 2"]);
    expect((await named(paid.body.id)).at(-1)).toMatch(/^transaction\.authorized/);
  });
});

describe("the session's own key", () => {
  test("pays its session and reads what belongs to it, and nothing else", async () => {
    const { id, publicKey: key } = await openSession(shop, { paymentMethods: [CREDIT] });
    const other = await openSession(shop);
    const { body } = await shop.client.call<{ tokenId: string }>("POST", "/v1/sessions/tokens", {
      key,
      body: cardData(),
    });
    const payment = {
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: body.tokenId },
    };
    expect(await shop.client.call("POST", `/v1/sessions/${other.id}/charge`, { key, body: payment })).toMatchObject({
      status: 404,
    });
    const paid = await shop.client.call("POST", `/v1/sessions/${id}/charge`, { key, body: payment });
    expect(paid).toMatchObject({ status: 201, body: { status: "authorized" } });
    const status = async (path: string) => (await shop.client.call("GET", path, { key })).status;
    expect(await status(`/v1/charges/${paid.body.id}`)).toBe(200);
    expect(await status(`/v1/sessions/${id}`)).toBe(200);
    expect(await status(`/v1/sessions/${id}/link`)).toBe(201);
    expect(await status(`/v1/sessions/${other.id}`)).toBe(404);
    expect(await status(`/v1/sessions/${other.id}/link`)).toBe(404);
    expect(await status("/v1/sessions")).toBe(403);
    const foreign = await chargeByCard(shop, other.id);
    expect(await status(`/v1/charges/${foreign.body.id}`)).toBe(404);
  });

  test("uses the cards of the buyer the session is bound to, and no other saved card", async () => {
    const customerId = await openCustomer(shop.client);
    const save = async () =>
      (await shop.client.make("POST", "/v1/cards", { body: { tokenId: await openToken(shop.client) } })).id;
    const [own, foreign] = [await save(), await save()];
    await shop.client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: own } });
    const { id, publicKey: key } = await openSession(shop, { customerId, maxPayments: -1, paymentMethods: [CREDIT] });
    const pay = (cardId: string) =>
      shop.client.call("POST", `/v1/sessions/${id}/charge`, {
        key,
        body: {
          paymentMethod: { paymentType: "credit" },
          paymentSource: { sourceType: "card", cardId, cardCvv: "120" },
        },
      });
    expect(await pay(foreign)).toMatchObject({ status: 400, error: { businessCode: "card_not_found" } });
    expect(await pay(own)).toMatchObject({ status: 201, body: { status: "authorized", customerId } });
    const cards = await shop.client.call<{ id: string }[]>("GET", `/v1/sessions/customers/${customerId}/cards`, {
      key,
    });
    expect(cards.body.map((card) => card.id)).toEqual([own]);
    const stranger = await openCustomer(shop.client);
    expect((await shop.client.call("GET", `/v1/sessions/customers/${stranger}`, { key })).status).toBe(404);
  });

  test("only reads once the session is canceled", async () => {
    const { id, publicKey: key } = await openSession(shop);
    await shop.client.make("POST", `/v1/sessions/${id}/cancel`);
    const asked = async (method: string, path: string, body?: unknown) =>
      (await shop.client.call(method, path, { key, ...(body ? { body } : {}) })).status;
    expect(await asked("POST", "/v1/sessions/tokens", cardData())).toBe(403);
    expect(await asked("POST", `/v1/sessions/${id}/charge`, {})).toBe(403);
    expect(await asked("GET", `/v1/sessions/${id}`)).toBe(200);
  });

  test("must solve the captcha that the session asks for; the shop's own key need not", async () => {
    const { id, publicKey: key } = await openSession(shop, { captchaEnabled: true, maxPayments: -1 });
    const token = (value?: string) => (value === undefined ? {} : { headers: { "x-captcha-token": value } });
    expect(await chargeByPix(shop, id, { key })).toMatchObject(refusedWith("captcha_required"));
    expect(await chargeByPix(shop, id, { key, ...token("made up") })).toMatchObject(refusedWith("captcha_invalid"));
    expect(await chargeByPix(shop, id, { key, ...token("sandbox-ok") })).toMatchObject({ status: 201 });
    expect(await chargeByPix(shop, id)).toMatchObject({ status: 201 });
    expect((await readSession(shop, id)).multiplePayments).toMatchObject({ pendingCount: 2 });
  });
});

describe("the hosted page", () => {
  test("opens a link without an owner, and pays it by each method, with its own row in the same transaction", async () => {
    const made = await openSession(shop, { paymentMethods: [CREDIT, PIX, BOLETO], maxPayments: -1 });
    const opened = await openLink(made.id, { requestId: aKey() });
    if (!opened) throw new Error("the link is open");
    const { ctx, session } = opened;
    expect(linkStateOf(session, session.createdAt)).toBe("open");
    const seen: object[] = [];
    const options = {
      alongside: async (_: unknown, payment: object) => {
        seen.push(payment);
      },
    };
    const buyer = { source: { customerId: await openCustomer(shop.client) } };
    const own = await inTransaction(ctx, (inside) => getSession(inside, session.id));
    expect(own.id).toBe(session.id);
    const source = { tokenId: await openToken(shop.client) };
    const charge = await payByCard(ctx, session, { source, installments: 2 }, options);
    expect(charge.row).toMatchObject({ status: "authorized", installments: 2, sessionId: session.id });
    await expect(payByPix(ctx, session, buyer, options)).rejects.toMatchObject({ businessCode: "customer_not_found" });
    const customer = { source: { customer: parsedBuyer() } };
    expect((await payByPix(ctx, session, customer, options)).row.status).toBe("pending");
    expect((await payByBoleto(ctx, session, customer, options)).row.status).toBe("pending");
    expect(seen).toHaveLength(3);
  });

  test("a refusal in its own row's transaction undoes the payment and its place", async () => {
    const made = await openSession(shop);
    const opened = await openLink(made.id, { requestId: aKey() });
    if (!opened) throw new Error("the link is open");
    const source = { tokenId: await openToken(shop.client) };
    const refuse = { alongside: async () => Promise.reject(new Error("sent before")) };
    await expect(payByCard(opened.ctx, opened.session, { source }, refuse)).rejects.toThrow("sent before");
    expect((await readSession(shop, made.id)).multiplePayments).toMatchObject({ paymentCount: 0, pendingCount: 0 });
    expect((await payByCard(opened.ctx, opened.session, { source })).row.status).toBe("authorized");
  });

  test("pays with two cards after a Pix of the same link, which is closed first", async () => {
    const made = await openSession(shop);
    const pix = await chargeByPix(shop, made.id);
    const opened = await openLink(made.id, { requestId: aKey() });
    if (!opened) throw new Error("the link is open");
    const cards = async () => [
      { amount: 6_000, installments: 1, source: { tokenId: await openToken(shop.client) } },
      { amount: 4_500, installments: 2, source: { tokenId: await openToken(shop.client) } },
    ];
    const { purchase } = await payByCards(opened.ctx, opened.session, { payments: await cards() });
    expect(purchase.row).toMatchObject({ status: "pending", sessionId: made.id, amount: 10_500, capture: true });
    expect(await shop.client.make("GET", `/v1/charges/${pix.body.id}`)).toMatchObject({ status: "canceled" });
    await expect(payByCards(opened.ctx, opened.session, { payments: await cards() })).rejects.toMatchObject({
      businessCode: "session_disabled",
    });
    await work(shop.client);
    expect(await readSession(shop, made.id)).toMatchObject({ status: "paid" });
  });

  test("knows no link by an id that is none", async () => {
    for (const id of [aKey(), "x", "../etc/passwd"]) expect(await openLink(id, { requestId: aKey() })).toBeUndefined();
  });
});

describe("a purchase for a session", () => {
  test("202: takes the place of the one-to-one session's open Pix, which is closed; 409: of a Pix that was paid meanwhile", async () => {
    const buy = async (sessionId: string, key = aKey()) => {
      const payment = async () => ({
        amount: 5_250,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "card", cardId },
      });
      const cardId = (await shop.client.make("POST", "/v1/cards", { body: { tokenId: await openToken(shop.client) } }))
        .id;
      const payments = [await payment(), await payment()];
      const body = { merchantId: shop.merchant.id, amount: 10_500, capture: true, sessionId, payments };
      const send = () => shop.client.call("POST", "/v1/purchases", { idempotencyKey: key, body });
      return { first: await send(), again: await send() };
    };
    const open = await openSession(shop);
    const pix = (await chargeByPix(shop, open.id)).body;
    const { first, again } = await buy(open.id);
    expect(first).toMatchObject({ status: 202, body: { sessionId: open.id } });
    expect(again.text).toBe(first.text);
    expect(await shop.client.make("GET", `/v1/charges/${pix.id}`)).toMatchObject({ status: "canceled" });

    const late = await openSession(shop);
    const paid = (await chargeByPix(shop, late.id)).body;
    await simulatePixPayment(shop.client.clientId, { chargeId: paid.id }, {}, realNow);
    const refused = await buy(late.id);
    expect(refused.first).toMatchObject({ status: 409, error: { businessCode: "purchase_intent_mismatch" } });
    expect(await shop.client.make("GET", `/v1/charges/${paid.id}`)).toMatchObject({ status: "authorized" });
    expect(await unlikeRows(shop)).toEqual([]);
  });

  test("409: another merchant, amount, capture, more parts, no credit card, or a session that cannot be paid", async () => {
    const session = await openSession(shop, { paymentMethods: [CREDIT], amount: 10_000 });
    const onlyPix = await openSession(shop, { paymentMethods: [PIX], amount: 10_000 });
    const another = await withMerchant(shop.client);
    const buy = async (changes: Record<string, unknown> = {}, installments = 1) => {
      const payment = async () => ({
        amount: 5_000,
        paymentMethod: { paymentType: "credit", installments },
        paymentSource: { sourceType: "token", tokenId: await openToken(shop.client) },
      });
      const payments = [await payment(), await payment()];
      const base = { merchantId: shop.merchant.id, amount: 10_000, capture: true, sessionId: session.id, payments };
      return shop.client.call("POST", "/v1/purchases", { idempotencyKey: aKey(), body: { ...base, ...changes } });
    };
    const mismatch = { status: 409, error: { businessCode: "purchase_intent_mismatch" } };
    expect(await buy({ capture: false })).toMatchObject(mismatch);
    expect(await buy({ merchantId: another.merchant.id })).toMatchObject(mismatch);
    expect(await buy({}, 7)).toMatchObject(mismatch);
    expect(await buy({ sessionId: onlyPix.id })).toMatchObject(mismatch);
    expect(await buy({ sessionId: aKey() })).toMatchObject(mismatch);
    expect(await buy()).toMatchObject({ status: 202, body: { sessionId: session.id } });
    expect(await buy()).toMatchObject(mismatch);
  });
});

test("a session of another account is not paid", async () => {
  const stranger = await withMerchant(await openClient());
  const { id } = await stranger.client.make("POST", "/v1/sessions", { body: newSession(stranger) });
  expect((await chargeByCard(shop, id)).status).toBe(404);
});
