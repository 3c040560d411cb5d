import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dispatch } from "@/app/api/registry";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { testConnection } from "@/lib/merchants/test-connection";
import { kondutoAntifraud, parseWebhook } from "@/lib/providers/konduto";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { secretOf } from "@/lib/providers/secret";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { newProvider } from "@/lib/testing/api";
import { type KondutoFault, type KondutoMock, startKonduto } from "@/lib/testing/providers/konduto/mock";
import { addSeconds, realNow } from "@/lib/time";

/** From the documentation of its notifications. */
const PUBLISHED = {
  key: "T738D516F09CAB3A2C1EE",
  body: {
    order_id: "ORD1837213",
    timestamp: 1608898332000,
    status: "APPROVED",
    signature: "6c136402b15492ca764f2687d009a4f6ebd44a2c24fabe13dc6183a6da2ceb30",
  },
};
const KEY = PUBLISHED.key;
const before = process.env.PROVIDER_TEST_HOSTS;

let konduto: KondutoMock;
beforeAll(async () => {
  konduto = await startKonduto(KEY);
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ KONDUTO: konduto.url });
});
afterAll(async () => {
  if (before === undefined) delete process.env.PROVIDER_TEST_HOSTS;
  else process.env.PROVIDER_TEST_HOSTS = before;
  await konduto.close();
});

const analysed = (options: Record<string, unknown> = {}, secretKey = KEY): Promise<Shop> =>
  openShop({
    merchant: {
      providers: [
        newProvider(),
        {
          name: "Konduto",
          priority: 2,
          credentials: { type: "KONDUTO", environment: "test", secretKey },
          options: { type: "ANTIFRAUD", ...options },
        },
      ],
    },
  });

const fraudAnalysis = {
  customer: {
    name: "Ana Souza",
    email: "ana@example.com",
    phone: "+5511999990000",
    identity: "52998224725",
    birthdate: "1990-05-01",
    billingAddress: {
      country: "BR",
      state: "SP",
      city: "São Paulo",
      zipCode: "01310100",
      street: "Av. Paulista",
      number: "1",
    },
  },
  cart: { items: [{ name: "Book", sku: "B1", quantity: 2, unitPrice: 4_990 }] },
};
const pay = async (shop: Shop, amount: number, changes: Record<string, unknown> = {}) =>
  (await shop.pay(sandboxPan("approve"), { amount, fraudAnalysis, ...changes })).body;
const FAULTS = ["lost_before", "lost_after", "http_500", "truncated", "another_order", "new_word", "limited"] as const;
const idOf = (chargeId: string): string => `${chargeId.replaceAll("-", "")}1`;
const analysisOf = async (shop: Shop, id: string) =>
  (await shop.charge(id)).transactionRequests.find(({ requestType }) => requestType === "anti_fraud");

