import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemDb } from "@/db/client";
import { requestLogs } from "@/db/schema/accounts";
import { knownMembers } from "@/lib/http/known-members";
import { flushRequestLog } from "@/lib/http/request-log";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import { cardData, withMerchant } from "@/lib/testing/payments";

const CVC = "907";
const PAN = "4111111111111111";
/** What integrators of other interfaces call them. */
const NAMES = ["cvc", "cvv2", "securityCode", "security_code", "cvvCode", "csc", "pan", "card_number", "code"];
const wrong = <T>(value: T) => Object.fromEntries(NAMES.map((name) => [name, value]));

describe("members that the schema does not name", () => {
  const schema = z.object({
    name: z
      .string()
      .nullish()
      .transform((given) => given ?? undefined),
    list: z.array(z.union([z.object({ a: z.number() }), z.object({ b: z.string() })])).optional(),
    free: z.record(z.string(), z.unknown()).optional(),
  });

  test("are kept by name, at any depth and in any shape; the others whole", () => {
    const sent = { name: "Ana", cvc: CVC, list: [{ a: 1, b: "x", cvc: CVC }], free: { any: CVC }, more: { deep: CVC } };
    const kept = { name: "Ana", cvc: "******", list: [{ a: 1, b: "x", cvc: "******" }], more: "******" };
    expect(knownMembers(schema, sent)).toEqual({ ...kept, free: { any: CVC } });
    expect(knownMembers(schema, sent, { isFreeHidden: true })).toEqual({ ...kept, free: { any: "******" } });
    expect(
      knownMembers(schema, { name: { cvc: CVC }, list: { cvc: CVC }, free: [CVC] }, { isFreeHidden: true }),
    ).toEqual({
      name: { cvc: "******" },
      list: { cvc: "******" },
      free: "******",
    });
    expect(knownMembers(schema, { list: CVC, free: CVC }, { isFreeHidden: true })).toEqual({
      list: "******",
      free: CVC,
    });
    expect(knownMembers(schema, [CVC])).toBe("******");
    expect(knownMembers(undefined, { cvc: CVC })).toEqual({ cvc: "******" });
    expect(knownMembers(undefined, undefined)).toBeUndefined();
  });
});

describe("of a mistaken request with a card nothing but names is kept", () => {
  let client: TestClient;
  let calls: { path: string; body: object }[];

  beforeAll(async () => {
    client = await openClient();
    const shop = await withMerchant(client);
    const card = { ...cardData(), ...wrong(CVC) };
    const charge = { merchantId: shop.merchant.id, amount: 100, ...wrong(CVC) };
    calls = [
      { path: "/v1/tokens", body: card },
      { path: "/v1/tokens", body: { ...cardData(), ...wrong(PAN) } },
      { path: "/v1/tokens", body: { ...cardData(), cardNumber: { value: PAN, ...wrong(CVC) } } },
      { path: "/v1/charges", body: { ...charge, paymentSource: { sourceType: "card", card, ...wrong(CVC) } } },
      {
        path: "/v1/charges",
        body: { ...charge, metadata: wrong(CVC), paymentMethod: { paymentType: "credit", ...wrong(CVC) } },
      },
      { path: "/v1/charges", body: { ...charge, paymentSource: [wrong(CVC)], customer: wrong(CVC) } },
      { path: `/v1/sessions/${aKey()}/charge`, body: { ...charge, paymentSource: { sourceType: "card", card } } },
      { path: "/v1/cards", body: wrong(CVC) },
      { path: "/v1/purchases", body: { ...wrong(CVC), payments: [wrong(CVC)] } },
    ];
  });

  test("in the request log, its export, and the errors", async () => {
    for (const { path, body } of calls) {
      const answer = await client.call("POST", path, { body, query: wrong(CVC), idempotencyKey: aKey() });
      expect(answer.text, path).not.toMatch(new RegExp(`${CVC}|${PAN}`));
    }
    await flushRequestLog();
    const rows = await systemDb().select().from(requestLogs).where(eq(requestLogs.clientId, client.clientId));
    const kept = rows.filter(({ path }) => calls.some((call) => call.path === path));
    expect(kept).toHaveLength(calls.length);
    for (const { path, query, requestBody } of kept) {
      const text = JSON.stringify({ query, requestBody });
      expect(text, path).not.toMatch(new RegExp(`"${CVC}"|${PAN}`));
      for (const name of NAMES) expect(text, `${path} ${name}`).toContain(`"${name}"`);
    }
    const exported = await client.call("GET", "/v1/logs", { query: { limit: "50" } });
    expect(exported.text).not.toMatch(new RegExp(`"${CVC}"|${PAN}`));
  });
});
