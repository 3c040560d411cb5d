import { describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { aKey, openClient } from "@/lib/testing/api";
import type { CallOptions } from "@/lib/testing/api-client";
import { cardData, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { bought, buy, type PurchaseReply, purchaseOf, readPurchase } from "@/lib/testing/purchases";

const openShop = async (): Promise<Shop> => withMerchant(await openClient());
type NewBody = Awaited<ReturnType<typeof purchaseOf>>;

const post = ({ client }: Shop, body: unknown, options: CallOptions = {}) =>
  client.call<PurchaseReply>("POST", "/v1/purchases", { idempotencyKey: aKey(), ...options, body });

/** What the shop has in the database: nothing more than before says a refusal had no effect. */
async function footprint({ client }: Shop): Promise<number[]> {
  const [row] = await systemSql()`
    select (select count(*) from purchases where client_id = ${client.clientId})::int as purchases,
           (select count(*) from purchase_operations where client_id = ${client.clientId})::int as operations,
           (select count(*) from idempotency_keys where client_id = ${client.clientId})::int as keys,
           (select count(*) from events where client_id = ${client.clientId})::int as events,
           (select count(*) from card_tokens where client_id = ${client.clientId} and used_at is not null)::int as used`;
  return Object.values(row ?? {});
}

describe("POST /v1/purchases", () => {
  it("202: the purchase is pending, its operation accepted, and nothing has been charged", async () => {
    const shop = await openShop();
    const body = await purchaseOf(shop, {
      outcomes: ["approve", "decline:generic", "approve"],
      changes: { orderId: "A-1001", metadata: { basket: 7 } },
    });
    const reply = await post(shop, body);
    expect(reply.status, reply.text).toBe(202);
    const card = (last4digits: string) => ({
      brand: "Visa",
      first6digits: "411122",
      last4digits,
      expirationMonth: "12",
      expirationYear: "2031",
      cardHolderName: "Ana Souza",
    });
    expect(reply.body).toEqual({
      id: expect.any(String),
      merchantId: shop.merchant.id,
      amount: 15_003,
      currency: "BRL",
      capture: false,
      status: "pending",
      operation: { id: expect.any(String), type: "authorize", status: "pending" },
      orderId: "A-1001",
      sessionId: null,
      metadata: { basket: 7 },
      payments: body.payments.map(({ amount, paymentSource }, slotIndex) => ({
        slotIndex,
        amount,
        paymentMethod: { paymentType: "credit", installments: 1 },
        status: "pending",
        refundedAmount: 0,
        paymentSource,
        card: card(slotIndex === 1 ? "0009" : "0002"),
      })),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const read = await readPurchase(shop.client, reply.body.id);
    expect(read.operation).toBeUndefined();
    expect(read.activeOperation).toEqual(reply.body.operation);
  });

  it("202: a thousand identical requests make one purchase and get the same bytes", { timeout: 180_000 }, async () => {
    const shop = await openShop();
    const body = await purchaseOf(shop);
    const idempotencyKey = aKey();
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => post(shop, body, { idempotencyKey })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") !== "true")).toHaveLength(1);
    expect((await footprint(shop)).slice(0, 2)).toEqual([1, 1]);
  });

  it("202: a repeat with members in another order is the same request, also after the work is done", {
    timeout: 60_000,
  }, async () => {
    const shop = await openShop();
    const body = await purchaseOf(shop);
    const idempotencyKey = aKey();
    const first = await post(shop, body, { idempotencyKey });
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await post(shop, turned, { idempotencyKey })).text).toBe(first.text);
  });

  it("409: the same key with anything else different has no effect", async () => {
    const shop = await openShop();
    const body = await purchaseOf(shop);
    const idempotencyKey = aKey();
    await post(shop, body, { idempotencyKey });
    const before = await footprint(shop);
    const reply = await post(shop, { ...body, orderId: "other" }, { idempotencyKey });
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "conflict", code: 409, businessCode: "idempotency_key_payload_mismatch" },
    });
    expect(reply.error?.details).toContain("idempotency_key_payload_mismatch");
    expect(await footprint(shop)).toEqual(before);
  });

  it("202: keys of different clients never meet", async () => {
    const [one, other] = [await openShop(), await openShop()];
    const idempotencyKey = aKey();
    const first = await post(one, await purchaseOf(one), { idempotencyKey });
    const second = await post(other, await purchaseOf(other), { idempotencyKey });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.id).not.toBe(first.body.id);
  });

  type Break = (body: NewBody, shop: Shop) => unknown;
  const firstPayment =
    (change: Record<string, unknown>): Break =>
    (body) => ({
      ...body,
      payments: body.payments.map((payment, index) => (index === 0 ? { ...payment, ...change } : payment)),
    });
  const REFUSALS: [story: string, status: number, businessCode: string, breaks: Break][] = [
    ["one card", 422, "invalid_payments_count", (body) => ({ ...body, payments: body.payments.slice(0, 1) })],
    ["no card", 422, "invalid_payments_count", (body) => ({ ...body, payments: [] })],
    [
      "four cards",
      422,
      "invalid_payments_count",
      ({ payments, ...body }) => ({ ...body, payments: [...payments, ...payments] }),
    ],
    ["dollars", 422, "currency_not_brl", (body) => ({ ...body, currency: "USD" })],
    ["no source", 422, "payment_source_required", firstPayment({ paymentSource: undefined })],
    ["a source of nothing", 422, "payment_source_required", firstPayment({ paymentSource: { sourceType: "card" } })],
    ["99 cents on a card", 422, "payment_amount_below_minimum", firstPayment({ amount: 99 })],
    ["199 cents in all", 422, "payment_amount_below_minimum", (body) => ({ ...body, amount: 199 })],
    ["a negative amount", 422, "payment_amount_below_minimum", firstPayment({ amount: -1 })],
    ["a sum that is not the amount", 422, "payments_amount_mismatch", (body) => ({ ...body, amount: body.amount + 1 })],
    ["count before currency", 422, "invalid_payments_count", (body) => ({ ...body, currency: "USD", payments: [] })],
    [
      "currency before source",
      422,
      "currency_not_brl",
      (body, shop) => ({ ...(firstPayment({ paymentSource: null })(body, shop) as NewBody), currency: "USD" }),
    ],
    ["minimum before sum", 422, "payment_amount_below_minimum", firstPayment({ amount: 1 })],
    ["a member nobody knows", 400, "invalid_request", (body) => ({ ...body, coupon: "X" })],
    ["an unknown member of a payment", 400, "invalid_request", firstPayment({ coupon: "X" })],
    ["a merchant that is no uuid", 400, "invalid_request", (body) => ({ ...body, merchantId: "abc" })],
    ["an amount in reais", 400, "invalid_request", (body) => ({ ...body, amount: 100.5 })],
    ["debit", 400, "invalid_request", firstPayment({ paymentMethod: { paymentType: "debit" } })],
    [
      "25 instalments",
      400,
      "invalid_request",
      firstPayment({ paymentMethod: { paymentType: "credit", installments: 25 } }),
    ],
    ["another slotIndex", 400, "invalid_request", firstPayment({ slotIndex: 1 })],
    [
      "51 metadata keys",
      400,
      "invalid_request",
      (body) => ({ ...body, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, 1])) }),
    ],
    ["a short statementDescriptor", 400, "invalid_request", (body) => ({ ...body, statementDescriptor: "ab" })],
    [
      "a seller nobody knows",
      400,
      "invalid_request",
      (body) => ({ ...body, splitRules: [{ sellerId: newId(), percentage: 50, processingFee: true, liable: true }] }),
    ],
    ["a customer nobody knows", 400, "invalid_request", (body) => ({ ...body, customerId: newId() })],
    ["a session that cannot be paid", 409, "purchase_intent_mismatch", (body) => ({ ...body, sessionId: newId() })],
    ["a card", 400, "pan_not_allowed", firstPayment({ paymentSource: { sourceType: "card", card: cardData() } })],
    ["a member named cvv", 400, "pan_not_allowed", (body) => ({ ...body, metadata: { cvv: "" } })],
    [
      "a card number in a text",
      400,
      "pan_not_allowed",
      (body) => ({ ...body, description: "4111 2200-0000 0002".replace("4111 2200-0000 0002", "4111 1111 1111 1111") }),
    ],
  ];
  it.each(REFUSALS)("%s: %i %s, and nothing has happened", async (_, status, businessCode, breaks) => {
    const shop = await openShop();
    const body = await purchaseOf(shop);
    const before = await footprint(shop);
    const reply = await post(shop, breaks(body, shop));
    expect([reply.status, reply.error?.businessCode], reply.text).toEqual([status, businessCode]);
    expect(reply.error?.type).toBe({ 400: "bad_request", 409: "conflict", 422: "validation_error" }[status]);
    if (status !== 400) expect(reply.error?.details).toContain(businessCode);
    expect(reply.text).not.toMatch(/\d{13}/);
    expect(await footprint(shop)).toEqual(before);
  });

  it("400: no key, or one that cannot be stored", async () => {
    const shop = await openShop();
    const body = await purchaseOf(shop);
    for (const options of [{}, { idempotencyKey: "with blank" }]) {
      const reply = await shop.client.call("POST", "/v1/purchases", { ...options, body });
      expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", businessCode: "invalid_request" } });
    }
  });

  it("401 and 403: their own type, no businessCode", async () => {
    const shop = await openShop();
    const key = await shop.client.publicKey("*");
    const options = { idempotencyKey: aKey(), body: {} };
    for (const [status, given] of [
      [401, "wrong"],
      [403, key],
    ] as const) {
      const reply = await shop.client.call("POST", "/v1/purchases", { ...options, key: given });
      expect(reply.status).toBe(status);
      expect(reply.error).toMatchObject({ type: "unauthorized", code: status, details: [] });
      expect(reply.error).not.toHaveProperty("businessCode");
    }
  });

  it("202: a merchant of somebody else is accepted, and every card then fails with its reason", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    for (const merchantId of [other.merchant.id, newId()]) {
      const purchase = await bought(shop, { changes: { merchantId } });
      expect(purchase).toMatchObject({
        status: "failed",
        payments: [
          { status: "failed", declineReason: "merchant_not_owned" },
          { status: "failed", declineReason: "merchant_not_owned" },
        ],
      });
      expect(purchase.payments[0]).not.toHaveProperty("chargeId");
    }
  });

  it("202: a used token fails its card when its turn comes, and what was held is released", async () => {
    const shop = await openShop();
    const tokenId = await openToken(shop.client);
    const body = await purchaseOf(shop);
    const payments = body.payments.map((payment) => ({
      ...payment,
      amount: 5_000,
      paymentSource: { sourceType: "token", tokenId },
    }));
    const purchase = await bought(shop, { changes: { amount: 10_000, payments } });
    expect(purchase.status).toBe("failed");
    expect(purchase.payments.map(({ status, declineReason }) => [status, declineReason])).toEqual([
      ["voided", undefined],
      ["failed", "token_not_usable"],
    ]);
  });

  it("202: a saved card pays, and one that never was fails its slot", async () => {
    const shop = await openShop();
    const { id: cardId } = await shop.client.make("POST", "/v1/cards", {
      body: { tokenId: await openToken(shop.client) },
    });
    const of = (id: string, amount: number) => ({
      amount,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId: id },
    });
    const paid = await bought(shop, {
      capture: true,
      changes: { amount: 4_000, payments: [of(cardId, 1_000), of(cardId, 3_000)] },
    });
    expect(paid.status).toBe("paid");
    expect(paid.payments[0]?.paymentSource).toEqual({ sourceType: "card", cardId });
    const missing = newId();
    const failed = await bought(shop, {
      changes: { amount: 4_000, payments: [of(missing, 1_000), of(cardId, 3_000)] },
    });
    expect(failed.payments.map(({ status, declineReason }) => [status, declineReason])).toEqual([
      ["failed", "card_not_found"],
      ["canceled", undefined],
    ]);
  });

  it("202: the next provider is tried after a decline that allows it, under a reference of its own", async () => {
    const shop = await openShop();
    await shop.client.make("POST", `/v1/merchants/${shop.merchant.id}/providers`, {
      body: { name: "Second", priority: 2, credentials: { type: "SANDBOX", apiKey: "any text" } },
    });
    const purchase = await bought(shop, { capture: true, scenario: "provider=1;outcome=105;slot=0" });
    const charge = await shop.client.make<{
      transactionRequests: { requestType: string; requestStatus: string; idempotencyKey: string }[];
    }>("GET", `/v1/charges/${purchase.payments[0]?.chargeId}`);
    const tried = charge.transactionRequests.filter(({ requestType }) => requestType === "pre_authorization");
    expect(tried.map(({ requestStatus }) => requestStatus)).toEqual(["success", "failed"]);
    expect(new Set(tried.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(purchase.status).toBe("paid");
  });
});

