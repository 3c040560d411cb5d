import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog, publicKeys } from "@/db/schema/accounts";
import { newId } from "@/lib/ids";
import { aKey, openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TEN_YEARS_SECONDS = 315_360_000;

interface PublicKey {
  publicKey: string;
  scope: string[];
  expires: number;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

describe("POST /v1/auth", () => {
  it("201: a key with the scopes asked for", async () => {
    const client = await openClient();
    const reply = await client.call("POST", "/v1/auth", { body: { scope: ["tokens", "cards"], expires: 3600 } });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      clientId: client.clientId,
      publicKey: expect.stringMatching(UUID_V4),
      scope: ["tokens", "cards"],
      expires: 3600,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it.each([
    ["one scope as text", { scope: "charges" }, ["charges"], 0],
    ["all a browser needs", { scope: "*" }, ["*"], 0],
    ["duplicates removed", { scope: ["cards", "tokens", "cards"] }, ["cards", "tokens"], 0],
    ["null equals the default", { scope: ["cards"], expires: null }, ["cards"], 0],
    ["the longest life", { scope: ["cards"], expires: TEN_YEARS_SECONDS }, ["cards"], TEN_YEARS_SECONDS],
    ["unknown members ignored", { scope: ["cards"], color: "blue" }, ["cards"], 0],
  ])("201: %s", async (_, body, scope, expires) => {
    const reply = await (await openClient()).call("POST", "/v1/auth", { body });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ scope, expires });
  });

  it.each([
    ["no scope", {}],
    ["scope null", { scope: null }],
    ["an empty list", { scope: [] }],
    ["an unknown scope", { scope: ["cards", "money"] }],
    ["an unknown scope as text", { scope: "money" }],
    ["another letter case", { scope: ["Cards"] }],
    ["a number", { scope: 7 }],
    ["a negative life", { scope: ["cards"], expires: -1 }],
    ["a life above ten years", { scope: ["cards"], expires: TEN_YEARS_SECONDS + 1 }],
    ["half a second", { scope: ["cards"], expires: 0.5 }],
    ["a life as text", { scope: ["cards"], expires: "60" }],
    ["a list as body", ["cards"]],
  ])("400: %s", async (_, body) => {
    const client = await openClient();
    const reply = await client.call("POST", "/v1/auth", { body });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", code: 400, message: "invalid request" } });
    expect(reply.error?.details.length).toBeGreaterThan(0);
    expect((await client.call<List>("GET", "/v1/auth")).body.meta.totalItems).toBe(0);
  });

  it("201: a public key with the scope auth hands on what it has", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "cards"]);
    const reply = await client.call("POST", "/v1/auth", { key, body: { scope: ["cards", "auth"] } });
    expect(reply).toMatchObject({ status: 201, body: { scope: ["cards", "auth"] } });
  });

  it("201: a key with auth and * hands on what a buyer's browser needs, and nothing else", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "*"]);
    for (const scope of [["charges", "auth"], ["*"], ["subscriptions"]]) {
      expect((await client.call("POST", "/v1/auth", { key, body: { scope } })).status).toBe(201);
    }
    for (const scope of ["webhooks", "providers", "reports", "flows", "sellers"]) {
      const reply = await client.call("POST", "/v1/auth", { key, body: { scope } });
      expect(reply).toMatchObject({ status: 400, error: { businessCode: "scope_not_allowed", details: [scope] } });
    }
  });

  it.each([
    [["auth", "cards"], { scope: ["cards", "charges"] }, ["charges"]],
    [["auth", "cards"], { scope: "*" }, ["*"]],
  ])("400 scope_not_allowed: a key with %j may not ask %j", async (held, body, details) => {
    const client = await openClient();
    const key = await client.publicKey(held);
    const reply = await client.call("POST", "/v1/auth", { key, body });
    expect(reply).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", code: 400, businessCode: "scope_not_allowed", details },
    });
  });

  it("400 scope_not_allowed: a key may not outlive the one that made it", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "cards"], 3600);
    for (const expires of [0, 7200]) {
      const reply = await client.call("POST", "/v1/auth", { key, body: { scope: "cards", expires } });
      expect(reply).toMatchObject({ status: 400, error: { businessCode: "scope_not_allowed", details: ["expires"] } });
    }
    expect((await client.call("POST", "/v1/auth", { key, body: { scope: "cards", expires: 60 } })).status).toBe(201);
  });

  it("403: a key without the scope auth, whatever else it has", async () => {
    const client = await openClient();
    for (const scope of ["cards", "*"]) {
      const key = await client.publicKey(scope);
      const reply = await client.call("POST", "/v1/auth", { key, body: { scope: "cards" } });
      expect(reply.status).toBe(403);
      expect(reply.text).toBe(
        '{"error":{"type":"invalid_request_error","code":403,"message":"forbidden","details":[]}}',
      );
    }
  });

  it("201: the same key and body answer the same bytes again", async () => {
    const client = await openClient();
    const request = { body: { scope: ["cards"], expires: 60 }, idempotencyKey: aKey() };
    const first = await client.call("POST", "/v1/auth", request);
    const again = await client.call("POST", "/v1/auth", { ...request, body: { expires: 60, scope: ["cards"] } });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect((await client.call<List>("GET", "/v1/auth")).body.meta.totalItems).toBe(1);
  });

  it("409: the same key with another body makes nothing", async () => {
    const client = await openClient();
    const idempotencyKey = aKey();
    await client.call("POST", "/v1/auth", { body: { scope: "cards" }, idempotencyKey });
    const reply = await client.call("POST", "/v1/auth", { body: { scope: "tokens" }, idempotencyKey });
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "invalid_request_error", code: 409, businessCode: "idempotency_key_payload_mismatch" },
    });
    expect((await client.call<List>("GET", "/v1/auth")).body.meta.totalItems).toBe(1);
  });

  it("201: fifty simultaneous requests with one key create one public key", async () => {
    const client = await openClient();
    const request = { body: { scope: "cards" }, idempotencyKey: aKey() };
    const replies = await Promise.all(Array.from({ length: 50 }, () => client.call("POST", "/v1/auth", request)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect((await client.call<List>("GET", "/v1/auth")).body.meta.totalItems).toBe(1);
  });

  it("401: without credentials, with a wrong key, with another client's key: the same answer", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const replies = await Promise.all([
      client.call("POST", "/v1/auth", { key: null }),
      client.call("POST", "/v1/auth", { clientId: null }),
      client.call("POST", "/v1/auth", { key: "sk_sandbox_wrong" }),
      client.call("POST", "/v1/auth", { key: other.apiKey }),
      client.call("POST", "/v1/auth", { clientId: newId() }),
      client.call("POST", "/v1/auth", { clientId: "not-a-uuid" }),
    ]);
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['401 {"error":{"type":"invalid_request_error","code":401,"message":"unauthorized","details":[]}}']),
    );
  });

  it("writes one audit row with the new key", async () => {
    const client = await openClient();
    const publicKey = await client.publicKey("cards");
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, publicKey));
    expect(rows).toMatchObject([{ action: "public_key.create", actor: expect.stringMatching(/^key:/) }]);
  });
});

