import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog, clients } from "@/db/schema/accounts";
import { merchants, providers } from "@/db/schema/merchants";
import { inTransaction } from "@/lib/context";
import { openCredentials } from "@/lib/payments/credentials";
import { aKey, newMerchant, newProvider, openClient, openMerchant } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

interface Merchant {
  id: string;
  createdAt: string;
  status: boolean;
  providers: { id: string; name: string; priority: number }[];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const countOf = async (clientId: string) =>
  (await systemDb().select().from(merchants).where(eq(merchants.clientId, clientId))).length;

describe("POST /v1/merchants", () => {
  it("201: a merchant with a provider, its credentials masked", async () => {
    const client = await openClient();
    const idempotencyKey = aKey();
    const reply = await client.call("POST", "/v1/merchants", {
      body: newMerchant({ providers: [newProvider()] }),
      idempotencyKey,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(UUID_V7),
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      clientId: client.clientId,
      mcc: "5411",
      name: "Mercado Central",
      merchantName: "Mercado Central",
      merchantUrl: "https://mercado.example",
      status: true,
      providers: [
        {
          id: expect.stringMatching(UUID_V7),
          name: "Simulator",
          priority: 1,
          credentials: { type: "SANDBOX", apiKey: "******" },
          options: { type: "SANDBOX", delaySeconds: 5 },
          acquirer: null,
          createdAt: expect.stringMatching(INSTANT),
          updatedAt: expect.stringMatching(INSTANT),
          deletedAt: null,
          idempotencyKey,
          requestId: reply.headers.get("x-request-id"),
        },
      ],
      platformFeeEnabled: false,
      faresOnRefund: "mdr",
      payoutRail: "sandbox",
      payoutAccount: null,
      subscriptionMails: expect.objectContaining({ started: true, canceled: true }),
      buyerMayCancel: false,
      platformFees: [],
    });
    expect((await client.call("GET", `/v1/merchants/${reply.body.id}`)).text).toBe(reply.text);
  });

  it("201: mcc is all it needs; null equals absent; unknown members are ignored", async () => {
    const client = await openClient();
    const body = { mcc: "742", name: null, status: null, providers: null, color: "blue", __proto__: { status: false } };
    const reply = await client.call("POST", "/v1/merchants", { body });
    expect(reply).toMatchObject({
      status: 201,
      body: { mcc: "742", name: null, merchantName: null, merchantUrl: null, status: true, providers: [] },
    });
    expect(reply.body).not.toHaveProperty("color");
  });

  it.each([
    ["no mcc", { mcc: undefined }, "mcc: "],
    ["mcc null", { mcc: null }, "mcc: "],
    ["two digits", { mcc: "54" }, "mcc: must have 3 or 4 digits"],
    ["five digits", { mcc: "54110" }, "mcc: must have 3 or 4 digits"],
    ["letters", { mcc: "54a1" }, "mcc: must have 3 or 4 digits"],
    ["mcc as number", { mcc: 5411 }, "mcc: "],
    ["an empty name", { name: "" }, "name: "],
    ["a name too long", { name: "x".repeat(256) }, "name: "],
    ["status as text", { status: "true" }, "status: "],
    ["providers no list", { providers: {} }, "providers: "],
    ["a provider without name", { providers: [newProvider({ name: undefined })] }, "providers.0.name: "],
    ["priority 0", { providers: [newProvider({ priority: 0 })] }, "providers.0.priority: "],
    ["priority 1.5", { providers: [newProvider({ priority: 1.5 })] }, "providers.0.priority: "],
    ["credentials as text", { providers: [newProvider({ credentials: "x" })] }, "providers.0.credentials: "],
  ])("400: %s", async (_, changes, detail) => {
    const client = await openClient();
    const reply = await client.call("POST", "/v1/merchants", { body: newMerchant(changes) });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", code: 400, message: "invalid request" } });
    expect(reply.error?.details.join()).toContain(detail);
    expect(await countOf(client.clientId)).toBe(0);
  });

  it("400: nothing is stored when one of its providers is refused", async () => {
    const client = await openClient();
    const body = newMerchant({ providers: [newProvider(), newProvider({ credentials: { type: "NOBODY" } })] });
    const reply = await client.call("POST", "/v1/merchants", { body, idempotencyKey: aKey() });
    expect(reply).toMatchObject({ status: 400, error: { businessCode: "provider_credentials_invalid" } });
    expect(await countOf(client.clientId)).toBe(0);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.clientId, client.clientId));
    expect(rows.map(({ action }) => action)).toEqual(["account.create"]);
  });

