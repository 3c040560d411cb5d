import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { reopenWithLatest } from "@/lib/webhooks/service";
import {
  advance,
  deliveriesOf,
  emitEvent,
  openDispatcher,
  openReceiver,
  openWebhook,
  type Receiver,
  readWebhook,
  status,
  type WebhookReply,
} from "@/lib/webhooks/testing";

let dispatcher: Dispatcher;
let sink: Receiver;
beforeAll(async () => {
  dispatcher = await openDispatcher({ timeoutMs: 1_000 });
});
afterAll(() => dispatcher.stop());
afterEach(() => sink.stop());

const soon = { timeout: 8_000, interval: 20 };

async function failing(code = 500): Promise<{ client: TestClient; webhook: WebhookReply }> {
  const client = await openClient();
  sink = await openReceiver(status(code));
  return { client, webhook: await openWebhook(client, sink.url) };
}

const tried = (client: TestClient, id: string) => async () =>
  (await deliveriesOf(client, id)).reduce((sum, { attempts }) => sum + attempts.length, 0);

const statusesOf = async (client: TestClient, id: string) =>
  (await deliveriesOf(client, id)).map(({ status: now }) => now);

const actions = async (webhookId: string) =>
  (await systemSql()`select action from audit_log where object_id = ${webhookId} order by at, id`).map(({ action }) =>
    String(action).replace("webhook.", ""),
  );

/** Answers the address of somebody new on the account. */
async function person(clientId: string, role: string): Promise<string> {
  const [id, email] = [newId(), `${newId()}@trilho.example`];
  const sql = systemSql();
  await sql`insert into operators (id, email, name, password_hash, created_at, updated_at)
            values (${id}, ${email}, 'Ana', 'unused', now(), now())`;
  await sql`insert into memberships (operator_id, client_id, role, created_at)
            values (${id}, ${clientId}, ${role}, now())`;
  return email;
}

