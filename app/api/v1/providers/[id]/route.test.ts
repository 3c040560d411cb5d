import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { providers } from "@/db/schema/merchants";
import { newId } from "@/lib/ids";
import { openCredentials } from "@/lib/payments/credentials";
import { newProvider, openClient, openMerchant, type TestClient } from "@/lib/testing/api";

const NOT_FOUND = '{"error":{"type":"entity_not_found","code":404,"message":"provider not found","details":[]}}';
const FORBIDDEN = '{"error":{"type":"invalid_request_error","code":403,"message":"forbidden","details":[]}}';

async function openProvider(changes: { client?: TestClient; credentials?: Record<string, unknown> } = {}) {
  const client = changes.client ?? (await openClient());
  const credentials = changes.credentials ?? { type: "SANDBOX", apiKey: "first" };
  const merchant = await openMerchant(client, {
    merchant: { status: false, providers: [newProvider({ credentials })] },
  });
  const id = merchant.providerId;
  return {
    client,
    id,
    merchantId: merchant.id,
    patch: (body: unknown, key?: string) =>
      client.call("PATCH", `/v1/providers/${id}`, { body, ...(key ? { key } : {}) }),
  };
}

async function membersOf(id: string): Promise<Record<string, string>> {
  const [row] = await systemDb().select().from(providers).where(eq(providers.id, id));
  if (!row) throw new Error("no such provider");
  return openCredentials(id, row.credentials).reveal();
}

async function absentIds(client: TestClient): Promise<string[]> {
  const removed = await openProvider({ client });
  await client.call("DELETE", `/v1/providers/${removed.id}`);
  const ofDeleted = await openProvider({ client });
  await client.call("DELETE", `/v1/merchants/${ofDeleted.merchantId}`);
  return [newId(), removed.id, ofDeleted.id, (await openProvider()).id];
}

