import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import type { ChargeStatus } from "@/db/schema/charges";
import { merchants, providers } from "@/db/schema/merchants";
import { newId } from "@/lib/ids";
import { newMerchant, newProvider, openClient, openMerchant, type TestClient } from "@/lib/testing/api";

const NOT_FOUND = '{"error":{"type":"entity_not_found","code":404,"message":"merchant not found","details":[]}}';
const GETNET = {
  type: "GETNET",
  clientId: "a",
  clientSecret: "b",
  sellerId: "c",
  environment: "test",
};

/** A charge in a state, without the payment that led there. */
async function openCharge(client: TestClient, merchantId: string, status: ChargeStatus): Promise<void> {
  await systemSql()`
    insert into charges (id, client_id, merchant_id, status, amount, original_amount, currency, capture, payment_type,
                         payment_method, source_type, created_at, updated_at)
    values (${newId()}, ${client.clientId}, ${merchantId}, ${status}, 1000, 1000, 'BRL', false, 'credit', '{}', 'card',
            now(), now())`;
}

/** Ids that do not exist for a client: never made, deleted, another client's. */
async function absentIds(client: TestClient): Promise<string[]> {
  const deleted = await openMerchant(client);
  await client.call("DELETE", `/v1/merchants/${deleted.id}`);
  return [newId(), deleted.id, (await openMerchant(await openClient())).id];
}

const UNFIT_ADDRESSES = [
  "http://loja.example",
  "javascript:alert(1)",
  "//loja.example",
  "https://a:b@loja.example",
  "https://loja",
  "loja.example",
].map((merchantUrl) => ({ merchantUrl }));

describe("GET /v1/merchants/{id}", () => {
  it("200: the merchant, under either base path, in any letter case of its id", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const first = await client.call("GET", `/v1/merchants/${id}`);
    expect(first).toMatchObject({ status: 200, body: { id } });
    for (const path of [`/api/v1/merchants/${id}`, `/v1/merchants/${id.toUpperCase()}`, `/v1/merchants/${id}/`]) {
      expect((await client.call("GET", path)).text).toBe(first.text);
    }
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "404: %s of an unknown, deleted or foreign id: the same bytes",
    async (method) => {
      const client = await openClient();
      for (const id of await absentIds(client)) {
        const reply = await client.call(
          method,
          `/v1/merchants/${id}`,
          method === "PATCH" ? { body: { mcc: "5812" } } : {},
        );
        expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
      }
    },
  );

  it.each(["GET", "PATCH", "DELETE"])("400: %s of a malformed id", async (method) => {
    const reply = await (await openClient()).call(method, "/v1/merchants/42");
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", details: ["id: must be a uuid"] } });
  });

  it.each(["GET", "PATCH", "DELETE"])("403: %s with a public key", async (method) => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const key = await client.publicKey(["auth", "*"]);
    expect((await client.call(method, `/v1/merchants/${id}`, { key })).status).toBe(403);
    expect((await client.call("GET", `/v1/merchants/${id}`)).status).toBe(200);
  });
});

