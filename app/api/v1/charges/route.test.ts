import { describe, expect, test } from "vitest";
import { parseBoletoLine } from "@/lib/brazil/boleto";
import { parsePixCode } from "@/lib/brazil/pix-brcode";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey, openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import {
  type ChargeReply,
  capture,
  cardData,
  openCustomer,
  openToken,
  payByBoleto,
  payByCard,
  payByPix,
  readCharge,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";

const openShop = async (): Promise<Shop> => withMerchant(await openClient());
const savedCard = async (client: TestClient, outcome?: Parameters<typeof cardData>[0]): Promise<string> =>
  (await client.make("POST", "/v1/cards", { body: { tokenId: await openToken(client, cardData(outcome)) } })).id;

describe("POST /v1/charges", () => {
  test("201: an approved card is held, its card stored, its attempt shown", async () => {
    const shop = await openShop();
    const { status, body } = await payByCard(shop, {
      changes: { paymentMethod: { paymentType: "credit", installments: 3 }, orderId: "A-1001" },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      clientId: shop.client.clientId,
      merchantId: shop.merchant.id,
      status: "pre_authorized",
      amount: 10_500,
      originalAmount: 10_500,
      capturedAmount: 0,
      refundedAmount: 0,
      currency: "BRL",
      capture: false,
      isDispute: false,
      orderId: "A-1001",
      responsibleProviderType: "SANDBOX",
      paymentMethod: { paymentType: "credit", installments: 3 },
      paymentSource: { sourceType: "token" },
      splitRules: [],
    });
    expect(body.error).toBeUndefined();
    expect(body.transactionRequests).toMatchObject([
      { requestType: "pre_authorization", requestStatus: "success", providerId: shop.merchant.providerId },
    ]);
    const card = await shop.client.make("GET", `/v1/cards/${String(body.paymentSource.cardId)}`);
    expect(card).toMatchObject({ status: "active", brand: "Visa", cvvChecked: true });
  });

  test("201: capture true takes the money at once", async () => {
    const shop = await openShop();
    const { body } = await payByCard(shop, { capture: true });
    expect(body).toMatchObject({ status: "authorized", capturedAmount: 10_500 });
    expect(body.transactionRequests.map((attempt) => attempt.requestType)).toEqual(["capture", "pre_authorization"]);
  });

  test("201: a refused card is a valid answer, with both spellings of its code", async () => {
    const shop = await openShop();
    const { status, body } = await payByCard(shop, { outcome: "decline:insufficient_funds" });
    expect(status).toBe(201);
    expect(body.status).toBe("failed");
    expect(body.error).toMatchObject({
      type: "card_declined",
      code: 402,
      declinedCode: "insufficient_funds",
      declined_code: "insufficient_funds",
    });
    expect(body.transactionRequests[0]?.providerError).toMatchObject({
      declinedCode: "insufficient_funds",
      retryable: true,
      networkDeniedReason: "51",
    });
    expect((await readCharge(shop.client, body.id)).error).toBeUndefined();
  });

  test("201: every source pays: saved card, CVV token, one-shot card, customer", async () => {
    const { client, merchant } = await openShop();
    const cardId = await savedCard(client);
    const { tokenId: tokenCvv } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", {
      body: { cvvUpdate: "120" },
    });
    const customerId = await openCustomer(client);
    await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId } });
    const sources = [
      { sourceType: "card", cardId },
      { sourceType: "card", cardId, cardCvv: "120" },
      { sourceType: "card", cardId, tokenCvv },
      { sourceType: "card", card: cardData() },
      { sourceType: "customer", customerId },
    ];
    for (const paymentSource of sources) {
      const { body } = await client.call<ChargeReply>("POST", "/v1/charges", {
        body: { merchantId: merchant.id, amount: 1_000, paymentMethod: { paymentType: "credit" }, paymentSource },
      });
      expect([body.status, body.paymentSource.sourceType]).toEqual(["pre_authorized", paymentSource.sourceType]);
    }
  });

  test("201: debit and voucher follow the card, a voucher is always captured", async () => {
    const shop = await openShop();
    const debit = await payByCard(shop, { changes: { paymentMethod: { paymentType: "debit" } } });
    const voucher = await payByCard(shop, { changes: { paymentMethod: { paymentType: "voucher" } } });
    expect([debit.body.status, voucher.body.status]).toEqual(["pre_authorized", "authorized"]);
  });

  test("201: a Pix waits with a code that any bank reads", async () => {
    const shop = await openShop();
    const { status, body } = await payByPix(shop);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "pending",
      amount: 4_990,
      capturedAmount: 0,
      paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
    });
    const code = parsePixCode(String(body.paymentMethod.qrCodeData));
    expect(code).toBeTruthy();
    expect(body.transactionRequests).toMatchObject([{ requestType: "pending", requestStatus: "success" }]);
    const picture = await shop.client.call("GET", new URL(String(body.paymentMethod.qrCodeImageUrl)).pathname, {
      key: null,
      clientId: null,
    });
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test("201: a boleto waits with a valid line of bank 000", async () => {
    const shop = await openShop();
    const { body } = await payByBoleto(shop);
    expect(body.status).toBe("pending");
    const due = String(body.paymentMethod.expiresDate);
    expect(parseBoletoLine(String(body.paymentMethod.barcodeData), due)).toMatchObject({
      bank: "000",
      amount: 25_000,
      dueOn: due,
    });
    const picture = await shop.client.call("GET", new URL(String(body.paymentMethod.barcodeImageUrl)).pathname, {
      key: null,
      clientId: null,
    });
    expect(picture.status).toBe(200);
  });

  test("201: the next provider is tried after a retryable decline, and only then", async () => {
    const client = await openClient();
    const merchant = await openMerchant(client);
    await client.make("POST", `/v1/merchants/${merchant.id}/providers`, {
      body: { name: "Second", priority: 2, credentials: { type: "SANDBOX", apiKey: "b" } },
    });
    const shop = { client, merchant };
    const saved = await payByCard(shop, { scenario: "provider=1;outcome=decline:generic" });
    expect(saved.body.status).toBe("pre_authorized");
    expect(saved.body.transactionRequests.map((attempt) => attempt.requestStatus)).toEqual(["success", "failed"]);
    const final = await payByCard(shop, { scenario: "provider=1;outcome=decline:lost_card" });
    expect(final.body.status).toBe("failed");
    expect(final.body.transactionRequests).toHaveLength(1);
    const unknown = await payByCard(shop, { scenario: "provider=1;outcome=210" });
    expect(unknown.body.status).toBe("pending");
    expect(unknown.body.transactionRequests).toHaveLength(1);
  });

  test("201: an unknown answer leaves the charge pending, never failed", async () => {
    const shop = await openShop();
    const { body } = await payByCard(shop, { outcome: "timeout_not_found_at_provider" });
    expect(body.status).toBe("pending");
    expect(body.error).toBeUndefined();
  });

  test("201: the same key and body give the same bytes, and one charge", async () => {
    const { client, merchant } = await openShop();
    const body = {
      merchantId: merchant.id,
      amount: 1_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: await openToken(client) },
    };
    const idempotencyKey = aKey();
    const first = await client.call("POST", "/v1/charges", { body, idempotencyKey });
    const again = await client.call("POST", "/v1/charges", { body: { ...body }, idempotencyKey });
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect((await client.make<List>("GET", "/v1/charges")).meta.totalItems).toBe(1);
  });

  test("409: the same key with another body has no effect", async () => {
    const { client, merchant } = await openShop();
    const idempotencyKey = aKey();
    const cardId = await savedCard(client);
    const body = {
      merchantId: merchant.id,
      amount: 1_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId },
    };
    await client.call("POST", "/v1/charges", { body, idempotencyKey });
    const other = await client.call("POST", "/v1/charges", { body: { ...body, amount: 1_001 }, idempotencyKey });
    expect([other.status, other.error?.businessCode]).toEqual([409, "idempotency_key_payload_mismatch"]);
    expect((await client.make<List>("GET", "/v1/charges")).meta.totalItems).toBe(1);
  });

  test("201: a thousand simultaneous twins with one key make one charge and equal bytes", async () => {
    const { client, merchant } = await openShop();
    const cardId = await savedCard(client);
    const body = {
      merchantId: merchant.id,
      amount: 1_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId },
    };
    const idempotencyKey = aKey();
    const send = () => client.call("POST", "/v1/charges", { body, idempotencyKey });
    const replies = await Promise.all(Array.from({ length: 1_000 }, send));
    const settled = await Promise.all(replies.map((reply) => (reply.status === 409 ? send() : reply)));
    expect(
      replies.every((reply) => reply.status === 201 || reply.error?.businessCode === "idempotency_key_in_progress"),
    ).toBe(true);
    expect(new Set(settled.map((reply) => reply.text)).size).toBe(1);
    expect((await client.make<List>("GET", "/v1/charges")).meta.totalItems).toBe(1);
  }, 60_000);

  test("400: a refused request leaves its key and its token usable", async () => {
    const { client, merchant } = await openShop();
    const tokenId = await openToken(client);
    const idempotencyKey = aKey();
    const body = {
      merchantId: merchant.id,
      amount: 1_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId },
    };
    const refused = await client.call("POST", "/v1/charges", {
      body: { ...body, merchantId: "00000000-0000-7000-8000-000000000000" },
      idempotencyKey,
    });
    expect([refused.status, refused.error?.businessCode]).toEqual([400, "merchant_not_found"]);
    expect((await client.call("POST", "/v1/charges", { body, idempotencyKey })).status).toBe(201);
  });

  test("400: a token pays once", async () => {
    const { client, merchant } = await openShop();
    const tokenId = await openToken(client);
    const body = {
      merchantId: merchant.id,
      amount: 1_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId },
    };
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.call("POST", "/v1/charges", { body })));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.error?.businessCode === "token_not_usable")).toHaveLength(9);
  });

  test.each([
    ["amount 0", { amount: 0 }, undefined],
    ["decimal amount", { amount: 10.5 }, undefined],
    ["amount as text", { amount: "100" }, undefined],
    ["amount beyond safe integers", { amount: 9_007_199_254_740_992 }, undefined],
    ["unknown currency", { currency: "XXX" }, undefined],
    ["foreign currency", { currency: "USD" }, "currency_not_supported"],
    ["25 installments", { paymentMethod: { paymentType: "credit", installments: 25 } }, undefined],
    ["debit in installments", { paymentMethod: { paymentType: "debit", installments: 2 } }, undefined],
    ["Pix from a token", { paymentMethod: { paymentType: "pix", expiresIn: 60 } }, undefined],
    ["a descriptor of two letters", { statementDescriptor: "AB" }, undefined],
    ["unknown customer", { customerId: "00000000-0000-7000-8000-000000000000" }, "customer_not_found"],
    [
      "mixed split rules",
      {
        splitRules: [
          { sellerId: aKey(), amount: 1 },
          { sellerId: aKey(), percentage: 1 },
        ],
      },
      "split_rules_mixed",
    ],
    [
      "split above the total",
      {
        splitRules: [
          { sellerId: aKey(), percentage: 60 },
          { sellerId: aKey(), percentage: 60 },
        ],
      },
      "split_total_exceeded",
    ],
    ["unknown seller", { splitRules: [{ sellerId: aKey(), percentage: 60 }] }, "seller_not_found"],
  ])("400: %s", async (_, changes, businessCode) => {
    const shop = await openShop();
    const reply = await payByCard(shop, { changes });
    expect([reply.status, reply.error?.businessCode]).toEqual([400, businessCode]);
  });

  test("400: a card number outside the card is refused and never echoed", async () => {
    const shop = await openShop();
    const pan = sandboxPan("approve", "visa");
    const reply = await payByCard(shop, { changes: { description: `card ${pan}` } });
    expect(reply.status).toBe(400);
    expect(reply.text).not.toContain(pan);
  });

  test("400: a merchant without a provider, or inactive, takes no payment", async () => {
    const client = await openClient();
    const { id } = await client.make("POST", "/v1/merchants", { body: { mcc: "5411" } });
    const reply = await payByCard({ client, merchant: { id, providerId: "" } });
    expect([reply.status, reply.error?.businessCode]).toEqual([400, "provider_not_available"]);
  });
});

