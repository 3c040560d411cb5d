import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, endOfSaoPauloDay, saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { getSession, historyOf } from "@/lib/sessions/queries";
import { duplicateSession, updateSession } from "@/lib/sessions/service";
import { linkStateOf } from "@/lib/sessions/state";
import { aKey, openClient } from "@/lib/testing/api";
import type { List, Reply } from "@/lib/testing/api-client";
import { openCustomer, type Shop, withMerchant } from "@/lib/testing/payments";
import { advance, purchaseOf, work } from "@/lib/testing/purchases";
import {
  BOLETO,
  CREDIT,
  chargeByCard,
  chargeByPix,
  newSession,
  openSession,
  PIX,
  readSession,
  type SessionReply,
  unlikeRows,
} from "@/lib/testing/sessions";
import { addSeconds, realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const post = (changes: Record<string, unknown>): Promise<Reply<SessionReply>> =>
  shop.client.call<SessionReply>("POST", "/v1/sessions", { body: newSession(shop, changes) });
const patch = (id: string, body: unknown) => shop.client.call("PATCH", `/v1/sessions/${id}`, { body });
const invalid = { status: 400, error: { type: "bad_request" } };
const rule = (businessCode: string) => ({ status: 422, error: { type: "bad_request", businessCode } });
const reference = (businessCode: string) => ({ status: 400, error: { type: "invalid_request_error", businessCode } });
const today = () => saoPauloDay(realNow());

describe("creating a session", () => {
  test("200: what was asked, with defaults, a key of its own and a link when one is wanted", async () => {
    const customerId = await openCustomer(shop.client);
    const { status, body } = await post({ customerId, createLink: null, items: [item(1_000, 2), item(50, 3)] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "created",
      isActive: true,
      captchaEnabled: false,
      clientId: shop.client.clientId,
      merchantId: shop.merchant.id,
      customerId,
      orderId: null,
      amount: 2_150,
      currency: "BRL",
      capture: true,
      dueDate: null,
      description: null,
      statementDescriptor: null,
      paymentMethods: [CREDIT, PIX],
      items: [
        { name: "Coisa", unitPrice: 1_000, quantity: 2, description: null, tangible: null, categoryId: null },
        {},
      ],
      paymentLink: "",
      providerReferenceKey: null,
      splitRules: [],
      vendor: null,
      multiplePayments: { allow: false, maxPayments: null, paymentCount: 0, pendingCount: 0, status: "active" },
    });
    const linked = await post({});
    expect(linked.body.paymentLink).toMatch(new RegExp(`/${linked.body.id}$`));
    expect(linked.body.publicKey).not.toBe(body.publicKey);
  });

  test("the amount counts when it differs from the items, zero included; a sum that does not fit is refused", async () => {
    expect((await post({ amount: 0, createLink: false })).body.amount).toBe(0);
    expect((await post({ amount: 7 })).body.amount).toBe(7);
    expect(await post({ items: [item(Number.MAX_SAFE_INTEGER, 2)] })).toMatchObject(invalid);
  });

  test("422: a link that nobody could pay", async () => {
    expect(await post({ amount: 0 })).toMatchObject(rule("session_amount_zero"));
    expect(await post({ items: [item(0, 2)] })).toMatchObject(rule("session_amount_zero"));
    expect(await post({ items: [item(0, 2)], amount: 1 })).toMatchObject({ status: 200 });
  });

  test("400: each member out of its bounds", async () => {
    const wrong: Record<string, unknown>[] = [
      { paymentMethods: [] },
      { paymentMethods: [CREDIT, CREDIT] },
      { paymentMethods: [{ paymentType: "credit" }] },
      { paymentMethods: [{ paymentType: "debit" }] },
      { paymentMethods: [{ paymentType: "pix", expiresIn: 0 }] },
      { paymentMethods: [{ paymentType: "boleto" }] },
      { paymentMethods: [{ paymentType: "boleto", expiresDate: addDays(today(), -1) }] },
      { items: [] },
      { items: [{ name: "x", unitPrice: -1, quantity: 1 }] },
      { items: [{ name: "x", unitPrice: 1, quantity: 0 }] },
      { amount: -1 },
      { amount: 1.5 },
      { maxPayments: 0 },
      { maxPayments: -2 },
      { maxPayments: 100_000 },
      { statementDescriptor: "ab" },
      { dueDate: "soon" },
      { dueDate: "2026-02-30" },
      { merchantId: "x" },
      { merchantId: null },
      { currency: "XXX" },
    ];
    for (const changes of wrong) expect([changes, await post(changes)]).toMatchObject([changes, invalid]);
  });

  test("400: what it names does not exist", async () => {
    expect(await post({ merchantId: aKey() })).toMatchObject(reference("merchant_not_found"));
    expect(await post({ customerId: aKey() })).toMatchObject(reference("customer_not_found"));
    expect(await post({ splitRules: [{ sellerId: aKey(), percentage: 10 }] })).toMatchObject(
      reference("seller_not_found"),
    );
    expect(await post({ currency: "USD" })).toMatchObject(reference("currency_not_supported"));
  });

  test.each(["credit", "click_to_pay", "drip", "nupay"])(
    "400: no %s in a currency that nobody takes",
    async (paymentType) => {
      const paymentMethods = [{ ...CREDIT, paymentType }];
      expect(await post({ currency: "USD", paymentMethods })).toMatchObject(reference("currency_not_supported"));
    },
  );

  test("the due date is tomorrow in São Paulo or later; a date alone lasts until its day ends there", async () => {
    expect(await post({ dueDate: today() })).toMatchObject(invalid);
    expect(await post({ dueDate: addDays(today(), -1) })).toMatchObject(invalid);
    const tomorrow = addDays(today(), 1);
    expect((await post({ dueDate: tomorrow })).body.dueDate).toBe(endOfSaoPauloDay(tomorrow).toISOString());
    const first = startOfSaoPauloDay(tomorrow);
    expect((await post({ dueDate: first.toISOString() })).body.dueDate).toBe(first.toISOString());
    expect(await post({ dueDate: addSeconds(first, -1).toISOString() })).toMatchObject(invalid);
    const offset = `${tomorrow}T00:00:00-03:00`;
    expect((await post({ dueDate: offset })).body.dueDate).toBe(new Date(offset).toISOString());
  });

  test("maxPayments: Pix and boleto are paid once, or any number of times; cards as often as is asked", async () => {
    const refusal = rule("pix_boleto_multiple_payments_not_allowed");
    for (const method of [PIX, BOLETO]) {
      expect(await post({ paymentMethods: [CREDIT, method], maxPayments: 2 })).toMatchObject(refusal);
      for (const maxPayments of [1, -1, null]) {
        const { body } = await post({ paymentMethods: [method], maxPayments });
        expect(body.multiplePayments).toMatchObject({ allow: maxPayments !== null, maxPayments });
      }
    }
    expect((await post({ paymentMethods: [CREDIT], maxPayments: 99_999 })).status).toBe(200);
  });

  test("422: the platform fee takes all of the amount", async () => {
    const other = await withMerchant(await openClient());
    const fees = `/v1/merchants/${other.merchant.id}/platform-fee`;
    await other.client.make("POST", fees, { body: [{ paymentMethod: "pix", fixedAmount: 500 }] });
    await other.client.make("PATCH", `${fees}/enabled`, { body: { enabled: true } });
    const create = (amount: number, paymentMethods: object[]) =>
      other.client.call("POST", "/v1/sessions", { body: newSession(other, { amount, paymentMethods }) });
    expect(await create(500, [CREDIT, PIX])).toMatchObject(rule("platform_fee_exceeds_link_amount"));
    expect((await create(501, [CREDIT, PIX])).status).toBe(200);
    expect((await create(500, [CREDIT])).status).toBe(200);
  });

  test("with one idempotency key makes one session", async () => {
    const idempotencyKey = aKey();
    const body = newSession(shop);
    const make = () => shop.client.call("POST", "/v1/sessions", { idempotencyKey, body });
    const [first, again] = [await make(), await make()];
    expect(again.text).toBe(first.text);
  });

  test("a copy has the same order and a key, a link and a history of its own", async () => {
    const original = await openSession(shop, { orderId: "copy-me", maxPayments: -1 });
    await chargeByCard(shop, original.id);
    const ctx = await shop.client.context();
    const copy = await inTransaction(ctx, (inside) => duplicateSession(inside, original.id));
    expect(copy).toMatchObject({ orderId: "copy-me", amount: 10_500, status: "created", paymentCount: 0 });
    expect([copy.id, copy.publicKey]).not.toContain(original.publicKey);
  });
});

const item = (unitPrice: number, quantity: number) => ({ name: "Coisa", unitPrice, quantity });

describe("listing sessions", () => {
  test("by every filter, newest first whatever order is asked, with the state of their payments", async () => {
    const other = await withMerchant(await openClient());
    const { client } = other;
    const open = (changes: object = {}) => openSession(other, { paymentMethods: [CREDIT], ...changes });
    const [a, b, c, d] = [
      await open({ orderId: "Pedido-1001" }),
      await open({ maxPayments: 2 }),
      await open(),
      await open({ dueDate: addDays(today(), 3) }),
    ];
    await chargeByCard(other, a.id);
    await client.make("POST", `/v1/sessions/${b.id}/cancel`);
    await client.make("PATCH", `/v1/sessions/${c.id}`, { body: { isActive: false } });
    const ids = async (query: Record<string, string> = {}) =>
      (await client.make<List>("GET", "/v1/sessions", { query })).items.map(({ id }) => id);
    expect(await ids()).toEqual([d.id, c.id, b.id, a.id]);
    expect(await ids({ order: "asc" })).toEqual([d.id, c.id, b.id, a.id]);
    expect(await ids({ status: "paid, canceled" })).toEqual([b.id, a.id]);
    expect(await ids({ isActive: "true" })).toEqual([d.id]);
    expect(await ids({ isActive: "true,false" })).toHaveLength(4);
    expect(await ids({ id: c.id })).toEqual([c.id]);
    expect(await ids({ merchantId: other.merchant.id })).toHaveLength(4);
    expect(await ids({ merchantId: aKey() })).toEqual([]);
    expect(await ids({ orderId: " Pedido-1001 " })).toEqual([a.id]);
    expect(await ids({ orderId: "edido-%" })).toEqual([]);
    expect(await ids({ "multiplePayments.status": "active" })).toEqual([d.id]);
    expect(await ids({ "multiplePayments.status": "disabled" })).toEqual([c.id, a.id]);
    expect(await ids({ "multiplePayments.status": "canceled,active" })).toEqual([d.id, b.id]);
    const at = String((await readSession(other, b.id)).createdAt);
    expect(await ids({ "created.gt": at })).toEqual([d.id, c.id]);
    expect(await ids({ "created.lt": at })).toEqual([a.id]);
    expect(await client.call("GET", "/v1/sessions", { query: { limit: 3, page: 2 } })).toMatchObject({
      body: { items: [{ id: a.id, multiplePayments: { status: "disabled" } }], meta: { totalItems: 4, totalPages: 2 } },
    });
    const wrong: Record<string, string>[] = [
      { orderId: " x " },
      { status: "open" },
      { isActive: "yes" },
      { id: "x" },
      { "created.gt": "x" },
    ];
    for (const query of [...wrong, { "multiplePayments.status": "paid" }])
      expect(await client.call("GET", "/v1/sessions", { query })).toMatchObject(invalid);
  });

  test("shows a public key the sessions it created", async () => {
    const key = await shop.client.publicKey("sessions");
    const { body } = await shop.client.call("POST", "/v1/sessions", { key, body: newSession(shop) });
    await openSession(shop);
    const { items } = (await shop.client.call<List>("GET", "/v1/sessions", { key })).body;
    expect(items.map(({ id }) => id)).toEqual([body.id]);
  });
});

describe("changing a session", () => {
  test("pauses and opens again, with an event for the pause alone", async () => {
    const { id } = await openSession(shop);
    expect(await patch(id, { isActive: false })).toMatchObject({
      status: 200,
      text: `{"id":"${id}","isActive":false}`,
    });
    expect(await readSession(shop, id)).toMatchObject({ multiplePayments: { status: "disabled" }, status: "created" });
    await patch(id, { isActive: false });
    expect(await patch(id, { isActive: true, amount: 1 })).toMatchObject({ status: 200, body: { isActive: true } });
    expect(await readSession(shop, id)).toMatchObject({ amount: 10_500, multiplePayments: { status: "active" } });
    expect(await eventsOf(id)).toEqual(["created", "disabled"]);
    expect(await patch(id, {})).toMatchObject(invalid);
  });

  test("moves the due date, from today on, and takes it away; past it, only a new one opens the session", async () => {
    const late = await withMerchant(await openClient());
    const { id } = await openSession(late, { dueDate: addDays(today(), 2) });
    const change = (body: unknown) => late.client.call("PATCH", `/v1/sessions/${id}`, { body });
    expect(await change({ isActive: true, dueDate: addDays(today(), -1) })).toMatchObject(invalid);
    expect((await change({ isActive: true, dueDate: today() })).status).toBe(200);
    await advance(late.client, "P1D");
    expect(await readSession(late, id)).toMatchObject({ status: "created", isActive: false });
    expect(await eventsOf(id, late)).toEqual(["created", "disabled"]);
    expect(await change({ isActive: true })).toMatchObject(rule("session_not_reactivatable"));
    expect((await change({ isActive: true, dueDate: null })).status).toBe(200);
    expect(await readSession(late, id)).toMatchObject({ isActive: true, dueDate: null });
    await advance(late.client, "P30D");
    expect((await chargeByCard(late, id)).body.status).toBe("authorized");
  });

  test("a paid one opens again by raised capacity alone", async () => {
    const once = await openSession(shop, { paymentMethods: [CREDIT] });
    await chargeByCard(shop, once.id);
    expect(await patch(once.id, { isActive: true })).toMatchObject(rule("session_not_reactivatable"));
    expect(await patch(once.id, { isActive: true, maxPayments: 5 })).toMatchObject(rule("max_payments_not_allowed"));
    const two = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 1 });
    await chargeByCard(shop, two.id);
    expect(await patch(two.id, { isActive: true, maxPayments: 1 })).toMatchObject(rule("session_not_reactivatable"));
    expect((await patch(two.id, { isActive: true, maxPayments: 2 })).status).toBe(200);
    expect(await readSession(shop, two.id)).toMatchObject({ status: "created", isActive: true });
    await chargeByCard(shop, two.id);
    expect(await readSession(shop, two.id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 2 } });
    expect(await patch(two.id, { isActive: true, maxPayments: 1 })).toMatchObject(rule("max_payments_below_consumed"));
  });

  test("one with Pix or boleto that was paid never opens again, and never counts to a number", async () => {
    const { id } = await openSession(shop, { maxPayments: 1 });
    expect(await patch(id, { isActive: true, maxPayments: 2 })).toMatchObject(
      rule("pix_boleto_multiple_payments_not_allowed"),
    );
    await chargeByCard(shop, id);
    expect(await patch(id, { isActive: true, maxPayments: -1 })).toMatchObject(
      rule("pix_boleto_one_to_one_reactivation_blocked"),
    );
  });

  test("a capacity lowered to what was paid makes the session paid", async () => {
    const { id } = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: -1 });
    await chargeByCard(shop, id);
    await chargeByCard(shop, id);
    expect(await patch(id, { isActive: true, maxPayments: 1 })).toMatchObject(rule("max_payments_below_consumed"));
    expect((await patch(id, { isActive: true, maxPayments: 2 })).body).toMatchObject({ isActive: false });
    expect(await readSession(shop, id)).toMatchObject({ status: "paid" });
  });
});

