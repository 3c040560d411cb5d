import { and, eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/accounts";
import { cards, cardTokens } from "@/db/schema/customers";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey, newMerchant, openClient, type TestClient } from "@/lib/testing/api";
import type { Body, List } from "@/lib/testing/api-client";
import { readCvv } from "@/lib/vault/cvv";

const newToken = async (client: TestClient, changes: Record<string, unknown> = {}) => {
  const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", {
    body: {
      cardHolderName: "Ana Souza",
      cardNumber: sandboxPan("approve"),
      cardCvv: "120",
      cardExpirationDate: "12/2039",
      ...changes,
    },
  });
  return tokenId;
};
const save = (client: TestClient, body: unknown, options: { key?: string; idempotencyKey?: string } = {}) =>
  client.call("POST", "/v1/cards", { body, ...options });
const openCard = async (client: TestClient, key?: string): Promise<Body> =>
  (await save(client, { tokenId: await newToken(client) }, key ? { key } : {})).body;
const held = (client: TestClient) => systemDb().$count(cards, eq(cards.clientId, client.clientId));

describe("POST /v1/cards", () => {
  it("201: the whole card, without its number; the CVV is gone", async () => {
    const client = await openClient();
    const tokenId = await newToken(client);
    const reply = await save(client, { tokenId });
    expect(reply.status).toBe(201);
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: client.clientId,
      customerId: null,
      status: "active",
      statusReason: null,
      cardHolderName: "Ana Souza",
      brand: "Visa",
      first6digits: "411122",
      last4digits: "0002",
      expirationMonth: "12",
      expirationYear: "2039",
      cvvChecked: false,
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
      tokens: [],
      transactionRequests: [],
      createdAt: instant,
      updatedAt: instant,
      deletedAt: null,
      deletedReason: null,
    });
    expect(await readCvv(client.clientId, tokenId)).toBeUndefined();
  });

  it("201: one number saved twice is two cards with one fingerprint, and another in every other account", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [one, two, foreign] = [await openCard(client), await openCard(client), await openCard(other)];
    expect(one.id).not.toBe(two.id);
    expect(one.fingerprint).toBe(two.fingerprint);
    expect(one.fingerprint).not.toBe(foreign.fingerprint);
  });

  it("201: with a merchant and cvvCheck false the card stays pending, in both spellings", async () => {
    const client = await openClient();
    const { id: merchantId } = await client.make("POST", "/v1/merchants", { body: newMerchant() });
    const unchecked = { merchantId, cvvCheck: false };
    for (const body of [unchecked, { zeroDollar: unchecked }, { merchantId: null, zeroDollar: unchecked }]) {
      const reply = await save(client, { tokenId: await newToken(client), ...body });
      expect([reply.status, reply.body.status, reply.body.transactionRequests]).toEqual([201, "pending", []]);
    }
  });

  it("201: a public key's merchant is ignored, even one that does not exist", async () => {
    const client = await openClient();
    const key = await client.publicKey("cards");
    const reply = await save(client, { tokenId: await newToken(client), merchantId: newId() }, { key });
    expect([reply.status, reply.body.status, reply.body.cvvChecked]).toEqual([201, "active", false]);
    const [row] = await systemDb().select().from(cards).where(eq(cards.id, reply.body.id));
    expect(row?.createdByKey).toBe(key);
  });

  it("400: a token that was used, is unknown, another client's, too old, or a CVV's, alike", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [used, old] = [await newToken(client), await newToken(client)];
    await save(client, { tokenId: used });
    await systemDb().update(cardTokens).set({ expiresAt: sql`now()` }).where(eq(cardTokens.id, old));
    const { tokenId: cvv } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", {
      body: { cvvUpdate: "120" },
    });
    const unknown = await save(client, { tokenId: newId() });
    expect(unknown.status).toBe(400);
    expect(unknown.error).toEqual({
      type: "invalid_request_error",
      code: 400,
      businessCode: "token_not_usable",
      message: "the token is unknown, used or too old",
      details: [],
    });
    for (const tokenId of [used, old, cvv, await newToken(other)]) {
      expect((await save(client, { tokenId })).text).toBe(unknown.text);
    }
    expect(await held(client)).toBe(1);
  });

  it("400: an unknown merchant uses no token up", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const { id: foreign } = await other.make("POST", "/v1/merchants", { body: newMerchant() });
    const tokenId = await newToken(client);
    const idempotencyKey = aKey();
    for (const merchantId of [newId(), foreign]) {
      const reply = await save(client, { tokenId, merchantId }, { idempotencyKey });
      expect(reply).toMatchObject({ status: 400, error: { businessCode: "merchant_not_found" } });
    }
    expect(await readCvv(client.clientId, tokenId)).toBe("120");
    expect((await save(client, { tokenId }, { idempotencyKey })).status).toBe(201);
  });

  it.each([
    ["no token", {}],
    ["a token that is null", { tokenId: null }],
    ["a malformed token", { tokenId: "x" }],
    ["a malformed merchant", { tokenId: newId(), merchantId: "x" }],
    ["a cvvCheck that is no boolean", { tokenId: newId(), cvvCheck: "false" }],
    ["a nested merchant that is malformed", { tokenId: newId(), zeroDollar: { merchantId: 1 } }],
    ["a card number", { tokenId: newId(), cardNumber: sandboxPan("approve") }],
  ])("400: %s", async (_, body) => {
    const reply = await save(await openClient(), body);
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
  });

  it("201: ten simultaneous requests with one key save one card, with the same bytes", async () => {
    const client = await openClient();
    const body = { tokenId: await newToken(client) };
    const idempotencyKey = aKey();
    const replies = await Promise.all(Array.from({ length: 10 }, () => save(client, body, { idempotencyKey })));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(9);
    expect(await held(client)).toBe(1);
    const other = await save(client, { tokenId: newId() }, { idempotencyKey });
    expect(other.error?.businessCode).toBe("idempotency_key_payload_mismatch");
  });

  it("409, then 201: a first request that died is in progress until its lease ends; then the repeat is told the card", async () => {
    const client = await openClient();
    const body = { tokenId: await newToken(client) };
    const idempotencyKey = aKey();
    const first = await save(client, body, { idempotencyKey });
    const ofKey = and(eq(idempotencyKeys.clientId, client.clientId), eq(idempotencyKeys.key, idempotencyKey));
    const died = (leaseUntil: ReturnType<typeof sql>) =>
      systemDb().update(idempotencyKeys).set({ state: "open", status: null, body: null, leaseUntil }).where(ofKey);
    await died(sql`now() + interval '45 seconds'`);
    const waiting = await save(client, body, { idempotencyKey });
    expect([waiting.status, waiting.error?.businessCode, waiting.headers.get("retry-after")]).toEqual([
      409,
      "idempotency_key_in_progress",
      "10",
    ]);
    await died(sql`now() - interval '1 second'`);
    const late = await save(client, body, { idempotencyKey });
    expect([late.status, late.text]).toEqual([201, first.text]);
    expect(await held(client)).toBe(1);
  });

  it("201 and 400: of twenty that race for one token one gets a card", async () => {
    const client = await openClient();
    const tokenId = await newToken(client);
    const replies = await Promise.all(Array.from({ length: 20 }, () => save(client, { tokenId })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)]);
    expect(await held(client)).toBe(1);
  });

  it("401 and 403: no key, and a key without the scope", async () => {
    const client = await openClient();
    const body = { tokenId: await newToken(client) };
    expect((await client.call("POST", "/v1/cards", { key: null, body })).status).toBe(401);
    const key = await client.publicKey(["customers", "tokens"]);
    expect((await save(client, body, { key })).status).toBe(403);
    expect((await client.call("GET", "/v1/cards", { key })).status).toBe(403);
    expect(await held(client)).toBe(0);
  });
});

