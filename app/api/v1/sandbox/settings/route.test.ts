import { describe, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";

const PATH = "/v1/sandbox/settings";

describe("PATCH /v1/sandbox/settings", () => {
  test("200: payments settle by themselves, until null switches it off", async () => {
    const client = await openClient();
    expect((await client.call("GET", PATH)).body).toEqual({ autoSettleSeconds: null });
    const on = await client.call("PATCH", PATH, { body: { autoSettleSeconds: 0 } });
    expect([on.status, on.body]).toEqual([200, { autoSettleSeconds: 0 }]);
    expect((await client.call("GET", PATH)).body).toEqual({ autoSettleSeconds: 0 });
    expect((await client.call("PATCH", PATH, { body: {} })).body).toEqual({ autoSettleSeconds: 0 });
    await client.make("PATCH", PATH, { body: { autoSettleSeconds: null } });
    expect((await client.call("GET", PATH)).body).toEqual({ autoSettleSeconds: null });
  });

  test.each([-1, 86_401, 1.5, "10"])("400: %s is not a number of seconds of a day", async (autoSettleSeconds) => {
    const client = await openClient();
    const reply = await client.call("PATCH", PATH, { body: { autoSettleSeconds } });
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
  });

  test("404 on a live account; 403 for a public key; another account's setting stays", async () => {
    const live = await openClient({ mode: "live" });
    expect((await live.call("PATCH", PATH, { body: { autoSettleSeconds: 1 } })).status).toBe(404);
    const [client, other] = await Promise.all([openClient(), openClient()]);
    expect((await client.call("GET", PATH, { key: await client.publicKey("*") })).status).toBe(403);
    await client.make("PATCH", PATH, { body: { autoSettleSeconds: 5 } });
    expect((await other.call("GET", PATH)).body).toEqual({ autoSettleSeconds: null });
  });
});