  it("201: providers are listed by priority, equal ones in the order they were sent", async () => {
    const client = await openClient();
    const names = ["d", "a", "c", "b", "z"];
    const body = newMerchant({
      providers: names.map((name) => newProvider({ name, priority: name === "z" ? 1 : 2 })),
    });
    const { providers: listed } = await client.make<Merchant>("POST", "/v1/merchants", { body });
    expect(listed.map(({ name }) => name)).toEqual(["z", "d", "a", "c", "b"]);
  });

  it("credentials are stored encrypted, bound to their row", async () => {
    const client = await openClient();
    const secret = "a secret nobody else may read";
    const { id, providerId } = await openMerchant(client, {
      provider: { credentials: { type: "SANDBOX", apiKey: secret } },
    });
    const other = await openMerchant(client);
    const [row] = await systemDb().select().from(providers).where(eq(providers.merchantId, id));
    const sealed = row?.credentials ?? Buffer.alloc(0);
    expect(sealed.includes(secret)).toBe(false);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(openCredentials(providerId, sealed).reveal()).toEqual({ apiKey: secret });
    expect(() => openCredentials(other.providerId, sealed)).toThrow();
    const audited = await systemDb().select().from(auditLog).where(eq(auditLog.clientId, client.clientId));
    expect(JSON.stringify(audited)).not.toContain(secret);
    expect(audited.map(({ action }) => action)).toContain("provider.create");
  });

  it("201: the same key and body answer the same bytes, and make one merchant", async () => {
    const client = await openClient();
    const request = { body: newMerchant({ providers: [newProvider()] }), idempotencyKey: aKey() };
    const first = await client.call("POST", "/v1/merchants", request);
    const again = await client.call("POST", "/v1/merchants", request);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await countOf(client.clientId)).toBe(1);
  });

  it("409: the same key with another body", async () => {
    const client = await openClient();
    const idempotencyKey = aKey();
    await client.make("POST", "/v1/merchants", { body: newMerchant(), idempotencyKey });
    const reply = await client.call("POST", "/v1/merchants", { body: newMerchant({ mcc: "5812" }), idempotencyKey });
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "invalid_request_error", businessCode: "idempotency_key_payload_mismatch" },
    });
    expect(await countOf(client.clientId)).toBe(1);
  });

  it("201: a refused request leaves its key free", async () => {
    const client = await openClient();
    const idempotencyKey = aKey();
    expect((await client.call("POST", "/v1/merchants", { body: { mcc: "x" }, idempotencyKey })).status).toBe(400);
    expect((await client.call("POST", "/v1/merchants", { body: newMerchant(), idempotencyKey })).status).toBe(201);
  });

  it("201: two clients may use the same key for different things", async () => {
    const [one, other] = [await openClient(), await openClient()];
    const idempotencyKey = aKey();
    const mine = await one.call("POST", "/v1/merchants", { body: newMerchant(), idempotencyKey });
    const theirs = await other.call("POST", "/v1/merchants", { body: newMerchant({ mcc: "5812" }), idempotencyKey });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
  });

  it("201: fifty simultaneous requests with one key make one merchant and one provider", async () => {
    const client = await openClient();
    const request = { body: newMerchant({ providers: [newProvider()] }), idempotencyKey: aKey() };
    const replies = await Promise.all(Array.from({ length: 50 }, () => client.call("POST", "/v1/merchants", request)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(49);
    expect(await countOf(client.clientId)).toBe(1);
    expect(await systemDb().select().from(providers).where(eq(providers.clientId, client.clientId))).toHaveLength(1);
  });

  it.each(["", "with blank", "ç", "x".repeat(256)])("400: the idempotency key %j is malformed", async (given) => {
    const client = await openClient();
    const headers = { "x-idempotency-key": encodeURI(given) === given ? given : Buffer.from(given).toString("latin1") };
    const reply = await client.call("POST", "/v1/merchants", { body: newMerchant(), headers });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request" } });
  });

  it("403: public keys, whatever their scopes", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "*"]);
    expect((await client.call("POST", "/v1/merchants", { key, body: newMerchant() })).status).toBe(403);
    expect((await client.call("GET", "/v1/merchants", { key })).status).toBe(403);
  });

  it("401: a disabled account, even with its own key", async () => {
    const client = await openClient();
    await systemDb().update(clients).set({ status: "disabled" }).where(eq(clients.id, client.clientId));
    expect((await client.call("POST", "/v1/merchants", { body: newMerchant() })).status).toBe(401);
  });
});