describe("GET /v1/cards", () => {
  const list = (client: TestClient, query: Record<string, string> = {}, key?: string) =>
    client.call<List>("GET", "/v1/cards", { query, ...(key ? { key } : {}) });
  const ids = ({ body }: { body: List }) => body.items.map(({ id }) => id);

  it("200: newest first, in pages with exact totals; items have neither customer nor checks", async () => {
    const client = await openClient();
    const all = [await openCard(client), await openCard(client), await openCard(client)].map(({ id }) => id);
    const page = await list(client, { limit: "2" });
    expect(ids(page)).toEqual([all[2], all[1]]);
    expect(page.body.meta).toEqual({ totalItems: 3, itemCount: 2, itemsPerPage: 2, totalPages: 2, currentPage: 1 });
    expect(Object.keys(page.body.items[0] ?? {})).not.toEqual(expect.arrayContaining(["customer"]));
    expect(page.body.items[0]).not.toHaveProperty("transactionRequests");
    expect(ids(await list(client, { order: "asc", page: "2", limit: "2" }))).toEqual([all[2]]);
    expect((await list(client, { page: "3", limit: "2" })).body).toMatchObject({ items: [], meta: { totalItems: 3 } });
  });

  it("200: each filter, alone and together", async () => {
    const client = await openClient();
    const [one, two] = [await openCard(client), await openCard(client)];
    await systemDb().update(cards).set({ status: "failed" }).where(eq(cards.id, two.id));
    const tokenId = await newToken(client, { cardNumber: sandboxPan("approve", "mastercard") });
    const { body: third } = await save(client, { tokenId });
    expect(ids(await list(client, { status: "failed" }))).toEqual([two.id]);
    expect(ids(await list(client, { status: "failed,active" }))).toHaveLength(3);
    expect(ids(await list(client, { fingerprint: String(third.fingerprint) }))).toEqual([third.id]);
    expect(ids(await list(client, { fingerprint: String(one.fingerprint), status: "active" }))).toEqual([one.id]);
    const { id: customerId } = await client.make("POST", "/v1/customers", {
      body: { name: "Ana", email: "ana@cliente.example", phoneNumber: "1", document: { type: "noDocument" } },
    });
    await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: one.id } });
    expect(ids(await list(client, { customerId }))).toEqual([one.id]);
  });

  it.each<[Record<string, string>]>([
    [{ status: "broken" }],
    [{ customerId: "x" }],
    [{ limit: "0" }],
    [{ status: "" }],
  ])("400: %j", async (query) => {
    expect((await list(await openClient(), query)).status).toBe(400);
  });

  it("200: a public key sees what it created; deleted cards and another account's are not listed", async () => {
    const client = await openClient();
    const key = await client.publicKey("cards");
    const [mine, deleted] = [await openCard(client, key), await openCard(client)];
    await client.make("DELETE", `/v1/cards/${deleted.id}`);
    const kept = await openCard(client);
    expect(ids(await list(client, {}, key))).toEqual([mine.id]);
    expect(ids(await list(client))).toEqual([kept.id, mine.id]);
    expect(ids(await list(await openClient()))).toEqual([]);
  });
});
