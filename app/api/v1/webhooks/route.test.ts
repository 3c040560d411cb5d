import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import { fanOutEvents } from "@/lib/webhooks/fan-out";
import { deliveriesOf, emitEvent, openReceiver, openWebhook, type Receiver } from "@/lib/webhooks/testing";

let client: TestClient;
let sink: Receiver;
beforeAll(async () => {
  [client, sink] = [await openClient(), await openReceiver()];
});
afterAll(() => sink.stop());

const aUrl = () => `https://hooks.loja.example/${newId()}`;

describe("POST /v1/webhooks", () => {
  it("201: a webhook with a key of its own", async () => {
    const endpoint = aUrl();
    const { status, body } = await client.call("POST", "/v1/webhooks", { body: { event: "transaction.*", endpoint } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
      clientId: client.clientId,
      event: "transaction.*",
      endpoint,
      version: 1.1,
      publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n[\w+/=]{60}\n-----END PUBLIC KEY-----\n$/),
      status: true,
      health: "healthy",
    });
    expect((await client.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(body);
    expect((await openWebhook(client, aUrl())).publicKey).not.toBe(body.publicKey);
  });

  it("201: version 1 is 1.1; a webhook may start stopped", async () => {
    const webhook = await openWebhook(client, aUrl(), { version: 1, status: false });
    expect(webhook).toMatchObject({ version: 1.1, status: false, disabledReason: "client" });
  });

  it("201: the same key answers the same webhook", async () => {
    const request = { body: { event: "*", endpoint: aUrl() }, idempotencyKey: aKey() };
    const [first, second] = [
      await client.call("POST", "/v1/webhooks", request),
      await client.call("POST", "/v1/webhooks", request),
    ];
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it.each([
    ["an unknown event", { event: "transaction.exploded" }],
    ["an unknown object", { event: "planet.*" }],
    ["no event", { event: undefined }],
    ["no endpoint", { endpoint: undefined }],
    ["another version", { version: 2 }],
    ["a status in words", { status: "on" }],
    ["an endpoint longer than 2048", { endpoint: `https://hooks.loja.example/${"a".repeat(2_048)}` }],
  ])("400: %s", async (_, change) => {
    const body = { event: "*", endpoint: aUrl(), ...change };
    expect(await client.call("POST", "/v1/webhooks", { body })).toMatchObject({
      status: 400,
      error: { type: "bad_request", details: [expect.any(String)] },
    });
  });

  it("409: an endpoint of another webhook of the client, in whatever spelling; free again once deleted", async () => {
    const path = newId();
    const { id } = await openWebhook(client, `https://hooks.loja.example/${path}`);
    for (const endpoint of [`https://hooks.loja.example/${path}`, `HTTPS://HOOKS.loja.example:443/x/../${path}#top`]) {
      const reply = await client.call("POST", "/v1/webhooks", { body: { event: "card.*", endpoint } });
      expect(reply).toMatchObject({
        status: 409,
        error: { type: "invalid_request_error", businessCode: "webhook_endpoint_already_exists" },
      });
    }
    await openWebhook(await openClient(), `https://hooks.loja.example/${path}`);
    expect(await client.call("DELETE", `/v1/webhooks/${id}`)).toMatchObject({ status: 200, text: "" });
    await openWebhook(client, `https://hooks.loja.example/${path}`);
  });

  it("201: of ten at once with one endpoint one is made", async () => {
    const body = { event: "*", endpoint: aUrl() };
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.call("POST", "/v1/webhooks", { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it("201: loopback belongs to sandbox accounts; 400 for a live one", async () => {
    await openWebhook(client, sink.url);
    const live = await openClient({ mode: "live" });
    expect(await live.call("POST", "/v1/webhooks", { body: { event: "*", endpoint: sink.url } })).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", businessCode: "webhook_endpoint_not_allowed" },
    });
  });
});

describe("a webhook", () => {
  it("200: is listed with the others of its client, newest first, to every key of the scope", async () => {
    const owner = await openClient();
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift((await openWebhook(owner, aUrl())).id);
    const key = await owner.publicKey("webhooks");
    const { items, meta } = await owner.make<{ items: { id: string }[]; meta: object }>("GET", "/v1/webhooks", {
      key,
      query: { limit: 2 },
    });
    expect(items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(meta).toEqual({ totalItems: 3, itemCount: 2, itemsPerPage: 2, totalPages: 2, currentPage: 1 });
    expect((await owner.call("GET", `/v1/webhooks/${ids[2]}`, { key })).status).toBe(200);
    expect((await owner.call("POST", `/v1/webhooks/${ids[2]}/rotate-key`, { key })).status).toBe(403);
    expect((await owner.call("GET", "/v1/webhooks", { key: await owner.publicKey("cards") })).status).toBe(403);
  });

  it("200: PATCH changes what is sent and nothing else; the endpoint is judged again", async () => {
    const webhook = await openWebhook(client, aUrl());
    const other = await openWebhook(client, aUrl());
    const change = { event: "card.active", endpoint: aUrl() };
    const { body } = await client.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: change });
    expect(body).toEqual({ ...webhook, ...change, updatedAt: expect.any(String) });
    const refused = (endpoint: string) =>
      client.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { endpoint, event: "*" } });
    expect(await refused(other.endpoint)).toMatchObject({ status: 409 });
    expect(await refused("https://10.0.0.1/")).toMatchObject({ status: 400 });
    expect((await client.call("GET", `/v1/webhooks/${webhook.id}`)).body).toEqual(body);
  });

  it("200: stopped by its client and started again, it has missed what happened meanwhile", async () => {
    const owner = await openClient();
    const { id } = await openWebhook(owner, aUrl());
    const patch = (status: boolean) => owner.make("PATCH", `/v1/webhooks/${id}`, { body: { status } });
    expect(await patch(false)).toMatchObject({ status: false, disabledReason: "client", health: "healthy" });
    await emitEvent(owner);
    expect(await patch(true)).not.toHaveProperty("disabledReason");
    await fanOutEvents(systemSql());
    expect(await deliveriesOf(owner, id)).toEqual([]);
  });

  it("404: unknown, deleted and another client's are alike, on every route", async () => {
    const other = await openClient();
    const theirs = await openWebhook(other, aUrl());
    const deleted = await openWebhook(client, aUrl());
    await client.make("DELETE", `/v1/webhooks/${deleted.id}`);
    const routes = [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/rotate-key"],
      ["GET", "/deliveries"],
      ["POST", `/deliveries/${newId()}/resend`],
      ["POST", "/replay"],
    ] as const;
    for (const [method, rest] of routes) {
      const body = rest === "/replay" ? { since: "2026-11-20", until: "2026-11-20" } : { status: true };
      const given = rest === "/replay" ? { since: "2026-11-20T00:00:00Z", until: "2026-11-21T00:00:00Z" } : body;
      const answers = [];
      for (const id of [newId(), theirs.id, deleted.id]) {
        const options = method === "GET" ? {} : { body: given };
        const { status, text } = await client.call(method, `/v1/webhooks/${id}${rest}`, options);
        answers.push([status, text]);
      }
      expect(answers[0]?.[0]).toBe(404);
      expect(new Set(answers.map(String)).size).toBe(1);
    }
    expect((await client.call("GET", "/v1/webhooks/nonsense")).status).toBe(400);
  });
});

describe("POST /v1/webhooks/{id}/replay", () => {
  it.each([
    ["no end", { since: "2026-11-20T00:00:00Z" }],
    ["an end before its beginning", { since: "2026-11-20T00:00:00Z", until: "2026-11-19T00:00:00Z" }],
    ["31 days", { since: "2026-10-20T00:00:00Z", until: "2026-11-20T00:00:00Z" }],
    ["a date alone", { since: "2026-11-20", until: "2026-11-21" }],
    ["an unknown event", { since: "2026-11-20T00:00:00Z", until: "2026-11-21T00:00:00Z", event: "x.y" }],
  ])("400: %s", async (_, body) => {
    const { id } = await openWebhook(client, aUrl());
    expect(await client.call("POST", `/v1/webhooks/${id}/replay`, { body })).toMatchObject({ status: 400 });
  });

  it("422: resend and replay on a disabled webhook", async () => {
    const owner = await openClient();
    const { id } = await openWebhook(owner, aUrl());
    await emitEvent(owner);
    await fanOutEvents(systemSql());
    const [delivery] = await deliveriesOf(owner, id);
    await owner.make("PATCH", `/v1/webhooks/${id}`, { body: { status: false } });
    const body = { since: "2026-11-20T00:00:00Z", until: "2026-11-21T00:00:00Z" };
    const refusal = { status: 422, error: { type: "bad_request", businessCode: "webhook_disabled" } };
    expect(await owner.call("POST", `/v1/webhooks/${id}/replay`, { body })).toMatchObject(refusal);
    const resend = `/v1/webhooks/${id}/deliveries/${delivery?.id}/resend`;
    expect(await owner.call("POST", resend)).toMatchObject(refusal);
  });
});

describe("/v1/events", () => {
  it("200: lists what happened, by name, object and time, each with its object, and reads one", async () => {
    const owner = await openClient();
    const charge = await emitEvent(owner, undefined, { event: "pending" });
    await emitEvent(owner, charge, { event: "authorized" });
    await emitEvent(owner, undefined, { object: "card", event: "active" });
    const list = async (query: Record<string, string>) =>
      (
        await owner.make<{ items: Record<string, unknown>[] }>("GET", "/v1/events", {
          query: { order: "asc", ...query },
        })
      ).items;
    const all = await list({});
    expect(all.map(({ object, event, entityVersion }) => [object, event, entityVersion])).toEqual([
      ["transaction", "pending", 1],
      ["transaction", "authorized", 2],
      ["card", "active", 1],
    ]);
    expect(all[1]).toEqual({
      id: expect.any(String),
      object: "transaction",
      event: "authorized",
      apiVersion: "1.1",
      entityVersion: 2,
      createdAt: expect.any(String),
      data: { id: charge },
      objectId: charge,
    });
    expect((await list({ event: "transaction.*" })).length).toBe(2);
    expect((await list({ event: "card.active" })).length).toBe(1);
    expect((await list({ objectId: charge })).length).toBe(2);
    expect((await list({ "created.gt": String(all[0]?.createdAt) })).length).toBe(2);
    expect((await list({ "created.lt": String(all[0]?.createdAt) })).length).toBe(0);
    expect((await owner.call("GET", "/v1/events", { query: { event: "*" } })).status).toBe(400);
    expect((await owner.call("GET", `/v1/events/${all[1]?.id}`)).body).toEqual(all[1]);
    expect((await client.call("GET", `/v1/events/${all[1]?.id}`)).status).toBe(404);
    const key = await owner.publicKey("webhooks");
    expect((await owner.call("GET", "/v1/events", { key })).body).toMatchObject({ meta: { totalItems: 3 } });
  });

  it("200: deliveries are listed by status, event and time", async () => {
    const owner = await openClient();
    const { id } = await openWebhook(owner, aUrl());
    await emitEvent(owner);
    await emitEvent(owner, undefined, { object: "card", event: "active" });
    await fanOutEvents(systemSql());
    const names = async (query: Record<string, string>) =>
      (await deliveriesOf(owner, id, query)).map(({ event }) => event);
    expect(await names({})).toEqual(["transaction.authorized", "card.active"]);
    expect(await names({ status: "scheduled,sending", event: "card.*" })).toEqual(["card.active"]);
    expect(await names({ status: "held" })).toEqual([]);
    const [first] = await deliveriesOf(owner, id);
    expect(await names({ eventId: first?.eventId ?? "" })).toEqual(["transaction.authorized"]);
    const wrong: Record<string, string>[] = [{ status: "lost" }, { event: "nothing" }, { eventId: "1" }];
    for (const query of wrong) {
      expect((await owner.call("GET", `/v1/webhooks/${id}/deliveries`, { query })).status).toBe(400);
    }
  });
});