describe("PATCH /v1/merchants/{id}", () => {
  it("200: changes what was sent and nothing else", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const before = (await client.call("GET", `/v1/merchants/${id}`)).body;
    const reply = await client.call("PATCH", `/v1/merchants/${id}`, { body: { name: "Novo nome", mcc: null } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...before, name: "Novo nome", updatedAt: expect.any(String) });
    expect(Date.parse(String(reply.body.updatedAt))).toBeGreaterThan(Date.parse(String(before.updatedAt)));
    expect((await client.call("GET", `/v1/merchants/${id}`)).text).toBe(reply.text);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(rows.find(({ action }) => action === "merchant.update")).toMatchObject({
      before: { name: "Mercado Central" },
      after: { name: "Novo nome" },
    });
  });

  it("200: every member it takes", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const body = { mcc: "742", name: "A", merchantName: "B", merchantUrl: "https://b.example", status: false };
    expect(await client.call("PATCH", `/v1/merchants/${id}`, { body })).toMatchObject({ status: 200, body });
  });

  it("200: an empty body changes nothing that is shown", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const before = (await client.call("GET", `/v1/merchants/${id}`)).body;
    const reply = await client.call("PATCH", `/v1/merchants/${id}`);
    expect(reply.body).toEqual({ ...before, updatedAt: expect.any(String) });
  });

  it("providers, ids and owners are not changed through it", async () => {
    const client = await openClient();
    const { id, providerId } = await openMerchant(client);
    const body = { id: newId(), clientId: newId(), providers: [], platformFeeEnabled: true, deletedAt: "2026-01-01" };
    const reply = await client.call("PATCH", `/v1/merchants/${id}`, { body });
    expect(reply).toMatchObject({
      status: 200,
      body: { id, clientId: client.clientId, providers: [{ id: providerId }], platformFeeEnabled: false },
    });
  });

  it.each([{ mcc: "1" }, { name: 1 }, { status: "x" }, { merchantUrl: "" }, ...UNFIT_ADDRESSES])(
    "400: %j",
    async (body) => {
      const client = await openClient();
      const { id } = await openMerchant(client);
      expect((await client.call("PATCH", `/v1/merchants/${id}`, { body })).status).toBe(400);
    },
  );

  it("422 provider_kind_not_available: activating a merchant that no provider can serve changes nothing", async () => {
    const client = await openClient();
    const { id } = await client.make("POST", "/v1/merchants", {
      body: newMerchant({
        status: false,
        providers: [newProvider({ credentials: GETNET }), newProvider({ name: "second", credentials: GETNET })],
      }),
    });
    const before = await client.call("GET", `/v1/merchants/${id}`);
    const reply = await client.call("PATCH", `/v1/merchants/${id}`, { body: { status: true, name: "Ativo" } });
    expect(reply.status).toBe(422);
    expect(reply.error).toEqual({
      type: "invalid_request_error",
      code: 422,
      businessCode: "provider_kind_not_available",
      message: "provider kind not available in this installation",
      details: ["GETNET"],
    });
    expect((await client.call("GET", `/v1/merchants/${id}`)).text).toBe(before.text);
    const [row] = await systemDb().select().from(providers).where(eq(providers.merchantId, id));
    expect(row).toMatchObject({ routable: false, kind: "GETNET" });
  });

  it("200: a merchant is activated when one of its payment providers can be reached", async () => {
    const client = await openClient();
    const { id } = await client.make("POST", "/v1/merchants", {
      body: newMerchant({ status: false, providers: [newProvider({ credentials: GETNET }), newProvider()] }),
    });
    const reply = await client.call("PATCH", `/v1/merchants/${id}`, { body: { status: true } });
    expect(reply).toMatchObject({ status: 200, body: { status: true } });
  });

  it("422: an analyst alone serves no payment", async () => {
    const client = await openClient();
    const analyst = newProvider({ credentials: { type: "SANDBOX_ANTIFRAUD" } });
    const { id } = await client.make("POST", "/v1/merchants", {
      body: newMerchant({ status: false, providers: [analyst, newProvider({ credentials: GETNET })] }),
    });
    expect((await client.call("PATCH", `/v1/merchants/${id}`, { body: { status: true } })).status).toBe(422);
  });

  it("200: a merchant without payment providers may be active", async () => {
    const client = await openClient();
    const { id } = await client.make("POST", "/v1/merchants", { body: newMerchant({ status: false }) });
    expect((await client.call("PATCH", `/v1/merchants/${id}`, { body: { status: true } })).status).toBe(200);
  });
});

describe("DELETE /v1/merchants/{id}", () => {
  it("204: it is gone, and its providers with it; its rows stay for older objects", async () => {
    const client = await openClient();
    const { id, providerId } = await openMerchant(client);
    const reply = await client.call("DELETE", `/v1/merchants/${id}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await client.call("PATCH", `/v1/providers/${providerId}`, { body: { priority: 2 } })).status).toBe(404);
    const [row] = await systemDb().select().from(merchants).where(eq(merchants.id, id));
    expect(row?.deletedAt).toBeInstanceOf(Date);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(rows.map(({ action }) => action).sort()).toEqual(["merchant.create", "merchant.delete"]);
  });

  it.each(["pending", "pre_authorized"] as const)("409 merchant_in_use: a %s charge", async (status) => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    await openCharge(client, id, status);
    const reply = await client.call("DELETE", `/v1/merchants/${id}`);
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "invalid_request_error", code: 409, businessCode: "merchant_in_use", details: [] },
    });
    expect((await client.call("GET", `/v1/merchants/${id}`)).status).toBe(200);
  });

  it("204: finished charges, and open ones of another merchant, do not hold it", async () => {
    const client = await openClient();
    const [mine, other] = [await openMerchant(client), await openMerchant(client)];
    for (const status of ["authorized", "failed", "voided", "canceled", "charged_back"] as const) {
      await openCharge(client, mine.id, status);
    }
    await openCharge(client, other.id, "pending");
    expect((await client.call("DELETE", `/v1/merchants/${mine.id}`)).status).toBe(204);
  });

  it("204: ten at once delete it once", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.call("DELETE", `/v1/merchants/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it("415: a body that is not JSON", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const reply = await client.call("DELETE", `/v1/merchants/${id}`, {
      raw: "now",
      headers: { "content-type": "text/plain" },
    });
    expect(reply).toMatchObject({ status: 415, error: { type: "bad_request" } });
  });
});