describe("canceling a session", () => {
  test("closes its Pix, releases its holds and its held purchase, once and for good", async () => {
    const { id } = await openSession(shop, {
      paymentMethods: [CREDIT, PIX],
      maxPayments: -1,
      capture: false,
      amount: 10_001,
    });
    const [held, pix] = [await chargeByCard(shop, id), await chargeByPix(shop, id)];
    const body = await purchaseOf(shop, { changes: { sessionId: id } });
    const purchase = await shop.client.make("POST", "/v1/purchases", { idempotencyKey: aKey(), body });
    await work(shop.client);
    const idempotencyKey = aKey();
    const cancel = () => shop.client.call("POST", `/v1/sessions/${id}/cancel`, { idempotencyKey });
    const [first, again] = [await cancel(), await cancel()];
    expect(first).toMatchObject({ status: 201, text: `{"id":"${id}","status":"canceled"}` });
    expect(again).toMatchObject({ status: 201, text: first.text });
    const status = async (path: string) => (await shop.client.make("GET", path)).status;
    expect(await status(`/v1/charges/${held.body.id}`)).toBe("voided");
    expect(await status(`/v1/charges/${pix.body.id}`)).toBe("canceled");
    await advance(shop.client, "PT1M");
    expect(await status(`/v1/purchases/${purchase.id}`)).toBe("cancelled");
    expect(await readSession(shop, id)).toMatchObject({
      status: "canceled",
      isActive: false,
      multiplePayments: { pendingCount: 0, status: "canceled" },
    });
    expect(await shop.client.call("POST", `/v1/sessions/${id}/cancel`)).toMatchObject(rule("session_not_cancelable"));
    expect(await patch(id, { isActive: true })).toMatchObject(rule("session_not_reactivatable"));
    expect(await eventsOf(id)).toEqual(["created", "canceled"]);
    expect(await unlikeRows(shop)).toEqual([]);
  });

  test("422: paid", async () => {
    const { id } = await openSession(shop);
    await chargeByCard(shop, id);
    expect(await shop.client.call("POST", `/v1/sessions/${id}/cancel`)).toMatchObject(rule("session_not_cancelable"));
  });
});