describe("GET /v1/auth", () => {
  it("200: the keys that work now, newest first", async () => {
    const client = await openClient();
    const keys = [];
    for (const scope of ["cards", "tokens", "charges"]) keys.push(await client.publicKey(scope, 60));
    const reply = await client.call<List<PublicKey>>("GET", "/v1/auth");
    expect(reply.status).toBe(200);
    expect(reply.body.items.map(({ publicKey }) => publicKey)).toEqual([...keys].reverse());
    expect(reply.body.meta).toEqual({ totalItems: 3, itemCount: 3, itemsPerPage: 10, totalPages: 1, currentPage: 1 });
    expect(reply.body.items[0]).toEqual({
      publicKey: keys[2],
      scope: ["charges"],
      expires: 60,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
      reportsPersonal: false,
    });
    const [first] = reply.body.items;
    expect(Date.parse(first?.expiresAt ?? "") - Date.parse(first?.createdAt ?? "")).toBe(60_000);
  });

  it("200: pages do not overlap, and one past the end is empty with the true total", async () => {
    const client = await openClient();
    const keys = [];
    for (let n = 0; n < 5; n++) keys.push(await client.publicKey("cards"));
    const seen = [];
    for (const page of [1, 2, 3]) {
      const { body } = await client.call<List<PublicKey>>("GET", "/v1/auth", {
        query: { page, limit: 2, sort: "ASC" },
      });
      seen.push(...body.items.map(({ publicKey }) => publicKey));
    }
    expect(seen).toEqual(keys);
    const past = await client.call<List>("GET", "/v1/auth", { query: { page: 9, limit: 2 } });
    expect(past.body).toEqual({
      items: [],
      meta: { totalItems: 5, itemCount: 0, itemsPerPage: 2, totalPages: 3, currentPage: 9 },
    });
  });

  it.each<Record<string, string | number>>([
    { page: 0 },
    { page: -1 },
    { page: "x" },
    { page: 1.5 },
    { limit: 0 },
    { limit: 101 },
    { limit: "" },
  ])("400: %j", async (query) => {
    const reply = await (await openClient()).call("GET", "/v1/auth", { query });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request" } });
  });

  it("200: without expired, revoked or session keys, and without those of other clients", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [kept, expired, revoked, ofSession] = await Promise.all([1, 2, 3, 4].map(() => client.publicKey("cards")));
    await other.publicKey("cards");
    const past = sql`now() - interval '1 second'`;
    const set = (changes: object, key = "") =>
      systemDb().update(publicKeys).set(changes).where(eq(publicKeys.publicKey, key));
    await set({ expiresAt: past }, expired);
    await set({ revokedAt: past }, revoked);
    await set({ sessionId: newId() }, ofSession);
    const { body } = await client.call<List<PublicKey>>("GET", "/v1/auth");
    expect(body.items.map(({ publicKey }) => publicKey)).toEqual([kept]);
    expect(body.meta.totalItems).toBe(1);
  });

  it("200: shows when a key was last used", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth"]);
    await client.call("POST", "/v1/auth", { key, body: { scope: "auth" } });
    const { body } = await client.call<List<PublicKey>>("GET", "/v1/auth", { query: { order: "asc" } });
    expect(Date.now() - Date.parse(body.items[0]?.lastUsedAt ?? "")).toBeLessThan(60_000);
  });

  it("403: a public key, whatever its scopes", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "*"]);
    expect((await client.call("GET", "/v1/auth", { key })).status).toBe(403);
  });
});