describe("Konduto", () => {
  test("approves, declines and reviews, is sent no card number, and is told how it ended", async () => {
    const shop = await analysed();
    const [good, bad, unsure] = [await pay(shop, 10_000), await pay(shop, 10_075), await pay(shop, 10_045)];
    expect([good.status, bad.status, unsure.status]).toEqual(["authorized", "voided", "pre_authorized"]);
    expect(bad.error).toMatchObject({ type: "card_declined", declinedCode: "fraud_suspect" });
    expect((await analysisOf(shop, good.id))?.fraudAnalysis).toEqual({ status: "approved", score: 0.07 });
    const sent = konduto.orders.get(idOf(good.id))?.sent;
    expect(sent).toMatchObject({
      total_amount: 100,
      customer: { tax_id: "52998224725" },
      payment: [{ status: "approved" }],
    });
    expect(JSON.stringify([...konduto.orders])).not.toContain(sandboxPan("approve"));
    await shop.advance("PT1M");
    expect(konduto.updates).toContainEqual({ id: idOf(good.id), status: "approved" });
    // What it declined by itself is no news to it.
    expect(konduto.updates.filter(({ id }) => id === idOf(bad.id))).toEqual([]);
    await shop.make("POST", `/v1/sandbox/charges/${good.id}/chargeback`, { body: {} });
    await shop.advance("PT1M");
    expect(konduto.updates.at(-1)).toEqual({ id: idOf(good.id), status: "fraud" });
  });

  test("is believed about a review when it is asked, which its signed notification brings about", async () => {
    const shop = await analysed({ productType: "ASYNC" });
    const { id, status } = await pay(shop, 10_045);
    expect(status).toBe("pre_authorized");
    konduto.decide(idOf(id), "approved");
    const [analyst] =
      await systemSql()`select id from providers where client_id = ${shop.clientId} and kind = 'KONDUTO'`;
    const tell = async (key: string, said: string) => {
      const body = konduto.notification(idOf(id), said, key, realNow().getTime());
      const url = `http://trilho.test/v1/providers/${analyst?.id}/notifications`;
      return (await dispatch(new Request(url, { method: "POST", body }))).status;
    };
    expect(await tell("T000000000000000000000", "DECLINED")).not.toBe(200);
    expect(await tell(KEY, "DECLINED")).toBe(200);
    await shop.advance("PT1S");
    // The notification said otherwise: the answer counts.
    expect((await shop.charge(id)).status).toBe("authorized");
    expect(await tell(KEY, "MOVED")).toBe(200);
  });

  test("that answers oddly or not at all neither passes nor refuses: asked again, it says what it said, once", async () => {
    const shop = await analysed();
    const odd: [KondutoFault, string][] = [];
    for (const fault of FAULTS) {
      konduto.plan(fault);
      const { id, status } = await pay(shop, 10_000);
      expect(status, fault).toBe("pre_authorized");
      odd.push([fault, id]);
    }
    await shop.advance("PT1M");
    for (const [fault, id] of odd) {
      expect((await shop.charge(id)).status, fault).toBe("authorized");
      expect(
        konduto.analyses.filter((one) => one === idOf(id)),
        fault,
      ).toHaveLength(1);
    }
  });

  test("that never answers has failed after two minutes, as the options say", async () => {
    for (const [options, end] of [
      [{}, "pre_authorized"],
      [{ captureOnError: true }, "authorized"],
      [{ refundOnError: true }, "voided"],
    ] as const) {
      const shop = await analysed(options);
      for (let call = 0; call < 12; call += 1) konduto.plan("http_500");
      const { id } = await pay(shop, 10_000);
      await shop.advance("PT3M");
      expect((await shop.charge(id)).status).toBe(end);
      expect((await analysisOf(shop, id))?.fraudAnalysis).toMatchObject({ status: "failed" });
      konduto.settle();
    }
  });

  test("before the charge: what it declines no acquirer hears of, and what it reviews waits", async () => {
    const shop = await analysed({ runBeforeCharge: true });
    const { id, status } = await pay(shop, 10_075);
    expect(status).toBe("failed");
    expect(await systemSql()`select 1 from sandbox_calls where charge_id = ${id}`).toHaveLength(0);
    expect(konduto.orders.get(idOf(id))?.sent.payment).toMatchObject([{ status: "pending" }]);
    expect((await pay(shop, 10_000)).status).toBe("authorized");
  });

  test("tells by a question whether its key works", async () => {
    for (const [secretKey, answer] of [
      [KEY, { passed: true, words: "not_found" }],
      ["T000000000000000000000", { passed: false, words: "undetermined" }],
    ] as const) {
      const shop = await analysed({}, secretKey);
      const [analyst] = await systemSql()`
        select id from providers where client_id = ${shop.clientId} and kind = 'KONDUTO'`;
      expect(await testConnection(await shop.context(), analyst?.id)).toEqual(answer);
    }
  });

  test("of the options of an approval and a refusal leaves the hold where they say so", async () => {
    const shop = await analysed({ captureOnApproved: false, refundOnReproved: false });
    expect([(await pay(shop, 10_000)).status, (await pay(shop, 10_075)).status]).toEqual([
      "pre_authorized",
      "pre_authorized",
    ]);
  });
});

test("is told no end of an order that never reached it", async () => {
  const asked: string[] = [];
  const analyst = kondutoAntifraud({
    to: () => ({
      send: ({ method }) => {
        asked.push(method);
        return Promise.resolve({ kind: "answered", status: 404, headers: {}, body: { status: "error" } });
      },
      close: () => Promise.resolve(),
    }),
  });
  const at = realNow();
  await analyst.feed?.(
    {
      clientId: newId(),
      providerId: newId(),
      publicUrl: "https://shop.example",
      credentials: secretOf({ secretKey: KEY }),
      host: "test",
      deadline: addSeconds(at, 10),
      signal: AbortSignal.timeout(10_000),
      clock: { now: () => at },
      log: { info() {}, warn() {} },
      reference: `${newId()}-1`,
      chargeId: newId(),
    },
    "authorized",
  );
  expect(asked).toEqual(["GET"]);
});

test("the published notification is signed as the documents say, and one changed is not", () => {
  const parse = (body: object) =>
    parseWebhook(new Headers(), Buffer.from(JSON.stringify(body)), [secretOf({ secretKey: KEY })]).kind;
  // Of an order that is none of ours.
  expect(parse(PUBLISHED.body)).toBe("unknown_event");
  expect(parse({ ...PUBLISHED.body, status: "DECLINED" })).toBe("forged");
  expect(parse({})).toBe("forged");
});
