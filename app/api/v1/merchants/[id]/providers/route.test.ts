import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog, requestLogs } from "@/db/schema/accounts";
import { providers } from "@/db/schema/merchants";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { openCredentials } from "@/lib/payments/credentials";
import { ANTIFRAUD_KINDS, isSimulatedKind, kindRow, PAYMENT_KINDS, type RegistrableKind } from "@/lib/providers/kinds";
import { aKey, newMerchant, newProvider, openClient, openMerchant, type TestClient } from "@/lib/testing/api";

const NOT_FOUND = '{"error":{"type":"entity_not_found","code":404,"message":"merchant not found","details":[]}}';
const KINDS = [...Object.keys(PAYMENT_KINDS), ...Object.keys(ANTIFRAUD_KINDS)] as RegistrableKind[];

/** A text that fits any member of any kind. */
const MEMBER = "abcd";
const requiredOptions = (kind: RegistrableKind) =>
  kind === "BARTE" ? { options: { type: "BARTE", paymentMethod: "CREDIT_CARD_EARLY_SELLER" } } : {};

const credentialsOf = (kind: RegistrableKind, environment?: "test"): Record<string, string> => ({
  type: kind,
  ...Object.fromEntries(
    Object.entries(kindRow(kind).credentials)
      .filter(([, field]) => field.required)
      .map(([name, field]) => [name, field.forms ? `sk_${environment ?? "live"}_a` : MEMBER]),
  ),
  ...(environment ? { environment } : {}),
});

async function inactiveMerchant(client: TestClient): Promise<string> {
  return (await client.make("POST", "/v1/merchants", { body: newMerchant({ status: false }) })).id;
}

const add = (client: TestClient, merchantId: string, changes: Record<string, unknown> = {}, idempotencyKey?: string) =>
  client.call("POST", `/v1/merchants/${merchantId}/providers`, {
    body: newProvider(changes),
    ...(idempotencyKey ? { idempotencyKey } : {}),
  });

const stored = async (merchantId: string) =>
  systemDb().select().from(providers).where(eq(providers.merchantId, merchantId));

