import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { requestLogs } from "@/db/schema/accounts";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { redact } from "@/lib/http/redact";
import { flushRequestLog } from "@/lib/http/request-log";
import { aKey, newMerchant, newProvider, openClient } from "@/lib/testing/api";

const PAN = "4111111111111111";

describe("redact", () => {
  it("hides secrets, card data and documents wherever they stand, and keeps the rest", () => {
    const hidden = {
      cardNumber: PAN,
      cardCvv: "123",
      credentials: { type: "SANDBOX", apiKey: "x" },
      password: "p",
      token: "t",
      publicKey: "k",
      document: { type: "CPF", number: "00000000191" },
      reportUrl: "https://pay.example/files/payment-batches/1?token=t",
    };
    const shown = { amount: 100, name: "Ana", flags: [true, null], nested: { status: "paid" } };
    const result = redact({ ...shown, list: [{ deep: hidden }] });
    expect(result).toEqual({
      ...shown,
      list: [{ deep: Object.fromEntries(Object.keys(hidden).map((key) => [key, "******"])) }],
    });
  });

  it.each([PAN, `${PAN.slice(0, 4)} ${PAN.slice(4, 8)} ${PAN.slice(8, 12)} ${PAN.slice(12)}`, Number(PAN)])(
    "hides a card number under any name: %s",
    (value) => {
      expect(redact({ orderId: value, list: [value] })).toEqual({ orderId: "******", list: ["******"] });
      expect(redact({ [String(value)]: 1 })).toEqual({ "******": 1 });
    },
  );

  it("hides a text that has a card number within", () => {
    expect(redact({ description: `pay ${PAN} now` })).toEqual({ description: "******" });
  });

  it("keeps nothing below its depth, and null for nothing", () => {
    let value: unknown = "deep";
    for (let n = 0; n < 30; n++) value = { value };
    expect(JSON.stringify(redact(value))).not.toContain("deep");
    expect(redact(undefined)).toBeNull();
  });

  it("keeps text that PostgreSQL cannot hold in a form that it can", () => {
    expect(redact({ "a\u0000": "b\u0000" })).toEqual({ "a\ufffd": "b\ufffd" });
  });
});

describe("the request log", () => {
  const rowsOf = async (clientId: string) => {
    await flushRequestLog();
    return systemDb().select().from(requestLogs).where(eq(requestLogs.clientId, clientId));
  };

  it("keeps one row for each call: who, what, how it ended, without secrets", async () => {
    const client = await openClient();
    const idempotencyKey = aKey();
    const reply = await client.call("POST", "/v1/merchants", {
      body: newMerchant({ providers: [newProvider({ credentials: { type: "SANDBOX", apiKey: "hush" } })] }),
      query: { note: "x" },
      idempotencyKey,
      headers: { [ADDRESS_HEADER]: "203.0.113.9" },
    });
    const [row, ...others] = await rowsOf(client.clientId);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      requestId: reply.headers.get("x-request-id"),
      keyKind: "secret",
      method: "POST",
      path: "/v1/merchants",
      route: "/v1/merchants",
      status: 201,
      ip: "203.0.113.9",
      idempotencyKey,
      replayed: false,
      query: { note: "******" },
      requestBody: { mcc: "5411", providers: [{ name: "Simulator", credentials: "******" }] },
      responseBody: { id: reply.body.id, providers: [{ credentials: "******" }] },
    });
    expect(row?.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(row)).not.toMatch(/hush|sk_sandbox/);
  });

  it("tells a replay from the first answer", async () => {
    const client = await openClient();
    const request = { body: newMerchant(), idempotencyKey: aKey() };
    await client.call("POST", "/v1/merchants", request);
    await client.call("POST", "/v1/merchants", request);
    expect((await rowsOf(client.clientId)).map(({ replayed }) => replayed).sort()).toEqual([false, true]);
  });

  it("keeps refused calls too, and never the card number that had them refused", async () => {
    const client = await openClient();
    const request = { body: newMerchant({ name: `pay ${PAN} now`, [PAN]: 1 }), query: { card: PAN, x: `a ${PAN}` } };
    await client.call("POST", "/v1/merchants", request);
    await client.call("POST", "/v1/merchants", { body: newMerchant(), idempotencyKey: PAN });
    await client.call("GET", `/v1/merchants/${PAN}`);
    await client.call("GET", "/v1/merchants/4111%201111%201111%201111");
    await client.call("GET", "/v1/merchants", { query: { page: "a\u0000b" } });
    await client.call("GET", "/v1/merchants/nobody");
    const rows = await rowsOf(client.clientId);
    expect(rows.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(JSON.stringify(rows).replaceAll("%20", "")).not.toContain(PAN);
  });

  it("keeps nothing of callers nobody knows", async () => {
    const client = await openClient();
    await client.call("GET", "/v1/merchants", { key: "wrong" });
    expect(await rowsOf(client.clientId)).toEqual([]);
  });
});
