import { describe, expect, test } from "vitest";
import { openClient, openMerchant } from "@/lib/testing/api";
import type { Body, List } from "@/lib/testing/api-client";

const PATH = "/v1/sandbox/scenarios";
const NOBODY = "0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01";

describe("POST /v1/sandbox/scenarios", () => {
  test("201: stored for an object of the account, with what is left of it", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const reply = await client.call("POST", PATH, {
      body: { target: { merchantId: id }, scenario: "outcome=106;times=2" },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(String),
      target: { merchantId: id },
      scenario: "outcome=106;times=2",
      remaining: 2,
      createdAt: expect.any(String),
    });
    const always = await client.make<Body>("POST", PATH, {
      body: { target: { merchantId: id }, scenario: "outcome=105;times=0" },
    });
    expect(always.remaining).toBeNull();
  });

  test.each([
    ["no target", { scenario: "outcome=106" }],
    ["two targets", { target: { cardId: NOBODY, customerId: NOBODY }, scenario: "outcome=106" }],
    ["an empty target", { target: {}, scenario: "outcome=106" }],
    ["an unknown key", { target: { cardId: NOBODY }, scenario: "result=106" }],
    ["an unknown outcome", { target: { cardId: NOBODY }, scenario: "outcome=999" }],
    ["an empty scenario", { target: { cardId: NOBODY }, scenario: "" }],
  ])("400: %s", async (_, body) => {
    const client = await openClient();
    const reply = await client.call("POST", PATH, { body });
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
  });

  test("400: the target is unknown, or another account's", async () => {
    const [client, other] = await Promise.all([openClient(), openClient()]);
    const { id } = await openMerchant(other);
    for (const [target, code] of [
      [{ cardId: NOBODY }, "card_not_found"],
      [{ customerId: NOBODY }, "customer_not_found"],
      [{ merchantId: id }, "merchant_not_found"],
    ] as const) {
      const reply = await client.call("POST", PATH, { body: { target, scenario: "outcome=106" } });
      expect([reply.status, reply.error?.businessCode]).toEqual([400, code]);
    }
  });
});

describe("GET and DELETE /v1/sandbox/scenarios", () => {
  test("200, 204: listed in both directions, and gone when deleted", async () => {
    const [client, other] = await Promise.all([openClient(), openClient()]);
    const { id } = await openMerchant(client);
    const add = (scenario: string) =>
      client.make<Body>("POST", PATH, { body: { target: { merchantId: id }, scenario } });
    const [first, second] = [await add("outcome=105"), await add("outcome=106")];
    const ids = async (query: Record<string, string>) =>
      (await client.make<List>("GET", PATH, { query })).items.map((item) => item.id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ order: "asc" })).toEqual([first.id, second.id]);
    expect((await other.make<List>("GET", PATH)).items).toEqual([]);
    expect((await other.call("DELETE", `${PATH}/${first.id}`)).status).toBe(404);
    expect((await client.call("DELETE", `${PATH}/${first.id}`)).status).toBe(204);
    expect((await client.call("DELETE", `${PATH}/${first.id}`)).status).toBe(404);
    expect(await ids({})).toEqual([second.id]);
  });
});