const eventsOf = async (objectId: string, { client }: Shop = shop): Promise<string[]> =>
  (
    await client.make<{ items: { event: string }[] }>("GET", "/v1/events", {
      query: { objectId, order: "asc", limit: 100 },
    })
  ).items.map(({ event }) => event);

describe("the history of a session", () => {
  test("keeps who did each: a key of the shop, a person, or nobody", async () => {
    const { id } = await openSession(shop, { paymentMethods: [CREDIT] });
    const ctx = await shop.client.context();
    const operatorId = newId();
    for (const [principal, isActive] of [
      [{ kind: "operator", operatorId }, false],
      [{ kind: "system" }, true],
    ] as const)
      await inTransaction({ ...ctx, principal }, (inside) =>
        updateSession(inside, id, { isActive, maxPayments: undefined }),
      );
    const { items } = await inTransaction(ctx, (inside) => historyOf(inside, id, { page: 1, limit: 20 }));
    expect(items.map(({ actor }) => actor)).toEqual([
      "system",
      `operator:${operatorId}`,
      expect.stringMatching(/^key:[0-9a-f-]{36}$/),
    ]);
  });

  test("tells each change and each payment, newest first, with what the session was after it", async () => {
    const { id } = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 1 });
    await chargeByCard(shop, id, { outcome: "decline:generic" });
    await patch(id, { isActive: false });
    await patch(id, { isActive: true, dueDate: "2035-01-31" });
    await chargeByCard(shop, id);
    const { items, meta } = await shop.client.make<List<{ status: string; actions: string[]; diff: object }>>(
      "GET",
      `/v1/sessions/${id}/history`,
      { query: { limit: 20 } },
    );
    expect(items.map(({ status, actions }) => `${status}: ${actions}`)).toEqual([
      "paid: statusChanged,paymentSucceeded,isActiveChanged,sessionExpiredByMaxPayments",
      "created: paymentPending",
      "created: isActiveChanged,dueDateChanged",
      "disabled: isActiveChanged",
      "created: paymentFailed",
      "created: paymentPending",
      "created: statusChanged",
    ]);
    expect(meta.totalItems).toBe(7);
    expect(items[2]).toMatchObject({
      action: "isActiveChanged",
      merchantId: shop.merchant.id,
      diff: {
        changes: { isActive: { from: false, to: true }, dueDate: { from: null, to: "2035-02-01T02:59:59.999Z" } },
      },
    });
    expect(items[4]?.diff).toEqual({ maxPaymentsContext: { maxPayments: 1, paymentCount: 0, pendingCount: 0 } });
  });
});