describe("an endpoint that fails", () => {
  it("is tried seven times in four days on the account's clock, with the same id and the same bytes", async () => {
    const { client, webhook } = await failing();
    await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "P4DT12H");
    const [delivery] = await deliveriesOf(client, webhook.id);
    expect(delivery?.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(delivery).toMatchObject({ status: "exhausted" });
    expect(delivery).not.toHaveProperty("nextAttemptAt");
    const first = Date.parse(delivery?.attempts[0]?.at ?? "");
    const minutes = [0, 5, 45, 360, 1_440, 2_880, 5_760];
    delivery?.attempts.forEach(({ at }, index) => {
      const waited = (Date.parse(at) - first) / 60_000;
      expect(waited).toBeGreaterThanOrEqual((minutes[index] ?? 0) * 0.9);
      expect(waited).toBeLessThanOrEqual((minutes[index] ?? 0) * 1.1 + 1);
    });
    expect(new Set(sink.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sink.received.map(({ body }) => body.toString("hex"))).size).toBe(1);
    expect(new Set(sink.received.map(({ headers }) => headers["webhook-signature"])).size).toBeGreaterThan(0);
  });

  it("is failing after three failures and 15 minutes, and healthy with the next success", async () => {
    const { client, webhook } = await failing();
    await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "PT10M");
    expect(await readWebhook(client, webhook.id)).toMatchObject({ health: "healthy" });
    await advance(client, "PT1H");
    expect(await readWebhook(client, webhook.id)).toMatchObject({ health: "failing", status: true });
    sink.answer(status(200));
    await advance(client, "PT7H");
    expect(await statusesOf(client, webhook.id)).toEqual(["delivered"]);
    expect(await readWebhook(client, webhook.id)).toMatchObject({ health: "healthy", status: true });
    expect(await actions(webhook.id)).toEqual(["create", "fail", "recover"]);
  });

  it("is failing when the time is up, not when the next attempt is", async () => {
    const { client, webhook } = await failing();
    for (let made = 0; made < 3; made++) await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(3);
    expect(await readWebhook(client, webhook.id)).toMatchObject({ health: "healthy" });
    const due = async () =>
      (await systemSql()`select due_at from due_jobs where kind = 'webhook.failing' and ref_id = ${webhook.id}`).length;
    expect(await due()).toBe(1);
    // What else is due by then stays where it is: no attempt tells of the outage.
    await systemSql()`delete from due_jobs where kind = 'webhook.attempt' and client_id = ${client.clientId}`;
    await advance(client, "PT16M");
    expect(await tried(client, webhook.id)()).toBe(3);
    expect(await readWebhook(client, webhook.id)).toMatchObject({ health: "failing", status: true });
    expect(await actions(webhook.id)).toEqual(["create", "fail"]);
    expect(await due()).toBe(0);
  });

  it("is stopped after five days without a success, held for, asked once an hour, and opened by its answer", async () => {
    const { client, webhook } = await failing(503);
    const early = await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "P5DT1M");
    expect(await readWebhook(client, webhook.id)).toMatchObject({
      status: false,
      health: "paused",
      disabledReason: "delivery_failures",
      disabledAt: expect.any(String),
    });
    await emitEvent(client, early, { event: "voided" });
    await emitEvent(client);
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["exhausted", "held", "held"]);
    const before = sink.received.length;
    await advance(client, "PT3H5M");
    expect(sink.received.length - before).toBe(3);
    expect(new Set(sink.received.slice(before).map(({ entityId, version }) => `${entityId} ${version}`))).toEqual(
      new Set([`${early} 2`]),
    );
    sink.answer(status(200));
    await advance(client, "PT1H");
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["delivered", "delivered", "delivered"]);
    const reopened = await readWebhook(client, webhook.id);
    expect(reopened).toMatchObject({ status: true, health: "healthy" });
    expect(reopened).not.toHaveProperty("disabledReason");
    expect(await actions(webhook.id)).toEqual(["create", "fail", "pause", "reopen"]);
  }, 60_000);

  it("opened by its client, gets everything it missed, oldest first per object", async () => {
    const { client, webhook } = await failing();
    const entities = [newId(), newId()];
    await emitEvent(client, entities[0], { event: "pending" });
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "P5DT1M");
    for (const event of ["authorized", "voided"])
      for (const entity of entities) await emitEvent(client, entity, { event });
    await expect.poll(async () => (await statusesOf(client, webhook.id)).length, soon).toBe(5);
    const before = sink.received.length;
    sink.answer(status(200));
    await client.make("PATCH", `/v1/webhooks/${webhook.id}`, { body: { status: true } });
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(Array(5).fill("delivered"));
    const sent = sink.received.slice(before);
    for (const entity of entities) {
      const versions = sent.filter(({ entityId }) => entityId === entity).map(({ version }) => version);
      expect(versions).toEqual([...versions].sort());
    }
    expect(sent).toHaveLength(5);
  }, 60_000);

  it("opened with the latest state alone, gets the newest event of each object", async () => {
    const { client, webhook } = await failing();
    const entity = newId();
    await emitEvent(client, entity, { event: "pending" });
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "P5DT1M");
    for (const event of ["authorized", "voided"]) await emitEvent(client, entity, { event });
    await expect.poll(async () => (await statusesOf(client, webhook.id)).length, soon).toBe(3);
    sink.answer(status(200));
    const ctx = await client.context();
    await inTransaction(ctx, (inside) => reopenWithLatest(inside, webhook.id));
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["dropped", "dropped", "delivered"]);
    expect(sink.received.at(-1)?.version).toBe(3);
  }, 60_000);

  it("is told of by e-mail to those who can set it right: once when it fails, once when we stop it", async () => {
    const { client, webhook } = await failing(503);
    const [owner, viewer] = await Promise.all([person(client.clientId, "owner"), person(client.clientId, "viewer")]);
    await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await advance(client, "PT7H");
    const mails = async () =>
      (
        await systemSql()`select template, recipient, data from emails where client_id = ${client.clientId} order by id`
      ).map(({ template, recipient, data }) => [template, recipient, (data as { endpoint: string }).endpoint]);
    expect(await mails()).toEqual([["webhook-failing", owner, webhook.endpoint]]);
    await advance(client, "P5D");
    expect(await mails()).toEqual([
      ["webhook-failing", owner, webhook.endpoint],
      ["webhook-disabled", owner, webhook.endpoint],
    ]);
    expect(JSON.stringify(await mails())).not.toContain(viewer);
  }, 30_000);

  it("is not stopped for one burst of failures", async () => {
    const { client, webhook } = await failing(429);
    sink.answer((response, _, nth) => response.writeHead(nth === 1 ? 500 : 200).end());
    await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    sink.answer(status(200));
    await advance(client, "P6D");
    expect(await readWebhook(client, webhook.id)).toMatchObject({ status: true, health: "healthy" });
    expect(await statusesOf(client, webhook.id)).toEqual(["delivered"]);
  });

  it("deleted with open deliveries, drops them and is asked no more", async () => {
    const { client, webhook } = await failing();
    await emitEvent(client);
    await expect.poll(tried(client, webhook.id), soon).toBe(1);
    await client.make("DELETE", `/v1/webhooks/${webhook.id}`);
    await advance(client, "P10D");
    expect(sink.received).toHaveLength(1);
    const rows = await systemSql()`
      select status, reason from webhook_deliveries where webhook_id = ${webhook.id}`;
    expect([...rows]).toEqual([{ status: "dropped", reason: "webhook deleted" }]);
    const jobs = await systemSql()`select kind from due_jobs where client_id = ${client.clientId}`;
    expect([...jobs]).toEqual([]);
  });
});