describe("POST /v1/merchants/{merchantId}/providers", () => {
  it("201: the provider, with everything it was given but the secrets", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const acquirer = { merchantId: "1234567", bin: [{ brand: "visa", value: "411111" }] };
    const reply = await add(client, id, { name: "B", priority: 7, acquirer, options: { delaySeconds: 0 } });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(String),
      name: "B",
      priority: 7,
      credentials: { type: "SANDBOX", apiKey: "******" },
      options: { type: "SANDBOX", delaySeconds: 0 },
      acquirer,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      deletedAt: null,
      idempotencyKey: null,
      requestId: reply.headers.get("x-request-id"),
    });
    const merchant = await client.call<{ providers: unknown[] }>("GET", `/v1/merchants/${id}`);
    expect(merchant.body.providers).toEqual([expect.objectContaining({ priority: 1 }), reply.body]);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, reply.body.id));
    expect(rows.map(({ action }) => action)).toEqual(["provider.create"]);
  });

  it.each(KINDS)("201: %s on an account of its mode, while the merchant is inactive", async (kind) => {
    const simulated = isSimulatedKind(kind);
    for (const mode of simulated ? (["sandbox"] as const) : (["sandbox", "live"] as const)) {
      const client = await openClient({ mode });
      const id = await inactiveMerchant(client);
      const credentials = credentialsOf(kind, mode === "sandbox" && !simulated ? "test" : undefined);
      const reply = await add(client, id, { credentials, ...requiredOptions(kind) });
      expect(reply.status, reply.text).toBe(201);
      const masked = Object.fromEntries(Object.keys(credentials).map((name) => [name, "******"]));
      expect(reply.body.credentials).toEqual({ ...masked, type: kind });
      const [row] = await stored(id);
      const { type: _, ...members } = credentials;
      expect(openCredentials(reply.body.id, row?.credentials ?? Buffer.alloc(0)).reveal()).toEqual(members);
      expect(row?.routable).toBe(kindRow(kind).adapter !== null);
    }
  });

  it.each(KINDS.filter((kind) => isSimulatedKind(kind)))(
    "422 sandbox_and_live_providers_mixed: %s on a live account stores nothing",
    async (kind) => {
      const client = await openClient({ mode: "live" });
      const id = await inactiveMerchant(client);
      const reply = await add(client, id, { credentials: credentialsOf(kind) });
      expect(reply).toMatchObject({
        status: 422,
        error: {
          type: "invalid_request_error",
          code: 422,
          businessCode: "sandbox_and_live_providers_mixed",
          details: [kind],
        },
      });
      expect(await stored(id)).toEqual([]);
    },
  );

  it.each([
    ["live", "test"],
    ["sandbox", undefined],
  ] as const)("422: on a %s account credentials with environment %s are refused", async (mode, environment) => {
    const client = await openClient({ mode });
    const id = await inactiveMerchant(client);
    const reply = await add(client, id, { credentials: credentialsOf("ADYEN", environment) });
    expect(reply).toMatchObject({ status: 422, error: { businessCode: "sandbox_and_live_providers_mixed" } });
    expect(await stored(id)).toEqual([]);
  });

  it("422 provider_kind_not_available: a kind without a connection, while the merchant takes payments", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const reply = await add(client, id, { credentials: credentialsOf("GETNET", "test") });
    expect(reply.status).toBe(422);
    expect(reply.error).toEqual({
      type: "invalid_request_error",
      code: 422,
      businessCode: "provider_kind_not_available",
      message: "provider kind not available in this installation",
      details: ["GETNET"],
    });
    expect(await stored(id)).toHaveLength(1);
  });

  it.each([
    ["no type", { apiKey: "x" }, "credentials.type: is not a provider kind"],
    ["an unknown type", { type: "VISA" }, "credentials.type: is not a provider kind"],
    ["another letter case", { type: "sandbox" }, "credentials.type: is not a provider kind"],
    ["a name every object has", { type: "constructor" }, "credentials.type: is not a provider kind"],
    [
      "a missing member",
      { type: "CIELO", merchantId: "a", environment: "test" },
      "credentials.merchantKey: is required",
    ],
    ["an unknown member", { type: "SANDBOX", secret: "a" }, "credentials.secret: unknown field"],
    ["an inherited member", { type: "SANDBOX", toString: "a" }, "credentials.toString: unknown field"],
    [
      "an empty member",
      { type: "STRIPE", secretKey: "", environment: "test" },
      "credentials.secretKey: must be a string",
    ],
    ["a number", { type: "SANDBOX", apiKey: 1 }, "credentials.apiKey: must be a string"],
    [
      "another environment",
      { type: "SANDBOX", environment: "production" },
      'credentials.environment: must be "live" or "test"',
    ],
  ])("400 provider_credentials_invalid: %s", async (_, credentials, detail) => {
    const client = await openClient();
    const id = await inactiveMerchant(client);
    const reply = await add(client, id, { credentials });
    expect(reply).toMatchObject({
      status: 400,
      error: {
        type: "invalid_request_error",
        code: 400,
        businessCode: "provider_credentials_invalid",
        details: [detail],
      },
    });
    expect(await stored(id)).toEqual([]);
  });

  it("400: a member named __proto__ is no way into the credentials", async () => {
    const client = await openClient();
    const id = await inactiveMerchant(client);
    const reply = await client.call("POST", `/v1/merchants/${id}/providers`, {
      raw: '{"name":"A","priority":1,"credentials":{"__proto__":{"type":"SANDBOX","apiKey":"x"}}}',
      headers: { "content-type": "application/json" },
    });
    expect(reply).toMatchObject({ status: 400, error: { businessCode: "provider_credentials_invalid" } });
  });

  it.each([
    ["options of another type", { options: { type: "NUPAY" } }, "options.type: must be SANDBOX"],
    ["an unknown option", { options: { color: 1 } }, "options.color: unknown field"],
    [
      "a delay too long",
      { options: { delaySeconds: 61 } },
      "options.delaySeconds: must be an integer between 0 and 60",
    ],
    ["an acquirer without number", { acquirer: { bin: [] } }, "acquirer: needs merchantId or bin"],
    ["an unknown acquirer member", { acquirer: { merchantId: "1", x: 1 } }, "acquirer.x: unknown field"],
    ["an empty name", { name: "" }, "name: "],
    ["a long name", { name: "x".repeat(101) }, "name: "],
    ["priority as text", { priority: "1" }, "priority: "],
    ["priority above the column", { priority: 2 ** 31 }, "priority: "],
    ["no credentials", { credentials: undefined }, "credentials: "],
    ["credentials null", { credentials: null }, "credentials: "],
    ["credentials as list", { credentials: [] }, "credentials: "],
  ])("400: %s", async (_, changes, detail) => {
    const client = await openClient();
    const id = await inactiveMerchant(client);
    const reply = await add(client, id, changes);
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", message: "invalid request" } });
    expect(reply.error?.businessCode).toBeUndefined();
    expect(reply.error?.details[0]).toContain(detail);
    expect(await stored(id)).toEqual([]);
  });

  it("201: anti-fraud options take their synonyms and defaults", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const options = { type: "ANTIFRAUD", captureOnApprove: false, refundOnReprove: false };
    const reply = await add(client, id, { credentials: { type: "SANDBOX_ANTIFRAUD" }, options });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        credentials: { type: "SANDBOX_ANTIFRAUD" },
        options: {
          type: "ANTIFRAUD",
          productType: "SYNC",
          captureOnApproved: false,
          refundOnReproved: false,
          captureOnError: false,
          refundOnError: false,
          runBeforeCharge: false,
        },
      },
    });
  });

  it("400: an asynchronous analyst cannot run before the charge", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const options = { type: "ANTIFRAUD", productType: "ASYNC", runBeforeCharge: true };
    const reply = await add(client, id, { credentials: { type: "SANDBOX_ANTIFRAUD" }, options });
    expect(reply).toMatchObject({
      status: 400,
      error: { details: ["options.runBeforeCharge: cannot be combined with ASYNC"] },
    });
  });

  it("404: a merchant that is unknown, deleted or another client's: the same bytes", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const deleted = await openMerchant(client);
    await client.call("DELETE", `/v1/merchants/${deleted.id}`);
    for (const id of [newId(), deleted.id, (await openMerchant(other)).id]) {
      const reply = await add(client, id);
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
    }
  });

  it("400: a malformed merchant id", async () => {
    expect(await add(await openClient(), "x")).toMatchObject({
      status: 400,
      error: { details: ["merchantId: must be a uuid"] },
    });
  });

  it("403: a public key, even with the scope providers", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const key = await client.publicKey(["providers", "*"]);
    const reply = await client.call("POST", `/v1/merchants/${id}/providers`, { key, body: newProvider() });
    expect(reply.status).toBe(403);
  });

  it("201: fifty simultaneous requests with one key add one provider, and it names the key", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const key = aKey();
    const replies = await Promise.all(Array.from({ length: 50 }, () => add(client, id, { name: "twin" }, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]).toMatchObject({ status: 201, body: { idempotencyKey: key } });
    expect(await stored(id)).toHaveLength(2);
  });

  it("409: the same key for another merchant", async () => {
    const client = await openClient();
    const [one, other] = [await openMerchant(client), await openMerchant(client)];
    const key = aKey();
    await add(client, one.id, {}, key);
    const reply = await add(client, other.id, {}, key);
    expect(reply).toMatchObject({ status: 409, error: { businessCode: "idempotency_key_payload_mismatch" } });
    expect(await stored(other.id)).toHaveLength(1);
  });

  it("the request log shows neither credentials nor keys", async () => {
    const client = await openClient();
    const id = await inactiveMerchant(client);
    const secret = "very-secret-value";
    await add(client, id, { credentials: { type: "SANDBOX", apiKey: secret } });
    await flushRequestLog();
    const rows = await systemDb().select().from(requestLogs).where(eq(requestLogs.clientId, client.clientId));
    const logged = JSON.stringify(rows);
    expect(logged).toContain("/providers");
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(client.apiKey);
  });
});