describe("the link of a session", () => {
  test("201: the session and the look of its page, in every status", async () => {
    const { id } = await openSession(shop, { statementDescriptor: "LOJA AZUL" });
    const read = () => shop.client.call<{ settings: object }>("GET", `/v1/sessions/${id}/link`);
    expect(await read()).toMatchObject({
      status: 201,
      body: {
        id,
        paymentMethods: [CREDIT, PIX],
        settings: { logo: null, mainColor: null, SecondaryColor: null, merchantId: "", language: "pt_BR" },
      },
    });
    await shop.client.make("POST", `/v1/sessions/${id}/cancel`);
    expect((await read()).status).toBe(201);
  });

  test("has a state for the page in each moment of its life", async () => {
    const stateOf = async (id: string, at = realNow()) =>
      linkStateOf(await inTransaction(await shop.client.context(), (inside) => getSession(inside, id)), at);
    const due = addDays(today(), 1);
    const { id } = await openSession(shop, { dueDate: due });
    expect([await stateOf(id), await stateOf(id, endOfSaoPauloDay(due))]).toEqual(["open", "expired"]);
    await patch(id, { isActive: false });
    expect(await stateOf(id)).toBe("off");
    await patch(id, { isActive: true });
    await chargeByPix(shop, id);
    expect(await stateOf(id)).toBe("in_use");
    const paid = await chargeByCard(shop, id);
    expect(await stateOf(id)).toBe("paid");
    await shop.client.make("POST", `/v1/charges/${paid.body.id}/void`, { body: {} });
    expect(await stateOf(id)).toBe("voided");
    const many = await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 1 });
    await chargeByCard(shop, many.id);
    expect(await stateOf(many.id)).toBe("limit_reached");
  });
});

describe("the database alone", () => {
  test("refuses a move that is not a row of the machine, a place too many, and a change of what was asked", async () => {
    const { id } = await openSession(shop);
    const sql = systemSql();
    const change = (assignment: string) => sql.unsafe(`update sessions set ${assignment} where id = '${id}'`);
    for (const assignment of [
      "status = 'voided'",
      "pending_count = 2",
      "payment_count = 1, pending_count = 1",
      "pending_count = -1",
      "amount = 1",
      "max_payments = 5",
      "public_key = gen_random_uuid()",
    ]) {
      await expect(change(assignment), assignment).rejects.toMatchObject({ code: "23514" });
    }
    await expect(sql`update session_history set status = 'paid' where session_id = ${id}`).rejects.toThrow();
    await expect(sql`delete from sessions where id = ${id}`).rejects.toThrow(/permission denied/);
  });
});