describe("GET /v1/merchants", () => {
  it("200: empty at first", async () => {
    const reply = await (await openClient()).call("GET", "/v1/merchants");
    expect(reply).toMatchObject({
      status: 200,
      body: { items: [], meta: { totalItems: 0, itemCount: 0, itemsPerPage: 10, totalPages: 0, currentPage: 1 } },
    });
  });

  it("200: newest first, each with its providers; the other way round when asked, in any letter case", async () => {
    const client = await openClient();
    const made = [];
    for (let n = 0; n < 3; n++) made.push(await openMerchant(client));
    const ids = made.map(({ id }) => id);
    const { body } = await client.call<List<Merchant>>("GET", "/v1/merchants");
    expect(body.items.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(body.items[0]?.providers.map(({ id }) => id)).toEqual([made[2]?.providerId]);
    for (const query of ["order=AsC", "sort=asc"]) {
      const reply = await client.call<List<Merchant>>("GET", `/v1/merchants?${query}`);
      expect(reply.body.items.map(({ id }) => id)).toEqual(ids);
    }
    const other = await client.call<List<Merchant>>("GET", "/v1/merchants", { query: { order: "sideways" } });
    expect(other.body.items.map(({ id }) => id)).toEqual([...ids].reverse());
  });

  it("200: merchants of one instant stay in one order, so pages never overlap", async () => {
    const client = await openClient();
    for (let n = 0; n < 7; n++) await client.make("POST", "/v1/merchants", { body: newMerchant() });
    const at = new Date("2026-01-01T00:00:00Z");
    await systemDb().update(merchants).set({ createdAt: at }).where(eq(merchants.clientId, client.clientId));
    const seen = new Set<string>();
    for (const page of [1, 2, 3, 4]) {
      const { body } = await client.call<List<Merchant>>("GET", "/v1/merchants", { query: { page, limit: 2 } });
      expect(body.meta).toMatchObject({ totalItems: 7, totalPages: 4, currentPage: page, itemsPerPage: 2 });
      for (const { id } of body.items) seen.add(id);
    }
    expect(seen.size).toBe(7);
    const past = await client.call<List>("GET", "/v1/merchants", { query: { page: 5, limit: 2 } });
    expect(past.body).toMatchObject({ items: [], meta: { totalItems: 7, itemCount: 0 } });
  });

  it("200: by status, one or several", async () => {
    const client = await openClient();
    const active = await openMerchant(client);
    const inactive = await openMerchant(client, { merchant: { status: false } });
    const idsBy = async (status: string) =>
      (await client.call<List<Merchant>>("GET", "/v1/merchants", { query: { status } })).body.items.map(({ id }) => id);
    expect(await idsBy("true")).toEqual([active.id]);
    expect(await idsBy("false")).toEqual([inactive.id]);
    expect(await idsBy("true,false")).toEqual([inactive.id, active.id]);
  });

  it("200: without deleted merchants, removed providers and other clients' merchants", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [kept, deleted] = [await openMerchant(client), await openMerchant(client)];
    await openMerchant(other);
    await client.call("DELETE", `/v1/merchants/${deleted.id}`);
    await client.call("DELETE", `/v1/providers/${kept.providerId}`);
    const { body } = await client.call<List<Merchant>>("GET", "/v1/merchants");
    expect(body).toMatchObject({ items: [{ id: kept.id, providers: [] }], meta: { totalItems: 1 } });
  });

  it.each<Record<string, string>>([
    { page: "0" },
    { page: "1e3" },
    { limit: "101" },
    { limit: "-5" },
    { limit: "10 " },
    { status: "active" },
    { status: "" },
  ])("400: %j", async (query) => {
    const reply = await (await openClient()).call("GET", "/v1/merchants", { query });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", message: "invalid request" } });
  });

  it("400: a parameter given twice", async () => {
    const reply = await (await openClient()).call("GET", "/v1/merchants?limit=1&limit=2");
    expect(reply).toMatchObject({ status: 400, error: { details: ["limit: given more than once"] } });
  });

  it("row security alone shows a client its own merchants, and nothing outside a transaction", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const { id } = await openMerchant(client);
    await openMerchant(other);
    const context = await client.context();
    expect(await context.db.select().from(merchants)).toEqual([]);
    const seen = await inTransaction(context, ({ db }) => db.select({ id: merchants.id }).from(merchants));
    expect(seen).toEqual([{ id }]);
    const foreign = await inTransaction(context, ({ db }) =>
      db
        .select()
        .from(providers)
        .where(and(eq(providers.clientId, other.clientId))),
    );
    expect(foreign).toEqual([]);
  });
});
