import { and, eq, isNotNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { platformFeeRules } from "@/db/schema/merchants";
import { newId } from "@/lib/ids";
import { aKey, openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { Reply } from "@/lib/testing/api-client";

interface Rule {
  id: string;
  paymentMethod: string;
  percentage?: number;
  fixedAmount?: number;
  installment?: number;
}
interface PlatformFee {
  platformFeeEnabled: boolean;
  rules: Rule[];
}

const MERCHANT_NOT_FOUND =
  '{"error":{"type":"entity_not_found","code":404,"message":"merchant not found","details":[]}}';
const credit = (installment: number, percentage = 1) => ({ paymentMethod: "credit", installment, percentage });
const PIX = { paymentMethod: "pix", fixedAmount: 50 };

async function openFees() {
  const client = await openClient();
  const { id } = await openMerchant(client);
  const path = `/v1/merchants/${id}/platform-fee`;
  return {
    client,
    merchantId: id,
    path,
    add: (body: unknown, idempotencyKey?: string): Promise<Reply<Rule[]>> =>
      client.call<Rule[]>("POST", path, { body, ...(idempotencyKey ? { idempotencyKey } : {}) }),
    replace: (body: unknown) => client.call<Rule[]>("PUT", path, { body }),
    read: async () => (await client.call<PlatformFee>("GET", path)).body,
  };
}

async function absentMerchants(client: TestClient): Promise<string[]> {
  const deleted = await openMerchant(client);
  await client.call("DELETE", `/v1/merchants/${deleted.id}`);
  return [newId(), deleted.id, (await openMerchant(await openClient())).id];
}

describe("POST /v1/merchants/{merchantId}/platform-fee", () => {
  it("201: the rules, in the order sent, members without a value left out", async () => {
    const { client, merchantId, add, read } = await openFees();
    const rules = [
      { paymentMethod: "credit", installment: 1, percentage: 3.99, fixedAmount: 30 },
      { paymentMethod: "credit", installment: 12, percentage: 0 },
      { paymentMethod: "boleto", fixedAmount: 0 },
      { paymentMethod: "default", percentage: 100 },
    ];
    const reply = await add(rules);
    expect(reply.status).toBe(201);
    const stamped = { id: expect.any(String), createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(reply.body).toEqual(rules.map((rule) => ({ ...rule, ...stamped })));
    expect((await read()).rules).toHaveLength(4);
    const merchant = await client.call<{ platformFees: Rule[] }>("GET", `/v1/merchants/${merchantId}`);
    expect(merchant.body.platformFees).toEqual((await read()).rules);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, merchantId));
    expect(rows.map(({ action }) => action)).toContain("platform_fee.add");
  });

  it.each([
    [0.01, 1],
    [0.1, 10],
    [1.1, 110],
    [2.3, 230],
    [4.35, 435],
    [8.2, 820],
    [19.99, 1999],
    [33.33, 3333],
    [64.14, 6414],
    [99.99, 9999],
    [100, 10_000],
  ])("201: %s percent is %i basis points, exactly, and comes back as sent", async (percentage, bps) => {
    const { merchantId, add } = await openFees();
    const reply = await add([{ paymentMethod: "pix", percentage }]);
    expect(reply.body[0]?.percentage).toBe(percentage);
    const [row] = await systemDb().select().from(platformFeeRules).where(eq(platformFeeRules.merchantId, merchantId));
    expect(row?.percentageBps).toBe(bps);
  });

  it.each([
    ["no list", PIX],
    ["an empty list", []],
    ["no method", [{ percentage: 1 }]],
    ["an unknown method", [{ paymentMethod: "cash", percentage: 1 }]],
    ["neither percentage nor amount", [{ paymentMethod: "pix" }]],
    ["both null", [{ paymentMethod: "pix", percentage: null, fixedAmount: null }]],
    ["three decimals", [{ paymentMethod: "pix", percentage: 1.999 }]],
    ["an exponent", [{ paymentMethod: "pix", percentage: 1e-7 }]],
    ["a negative percentage", [{ paymentMethod: "pix", percentage: -0.01 }]],
    ["above 100 percent", [{ paymentMethod: "pix", percentage: 100.01 }]],
    ["a percentage as text", [{ paymentMethod: "pix", percentage: "1" }]],
    ["a negative amount", [{ paymentMethod: "pix", fixedAmount: -1 }]],
    ["half a cent", [{ paymentMethod: "pix", fixedAmount: 0.5 }]],
    ["an unsafe amount", [{ paymentMethod: "pix", fixedAmount: 2 ** 53 }]],
    ["credit without instalment", [{ paymentMethod: "credit", percentage: 1 }]],
    ["instalment outside credit", [{ ...PIX, installment: 1 }]],
    ["instalment 0", [credit(0)]],
    ["instalment 25", [credit(25)]],
    ["one good rule and one bad", [PIX, { paymentMethod: "boleto" }]],
  ])("400: %s", async (_, body) => {
    const { add, read } = await openFees();
    const reply = await add(body);
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request", code: 400, message: "invalid request" } });
    expect((await read()).rules).toEqual([]);
  });

  it.each([
    [1, 1],
    [2, 6],
    [7, 12],
    [13, 24],
  ])("409 platform_fee_rule_exists: %i and %i instalments are one band", async (first, last) => {
    const { add, read } = await openFees();
    expect((await add([credit(first)])).status).toBe(201);
    const reply = await add([PIX, credit(last)]);
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "invalid_request_error", code: 409, businessCode: "platform_fee_rule_exists", details: [] },
    });
    expect(await read()).toMatchObject({ rules: [{ paymentMethod: "credit", installment: first }] });
  });

  it("201: the bands are 1, 2 to 6, 7 to 12 and 13 to 24, and the number sent is kept", async () => {
    const { add } = await openFees();
    const reply = await add([1, 6, 7, 13].map((installment) => credit(installment)));
    expect(reply.status).toBe(201);
    expect(reply.body.map(({ installment }) => installment)).toEqual([1, 6, 7, 13]);
  });

  it("409: the same method twice in one request", async () => {
    const { add, read } = await openFees();
    expect((await add([PIX, PIX])).status).toBe(409);
    expect((await add([credit(2), credit(3)])).status).toBe(409);
    expect((await read()).rules).toEqual([]);
  });

  it("201: of ten simultaneous requests without a key one wins, the others meet its rule", async () => {
    const { add, read } = await openFees();
    const replies = await Promise.all(Array.from({ length: 10 }, () => add([PIX])));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect((await read()).rules).toHaveLength(1);
  });

  it("201: fifty simultaneous requests with one key answer the same bytes", async () => {
    const { add, read } = await openFees();
    const key = aKey();
    const replies = await Promise.all(Array.from({ length: 50 }, () => add([PIX], key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect((await read()).rules).toHaveLength(1);
  });
});

describe("GET /v1/merchants/{merchantId}/platform-fee", () => {
  it("200: off and without rules at first, not paged", async () => {
    const { client, path } = await openFees();
    const reply = await client.call("GET", path);
    expect([reply.status, reply.text]).toEqual([200, '{"platformFeeEnabled":false,"rules":[]}']);
  });

  it("200: all seven rules that can exist", async () => {
    const { add, read } = await openFees();
    await add([credit(1), credit(2), credit(7), credit(13), PIX]);
    await add([
      { paymentMethod: "boleto", fixedAmount: 1 },
      { paymentMethod: "default", fixedAmount: 1 },
    ]);
    expect((await read()).rules).toHaveLength(7);
  });
});

describe("PUT /v1/merchants/{merchantId}/platform-fee", () => {
  it("200: the whole set is replaced; older rules stay for the charges that name them", async () => {
    const { merchantId, add, replace, read } = await openFees();
    const [old] = (await add([PIX, credit(1)])).body;
    const reply = await replace([{ paymentMethod: "pix", percentage: 2.5 }]);
    expect(reply).toMatchObject({ status: 200, body: [{ paymentMethod: "pix", percentage: 2.5 }] });
    expect(reply.body[0]).not.toHaveProperty("fixedAmount");
    expect(reply.body[0]?.id).not.toBe(old?.id);
    expect((await read()).rules).toEqual(reply.body);
    const kept = await systemDb()
      .select()
      .from(platformFeeRules)
      .where(and(eq(platformFeeRules.merchantId, merchantId), isNotNull(platformFeeRules.deletedAt)));
    expect(kept.map(({ id }) => id)).toContain(old?.id);
  });

  it("200: an empty set", async () => {
    const { add, replace, read } = await openFees();
    await add([PIX]);
    const reply = await replace([]);
    expect([reply.status, reply.text]).toEqual([200, "[]"]);
    expect((await read()).rules).toEqual([]);
  });

  it("409: two rules for one band, and the set stays as it was", async () => {
    const { add, replace, read } = await openFees();
    await add([PIX]);
    const before = await read();
    expect(await replace([credit(2), credit(6)])).toMatchObject({
      status: 409,
      error: { businessCode: "platform_fee_rule_exists" },
    });
    expect(await read()).toEqual(before);
  });

  it.each([{}, null, [{ paymentMethod: "pix" }]])("400: %j", async (body) => {
    const { add, replace, read } = await openFees();
    await add([PIX]);
    expect((await replace(body)).status).toBe(400);
    expect((await read()).rules).toHaveLength(1);
  });

  it("200: simultaneous replacements leave one whole set, never a mixture", async () => {
    const { replace, read } = await openFees();
    const sets = [1, 2, 3, 4, 5].map((fixedAmount) => [
      { paymentMethod: "pix", fixedAmount },
      { paymentMethod: "boleto", fixedAmount },
    ]);
    const replies = await Promise.all(sets.map((set) => replace(set)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { rules } = await read();
    expect(rules).toHaveLength(2);
    expect(new Set(rules.map(({ fixedAmount }) => fixedAmount)).size).toBe(1);
  });
});

describe.each(["POST", "GET", "PUT"])("%s /v1/merchants/{merchantId}/platform-fee", (method) => {
  const request = method === "GET" ? {} : { body: [PIX] };

  it("404: a merchant that is unknown, deleted or another client's: the same bytes", async () => {
    const client = await openClient();
    for (const id of await absentMerchants(client)) {
      const reply = await client.call(method, `/v1/merchants/${id}/platform-fee`, request);
      expect([reply.status, reply.text]).toEqual([404, MERCHANT_NOT_FOUND]);
    }
  });

  it("403: a public key", async () => {
    const { client, path } = await openFees();
    const key = await client.publicKey(["auth", "*"]);
    expect((await client.call(method, path, { ...request, key })).status).toBe(403);
  });

  it("400: a malformed merchant id", async () => {
    const reply = await (await openClient()).call(method, "/v1/merchants/x/platform-fee", request);
    expect(reply).toMatchObject({ status: 400, error: { details: ["merchantId: must be a uuid"] } });
  });
});