describe("GET /v1/purchases", () => {
  it("200: newest first, counted, without operation, and another client's are not there", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    await buy(other);
    const made = [];
    for (const orderId of ["a", "b", "c"]) made.push((await buy(shop, { changes: { orderId } })).body);
    const page = await shop.client.call<{ items: PurchaseReply[]; meta: unknown }>("GET", "/v1/purchases", {
      query: { limit: 2 },
    });
    expect(page.status).toBe(200);
    expect(page.body.items.map(({ orderId }) => orderId)).toEqual(["c", "b"]);
    expect(page.body.meta).toEqual({ totalItems: 3, itemCount: 2, itemsPerPage: 2, totalPages: 2, currentPage: 1 });
    for (const item of page.body.items) expect(item).not.toHaveProperty("operation");
    expect(page.body.items[0]?.activeOperation).toEqual(made[2]?.operation);
    const ids = async (query: Record<string, string>) =>
      (await shop.client.make<{ items: PurchaseReply[] }>("GET", "/v1/purchases", { query })).items.map(
        ({ orderId }) => orderId,
      );
    expect(await ids({ order: "asc" })).toEqual(["a", "b", "c"]);
    expect(await ids({ order: "sideways" })).toEqual(["c", "b", "a"]);
    expect(await ids({ orderId: "b", status: "pending" })).toEqual(["b"]);
    expect(await ids({ id: made[0]?.id ?? "" })).toEqual(["a"]);
    expect(await ids({ merchantId: shop.merchant.id, status: "paid" })).toEqual([]);
    expect(await ids({ sessionId: newId() })).toEqual([]);
    const at = String(made[1]?.createdAt);
    expect(await ids({ createdAtGte: at, createdAtLte: at })).toEqual(["b"]);
  });

  const REFUSED: [query: Record<string, string>, status: number][] = [
    [{ limit: "101" }, 400],
    [{ limit: "0" }, 400],
    [{ page: "0" }, 400],
    [{ status: "done" }, 400],
    [{ merchantId: "abc" }, 400],
    [{ id: "abc" }, 400],
    [{ sessionId: "abc" }, 400],
    [{ createdAtGte: "yesterday" }, 422],
    [{ createdAtLte: "2026-11-20" }, 422],
    [{ createdAtLte: "2026-02-30T10:00:00Z" }, 422],
  ];
  it.each(REFUSED)("%o: %i invalid_request", async (query, status) => {
    const client = await openClient();
    const reply = await client.call("GET", "/v1/purchases", { query });
    expect([reply.status, reply.error?.businessCode, reply.error?.type]).toEqual([
      status,
      "invalid_request",
      status === 400 ? "bad_request" : "validation_error",
    ]);
  });
});