describe("GET /v1/charges", () => {
  test("200: each filter finds its own, with an exact total", async () => {
    const shop = await openShop();
    const { client } = shop;
    const held = (await payByCard(shop, { amount: 1_111, changes: { orderId: "A-1" } })).body;
    const failed = (await payByCard(shop, { outcome: "decline:generic" })).body;
    const pix = (await payByPix(shop)).body;
    const captured = (await capture(client, (await payByCard(shop)).body.id)).body;
    const ids = async (query: Record<string, string>) => {
      const { items, meta } = await client.make<List<ChargeReply>>("GET", "/v1/charges", { query });
      expect(meta.totalItems).toBe(items.length);
      return items.map((item) => item.id).sort();
    };
    const sorted = (...charges: ChargeReply[]) => charges.map((charge) => charge.id).sort();
    expect(await ids({})).toEqual(sorted(held, failed, pix, captured));
    expect(await ids({ status: "pre_authorized,authorized" })).toEqual(sorted(held, captured));
    expect(await ids({ id: pix.id })).toEqual(sorted(pix));
    expect(await ids({ merchantId: shop.merchant.id, paymentType: "pix" })).toEqual(sorted(pix));
    expect(await ids({ orderId: "A-1" })).toEqual(sorted(held));
    expect(await ids({ originalAmount: "1111" })).toEqual(sorted(held));
    expect(await ids({ providerType: "SANDBOX", status: "failed" })).toEqual(sorted(failed));
    expect(await ids({ isDispute: "true" })).toEqual([]);
    expect(await ids({ splitRules: "false" })).toEqual(sorted(held, failed, pix, captured));
    expect(await ids({ created: String(held.createdAt) })).toContain(held.id);
    expect(await ids({ "created.gt": String(captured.createdAt) })).toEqual([]);
    expect(await ids({ "created.lt": String(held.createdAt) })).toEqual([]);
    expect(await ids({ customerId: aKey() })).toEqual([]);
  });

  test("200: pages never overlap, from either end, in either order", async () => {
    const shop = await openShop();
    for (let n = 0; n < 7; n++) await payByCard(shop, { amount: 1_000 + n });
    for (const order of ["asc", "DESC", "sideways"]) {
      const amounts: number[] = [];
      for (const page of ["1", "2", "3", "4"]) {
        const { items, meta } = await shop.client.make<List<ChargeReply>>("GET", "/v1/charges", {
          query: { order, page, limit: "2" },
        });
        expect(meta).toEqual({
          totalItems: 7,
          itemCount: items.length,
          itemsPerPage: 2,
          totalPages: 4,
          currentPage: Number(page),
        });
        amounts.push(...items.map((item) => item.amount));
      }
      const rising = [1_000, 1_001, 1_002, 1_003, 1_004, 1_005, 1_006];
      expect(amounts).toEqual(order === "asc" ? rising : rising.toReversed());
    }
    const past = await shop.client.make<List>("GET", "/v1/charges", { query: { page: "9" } });
    expect([past.items, past.meta.totalItems]).toEqual([[], 7]);
  });

  test("200: a public key sees only what it made", async () => {
    const shop = await openShop();
    await payByCard(shop);
    const key = await shop.client.publicKey(["charges", "tokens"]);
    const mine = await payByCard(shop, { key });
    const { items } = (await shop.client.call<List>("GET", "/v1/charges", { key })).body;
    expect(items.map((item) => item.id)).toEqual([mine.body.id]);
  });

  test.each([
    ["status", "paid"],
    ["page", "0"],
    ["limit", "101"],
    ["merchantId", "x"],
    ["created.gt", "yesterday"],
    ["originalAmount", "1.5"],
  ])("400: %s=%s", async (name, value) => {
    const client = await openClient();
    expect((await client.call("GET", "/v1/charges", { query: { [name]: value } })).status).toBe(400);
  });
});
