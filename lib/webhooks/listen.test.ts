import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import type { Taken } from "@/lib/webhooks/listen";
import { advance, deliveriesOf, emitEvent, openDispatcher, openWebhook, readWebhook } from "@/lib/webhooks/testing";

let dispatcher: Dispatcher;
beforeAll(async () => {
  dispatcher = await openDispatcher({ timeoutMs: 1_000 });
});
afterAll(() => dispatcher.stop());

const take = async (client: TestClient, id: string, body: Record<string, unknown> = {}): Promise<Taken[]> =>
  (await client.make<{ items: Taken[] }>("POST", `/v1/webhooks/${id}/listen`, { body: { waitSeconds: 2, ...body } }))
    .items;
const answered = ({ deliveryId, receipt }: Taken, result: object = { statusCode: 200 }) => ({
  deliveryId,
  receipt,
  durationMs: 3,
  ...result,
});

async function opened() {
  const client = await openClient();
  return { client, webhook: await openWebhook(client, `listener:l-${newId()}`) };
}

const bodyOf = ({ body }: Taken) =>
  // Guarantee: the frozen text of an event.
  JSON.parse(body) as { id: string; entityVersion: number };

describe("a listener", () => {
  it("takes what waits for it, signed as an endpoint receives it, and its answer is an attempt like any other", async () => {
    const { client, webhook } = await opened();
    await emitEvent(client);
    const [taken] = await take(client, webhook.id);
    if (!taken) throw new Error("emitted above");
    const { headers, body } = taken;
    const signed = (content: string, signature: Buffer) =>
      verify(null, Buffer.from(content), createPublicKey(webhook.publicKey), signature);
    expect(headers["webhook-id"]).toBe(bodyOf(taken).id);
    expect(
      signed(
        `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`,
        Buffer.from(String(headers["webhook-signature"]).slice("v1a,".length), "base64"),
      ),
    ).toBe(true);
    expect(signed(`${headers["x-signature-date"]}\n${body}`, Buffer.from(String(headers["x-signature"]), "hex"))).toBe(
      true,
    );
    const results = [answered(taken)];
    expect(await take(client, webhook.id, { results, limit: 0 })).toEqual([]);
    expect(await deliveriesOf(client, webhook.id)).toMatchObject([
      { status: "delivered", attempts: [{ number: 1, statusCode: 200, durationMs: 3 }] },
    ]);
    const [kept] = await systemSql()`select request_headers from webhook_attempts where client_id = ${client.clientId}`;
    expect(kept?.request_headers).toEqual(headers);
  });

  it("loses nothing while nobody reads: what happened meanwhile is there, oldest first and in order per object", async () => {
    const { client, webhook } = await opened();
    const [one, two] = [newId(), newId()];
    for (const entity of [one, two, one]) await emitEvent(client, entity);
    await advance(client, "P3D");
    const first = await take(client, webhook.id);
    expect(first.map((taken) => bodyOf(taken).entityVersion)).toEqual([1, 1]);
    const second = await take(client, webhook.id, { results: first.map((taken) => answered(taken)) });
    expect(second.map((taken) => bodyOf(taken).entityVersion)).toEqual([2]);
    expect(await readWebhook(client, webhook.id)).toMatchObject({ status: true, health: "healthy" });
  });

  it("gets again what it did not answer for, with a receipt that its dead reader does not have", async () => {
    const { client, webhook } = await opened();
    await emitEvent(client);
    const [dead] = await take(client, webhook.id);
    expect(await take(client, webhook.id, { waitSeconds: 0 })).toEqual([]);
    const [alive] = await take(client, webhook.id, { restart: true });
    if (!dead || !alive) throw new Error("taken above");
    expect(alive.deliveryId).toBe(dead.deliveryId);
    expect(alive.body).toBe(dead.body);
    await take(client, webhook.id, { results: [answered(dead, { statusCode: 500 })], waitSeconds: 0 });
    expect((await deliveriesOf(client, webhook.id))[0]).toMatchObject({ status: "sending", attempts: [] });
    await take(client, webhook.id, { results: [answered(alive)], waitSeconds: 0 });
    expect((await deliveriesOf(client, webhook.id))[0]).toMatchObject({ status: "delivered" });
  });

  it("follows the schedule after a failure and never holds up a clock; a resend is there at once", async () => {
    const { client, webhook } = await opened();
    await emitEvent(client);
    const [taken] = await take(client, webhook.id);
    if (!taken) throw new Error("emitted above");
    await take(client, webhook.id, { results: [answered(taken, { error: "connection" })], waitSeconds: 0 });
    const [failed] = await deliveriesOf(client, webhook.id);
    expect(failed).toMatchObject({ status: "scheduled", attempts: [{ error: "connection" }] });
    await advance(client, "PT10M");
    const [again] = await take(client, webhook.id);
    expect(again).toMatchObject({ deliveryId: taken.deliveryId, attempt: 2, body: taken.body });
    await client.make("POST", `/v1/webhooks/${webhook.id}/deliveries/${failed?.id}/resend`);
    const [resent] = await take(client, webhook.id);
    expect(resent).toMatchObject({ attempt: 1, body: taken.body });
  });

  it("has one reader: a newer one takes its place at once, and takes nothing for the one that is gone", async () => {
    const { client, webhook } = await opened();
    // Whichever of two that come together begins later is the newer one.
    const readers = [1, 2].map(() =>
      client.call<{ items: Taken[] }>("POST", `/v1/webhooks/${webhook.id}/listen`, { body: { waitSeconds: 5 } }),
    );
    const gone = await Promise.race(readers.map(async (reader, index) => ({ index, status: (await reader).status })));
    expect(gone.status).toBe(409);
    await emitEvent(client);
    const next = await readers[1 - gone.index];
    expect(next).toMatchObject({ status: 200, body: { items: [{ attempt: 1 }] } });
  });

  it("404: a webhook with an address has no reader; a name is taken once", async () => {
    const { client, webhook } = await opened();
    const other = await openWebhook(client, `https://hooks.loja.example/${newId()}`);
    expect((await client.call("POST", `/v1/webhooks/${other.id}/listen`, { body: {} })).status).toBe(404);
    const twin = { event: "*", endpoint: webhook.endpoint };
    expect((await client.call("POST", "/v1/webhooks", { body: twin })).status).toBe(409);
    for (const name of ["", "Upper", "a b", "-a", "x".repeat(64)]) {
      const body = { event: "*", endpoint: `listener:${name}` };
      expect((await client.call("POST", "/v1/webhooks", { body })).status).toBe(400);
    }
    await client.make("PATCH", `/v1/webhooks/${webhook.id}`, { body: { status: false } });
    expect((await client.call("POST", `/v1/webhooks/${webhook.id}/listen`, { body: {} })).status).toBe(422);
  });
});