describe("PATCH /v1/providers/{id}", () => {
  it("200: changes what was sent and nothing else", async () => {
    const { client, id, merchantId, patch } = await openProvider();
    const merchant = await client.call<{ providers: object[] }>("GET", `/v1/merchants/${merchantId}`);
    const reply = await patch({ name: "Renamed", priority: 9, credentials: null, color: "blue" });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...merchant.body.providers[0],
      name: "Renamed",
      priority: 9,
      updatedAt: expect.any(String),
    });
    expect(await membersOf(id)).toEqual({ apiKey: "first" });
  });

  it("200: credentials whole, options and acquirer", async () => {
    const { id, patch } = await openProvider();
    const reply = await patch({
      credentials: { type: "SANDBOX", apiKey: "second" },
      options: { type: "SANDBOX", delaySeconds: 60 },
      acquirer: { bin: [{ merchantId: "9", brand: "visa", value: "4111" }] },
    });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        credentials: { type: "SANDBOX", apiKey: "******" },
        options: { type: "SANDBOX", delaySeconds: 60 },
        acquirer: { bin: [{ merchantId: "9", brand: "visa", value: "4111" }] },
      },
    });
    expect(await membersOf(id)).toEqual({ apiKey: "second" });
  });

  it("200: what an answer shows can be sent back: masked members keep their stored values", async () => {
    const { client, id, merchantId, patch } = await openProvider({
      credentials: { type: "CIELO", merchantId: "m", merchantKey: "k", environment: "test" },
    });
    const merchant = await client.call<{ providers: { credentials: object }[] }>("GET", `/v1/merchants/${merchantId}`);
    const shown = merchant.body.providers[0]?.credentials;
    expect(shown).toEqual({ type: "CIELO", merchantId: "******", merchantKey: "******", environment: "******" });
    expect((await patch({ credentials: shown })).status).toBe(200);
    expect(await membersOf(id)).toEqual({ merchantId: "m", merchantKey: "k", environment: "test" });
    expect((await patch({ credentials: { ...shown, merchantKey: "new" } })).status).toBe(200);
    expect(await membersOf(id)).toEqual({ merchantId: "m", merchantKey: "new", environment: "test" });
  });

  it("200: credentials are replaced whole: a member left out is gone", async () => {
    const { id, patch } = await openProvider();
    const reply = await patch({ credentials: { type: "SANDBOX" } });
    expect(reply).toMatchObject({ status: 200, body: { credentials: { type: "SANDBOX" } } });
    expect(await membersOf(id)).toEqual({});
  });

  it.each([
    ["another type", { type: "STRIPE", secretKey: "x", environment: "test" }, "credentials.type: must stay SANDBOX"],
    ["no type", { apiKey: "x" }, "credentials.type: must stay SANDBOX"],
    ["an unknown member", { type: "SANDBOX", x: "1" }, "credentials.x: unknown field"],
    ["a mask over nothing", { type: "SANDBOX", x: "******" }, "credentials.x: has no stored value to keep"],
  ])("400 provider_credentials_invalid: %s", async (_, credentials, detail) => {
    const { id, patch } = await openProvider();
    expect(await patch({ credentials })).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", businessCode: "provider_credentials_invalid", details: [detail] },
    });
    expect(await membersOf(id)).toEqual({ apiKey: "first" });
  });

  it("422 sandbox_and_live_providers_mixed: test credentials do not become live ones", async () => {
    const { id, patch } = await openProvider({
      credentials: { type: "STRIPE", secretKey: "sk_test_a", environment: "test" },
    });
    const reply = await patch({ credentials: { type: "STRIPE", secretKey: "sk_live_b" } });
    expect(reply).toMatchObject({ status: 422, error: { businessCode: "sandbox_and_live_providers_mixed" } });
    expect(await membersOf(id)).toEqual({ secretKey: "sk_test_a", environment: "test" });
  });

  it.each([
    { name: "" },
    { name: "x".repeat(101) },
    { priority: 0 },
    { priority: "2" },
    { options: { x: 1 } },
    { acquirer: {} },
  ])("400: %j", async (body) => {
    const { patch } = await openProvider();
    expect(await patch(body)).toMatchObject({ status: 400, error: { type: "bad_request" } });
  });

  it("200: a public key with the scope providers changes name and priority", async () => {
    const { client, patch } = await openProvider();
    const key = await client.publicKey("providers");
    expect(await patch({ name: "by a public key", priority: 3 }, key)).toMatchObject({
      status: 200,
      body: { name: "by a public key", priority: 3, credentials: { apiKey: "******" } },
    });
    // Providers are no part of `*`: they decide where the money goes.
    expect((await patch({ name: "by everything" }, await client.publicKey("*"))).status).toBe(403);
  });

  it.each([
    { credentials: { type: "SANDBOX", apiKey: "stolen" } },
    { options: { delaySeconds: 1 } },
    { acquirer: { merchantId: "1" } },
  ])("403: a public key may not change %j, and nothing beside it", async (body) => {
    const { client, id, patch } = await openProvider();
    const key = await client.publicKey("providers");
    const reply = await patch({ name: "changed", ...body }, key);
    expect([reply.status, reply.text]).toEqual([403, FORBIDDEN]);
    const [row] = await systemDb().select().from(providers).where(eq(providers.id, id));
    expect(row?.name).toBe("Simulator");
  });

  it("403: a public key without the scope", async () => {
    const { client, patch } = await openProvider();
    const key = await client.publicKey(["charges", "auth"]);
    expect((await patch({ priority: 2 }, key)).status).toBe(403);
  });

  it("404: unknown, removed, of a deleted merchant, another client's: the same bytes", async () => {
    const client = await openClient();
    for (const id of await absentIds(client)) {
      const reply = await client.call("PATCH", `/v1/providers/${id}`, { body: { priority: 2 } });
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
    }
  });

  it("400: a malformed id", async () => {
    const reply = await (await openClient()).call("PATCH", "/v1/providers/1", { body: { priority: 2 } });
    expect(reply).toMatchObject({ status: 400, error: { details: ["id: must be a uuid"] } });
  });

  it("writes one audit row: which credentials changed, not what they are", async () => {
    const { id, patch } = await openProvider();
    await patch({ priority: 4, credentials: { type: "SANDBOX", apiKey: "changed-secret" } });
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    const [row] = rows.filter(({ action }) => action === "provider.update");
    expect(row).toMatchObject({ before: { priority: 1 }, after: { priority: 4, changedCredentials: ["apiKey"] } });
    expect(JSON.stringify(rows)).not.toContain("changed-secret");
  });

  it("200: simultaneous changes of different members are all kept", async () => {
    const { id, patch } = await openProvider();
    await Promise.all([patch({ name: "raced" }), patch({ priority: 5 }), patch({ options: { delaySeconds: 9 } })]);
    const [row] = await systemDb().select().from(providers).where(eq(providers.id, id));
    expect(row).toMatchObject({ name: "raced", priority: 5, options: { delaySeconds: 9 } });
  });
});

describe("DELETE /v1/providers/{id}", () => {
  it("204: it takes no new payments; its row and credentials stay for its charges", async () => {
    const { client, id, merchantId } = await openProvider();
    const reply = await client.call("DELETE", `/v1/providers/${id}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await client.call("GET", `/v1/merchants/${merchantId}`)).body).toMatchObject({ providers: [] });
    expect(await membersOf(id)).toEqual({ apiKey: "first" });
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(rows.map(({ action }) => action).sort()).toEqual(["provider.create", "provider.delete"]);
  });

  it("404: unknown, removed, of a deleted merchant, another client's: the same bytes", async () => {
    const client = await openClient();
    for (const id of await absentIds(client)) {
      const reply = await client.call("DELETE", `/v1/providers/${id}`);
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
    }
  });

  it("403: a public key, even with the scope providers", async () => {
    const { client, id } = await openProvider();
    const key = await client.publicKey(["providers", "*"]);
    expect((await client.call("DELETE", `/v1/providers/${id}`, { key })).status).toBe(403);
    expect(await membersOf(id)).toEqual({ apiKey: "first" });
  });
});
