import { afterEach, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { addSeconds, realNow } from "@/lib/time";
import { type ClaimedDelivery, claimDeliveries, MOST_PER_CLIENT, MOST_PER_WEBHOOK } from "@/lib/webhooks/claim";
import { createConnections } from "@/lib/webhooks/connection";
import { attemptDelivery } from "@/lib/webhooks/deliver";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { BATCH, fanOutAndClaim, fanOutEvents } from "@/lib/webhooks/fan-out";
import { reconcileOpenDeliveries } from "@/lib/webhooks/sweep";
import {
  advance,
  deliveriesOf,
  emitEvent,
  openDispatcher,
  openReceiver,
  openWebhook,
  type Receiver,
  status,
  type WebhookReply,
} from "@/lib/webhooks/testing";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const soon = { timeout: 15_000, interval: 20 };

async function receiver(...args: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...args);
  ends.push(opened.stop);
  return opened;
}
async function dispatching(count = 1): Promise<Dispatcher[]> {
  const started = await Promise.all(Array.from({ length: count }, () => openDispatcher({ timeoutMs: 2_000 })));
  ends.push(() => Promise.all(started.map((one) => one.stop())));
  return started;
}
async function opened(how?: Parameters<typeof openReceiver>[0]): Promise<{
  client: TestClient;
  sink: Receiver;
  webhook: WebhookReply;
}> {
  const client = await openClient();
  const sink = await receiver(how);
  return { client, sink, webhook: await openWebhook(client, sink.url) };
}
const seen = ({ received }: Receiver) => received.map(({ entityId, version }) => `${entityId} ${version}`);
const statusesOf = async (client: TestClient, id: string) =>
  (await deliveriesOf(client, id)).map(({ status: now }) => now);

async function emitMany(client: TestClient, count: number, entities: readonly string[]): Promise<void> {
  const ctx = await client.context();
  await inTransaction(ctx, async (inside) => {
    const previous = new Map<string, { version: number; at: Date }>();
    for (let n = 0; n < count; n++) {
      const entityId = entities[n % entities.length] ?? "";
      previous.set(
        entityId,
        await emit(inside, {
          object: "transaction",
          event: "authorized",
          entityId,
          data: { id: entityId },
          previous: previous.get(entityId) ?? { version: 0, at: null },
        }),
      );
    }
  });
}

describe("order", () => {
  it("an object's next event waits for the one before it, and no other object's does", async () => {
    const [slow, other] = [newId(), newId()];
    const { client, sink, webhook } = await opened(status(500));
    await dispatching();
    await emitEvent(client, slow, { event: "pending" });
    await expect.poll(() => seen(sink), soon).toEqual([`${slow} 1`]);
    sink.answer(status(200));
    await emitEvent(client, slow);
    await emitEvent(client, other);
    await expect.poll(() => seen(sink), soon).toEqual([`${slow} 1`, `${other} 1`]);
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["scheduled", "scheduled", "delivered"]);
    // The retry after five minutes brings the first, and the second at once behind it.
    await advance(client, "PT6M");
    await expect.poll(() => seen(sink).slice(2), soon).toEqual([`${slow} 1`, `${slow} 2`]);
  });

  it("after 15 minutes the next one passes", async () => {
    const slow = newId();
    const { client, sink, webhook } = await opened();
    sink.answer((response) => response.writeHead(sink.received.at(-1)?.version === 1 ? 500 : 200).end());
    await dispatching();
    await emitEvent(client, slow, { event: "pending" });
    await expect.poll(() => seen(sink).length, soon).toBe(1);
    await emitEvent(client, slow);
    // Its patience counts from here, and the clock moves only then.
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["scheduled", "scheduled"]);
    await advance(client, "PT14M");
    expect(seen(sink)).not.toContain(`${slow} 2`);
    await advance(client, "PT2M");
    await expect.poll(() => seen(sink), soon).toContain(`${slow} 2`);
  });
});

describe("fairness", () => {
  it("a client has ten on the wire at most, its webhooks and the clients take turns", async () => {
    const [big, small] = [await openClient(), await openClient()];
    const webhooks = await Promise.all(
      [1, 2, 3].map((n) => openWebhook(big, `https://hooks.loja.example/${newId()}/${n}`)),
    );
    const theirs = await openWebhook(small, `https://hooks.loja.example/${newId()}`);
    await emitMany(
      big,
      40,
      Array.from({ length: 40 }, () => newId()),
    );
    await emitMany(small, 3, [newId(), newId(), newId()]);
    while ((await fanOutEvents(systemSql())) > 0);
    const claimed: ClaimedDelivery[] = [];
    for (let n = 0; n < 8; n++) claimed.push(...(await claimDeliveries(systemSql(), 4)).claimed);
    const of = (webhookId: string) => claimed.filter(({ webhook_id }) => webhook_id === webhookId).length;
    expect(claimed.filter(({ client_id }) => client_id === big.clientId)).toHaveLength(MOST_PER_CLIENT);
    expect(of(theirs.id)).toBe(3);
    expect(Math.max(...webhooks.map(({ id }) => of(id)))).toBeLessThanOrEqual(4);
    expect(claimed.slice(0, 4).some(({ client_id }) => client_id === small.clientId)).toBe(true);
  });
});

describe("what is sent as it is made", () => {
  const ROOM = 1_000;
  const made = async (clientId: string, room = ROOM) => {
    const claimed: ClaimedDelivery[] = [];
    for (let count = 1; count > 0; ) {
      const one = await fanOutAndClaim(systemSql(), BATCH, room);
      claimed.push(...one.claimed);
      count = one.count;
    }
    return claimed.filter(({ client_id }) => client_id === clientId);
  };
  const own = () => `https://hooks.loja.example/${newId()}`;

  it("keeps the limits of a webhook and of a client; the others of them wait for a claim", async () => {
    const [one, two] = [await openClient(), await openClient()];
    const webhooks = [await openWebhook(one, own()), await openWebhook(two, own()), await openWebhook(two, own())];
    for (const client of [one, two]) {
      const entities = Array.from({ length: 12 }, () => newId());
      await emitMany(client, entities.length, entities);
    }
    const { claimed } = await fanOutAndClaim(systemSql(), BATCH, ROOM);
    const of = (clientId: string) => claimed.filter(({ client_id }) => client_id === clientId).length;
    expect([of(one.clientId), of(two.clientId)]).toEqual([MOST_PER_WEBHOOK, MOST_PER_CLIENT]);
    const statuses = await statusesOf(one, webhooks[0]?.id ?? "");
    expect(statuses.filter((status) => status === "scheduled")).toHaveLength(12 - MOST_PER_WEBHOOK);
    // They are on the wire for every other claim.
    const more = (await claimDeliveries(systemSql(), ROOM)).claimed;
    expect(more.filter(({ client_id }) => client_id === one.clientId || client_id === two.clientId)).toEqual([]);
  });

  it("passes nothing that waits: not of its object, not of its client", async () => {
    const client = await openClient();
    await openWebhook(client, own());
    const [object, other] = [newId(), newId()];
    await emitMany(client, 3, [object, object, other]);
    const first = await made(client.clientId);
    expect(first.map(({ attempts, epoch }) => [attempts, epoch])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    await emitMany(client, 1, [newId()]);
    expect(await made(client.clientId)).toEqual([]);
  });

  it("is nothing where there is no room, nor for a webhook that fails, nor for a listener", async () => {
    const [client, failing, listening] = [await openClient(), await openClient(), await openClient()];
    await openWebhook(client, own());
    const { id } = await openWebhook(failing, own());
    await openWebhook(listening, `listener:${newId()}`);
    await systemSql()`update webhooks set failures = 1, first_failure_at = now(), last_failure_at = now() where id = ${id}`;
    for (const one of [client, failing, listening]) await emitEvent(one);
    const { claimed } = await fanOutAndClaim(systemSql(), BATCH, ROOM);
    const clients = new Set(claimed.map(({ client_id }) => client_id));
    expect([client, failing, listening].map(({ clientId }) => clients.has(clientId))).toEqual([true, false, false]);
    await emitEvent(client);
    expect(await made(client.clientId, 0)).toEqual([]);
  });

  it("is sent by another worker when its lease runs out", async () => {
    const { client, sink, webhook } = await opened();
    await emitEvent(client);
    const [dead] = await made(client.clientId);
    expect(await statusesOf(client, webhook.id)).toEqual(["sending"]);
    await systemSql()`update webhook_deliveries set ready_at = now() - interval '1 second' where id = ${dead?.id ?? ""}`;
    await dispatching();
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["delivered"]);
    expect(seen(sink)).toHaveLength(1);
  });
});

describe("a worker that dies", () => {
  it("leaves its delivery to another when its lease runs out, and writes nothing when it comes back", async () => {
    const { client, sink, webhook } = await opened();
    await emitEvent(client);
    await fanOutEvents(systemSql());
    const [dead] = (await claimDeliveries(systemSql(), 1)).claimed;
    if (!dead) throw new Error("claimed above");
    expect((await claimDeliveries(systemSql(), 1)).claimed).toEqual([]);
    expect(await statusesOf(client, webhook.id)).toEqual(["sending"]);
    await systemSql()`update webhook_deliveries set ready_at = now() - interval '1 second' where id = ${dead.id}`;
    await dispatching();
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["delivered"]);
    const connections = createConnections();
    ends.push(connections.close);
    await attemptDelivery({ connections }, dead);
    const [delivery] = await deliveriesOf(client, webhook.id);
    expect(delivery?.attempts).toHaveLength(1);
    expect(new Set(sink.received.map(({ body }) => body.toString())).size).toBe(1);
  });
});

describe("what changed while events were fanned out", () => {
  it("is set right by the sweep: nothing stays held by a webhook that works, or open for one that does not", async () => {
    const client = await openClient();
    const [works, stopped] = [
      await openWebhook(client, `https://hooks.loja.example/${newId()}`),
      await openWebhook(client, `https://hooks.loja.example/${newId()}`),
    ];
    await emitEvent(client);
    await fanOutEvents(systemSql());
    await systemSql()`update webhook_deliveries set status = 'held', ready_at = null, next_attempt_at = null where webhook_id = ${works.id}`;
    await systemSql()`update webhooks set status = false, disabled_at = now(), disabled_reason = 'client' where id = ${stopped.id}`;
    expect((await claimDeliveries(systemSql(), 10)).claimed).toEqual([]);
    await reconcileOpenDeliveries();
    expect(await statusesOf(client, works.id)).toEqual(["scheduled"]);
    expect(await statusesOf(client, stopped.id)).toEqual(["dropped"]);
  });
});

describe("sent again", () => {
  it("a delivered event goes out at once with its id and its bytes, as a delivery of its own", async () => {
    const { client, sink, webhook } = await opened();
    await dispatching();
    await emitEvent(client);
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["delivered"]);
    const [first] = await deliveriesOf(client, webhook.id);
    const { status: code, body } = await client.call(
      "POST",
      `/v1/webhooks/${webhook.id}/deliveries/${first?.id}/resend`,
    );
    expect(code).toBe(202);
    expect(body).toMatchObject({ eventId: first?.eventId, status: "scheduled", attempts: [] });
    expect(body.id).not.toBe(first?.id);
    await expect.poll(() => statusesOf(client, webhook.id), soon).toEqual(["delivered", "delivered"]);
    const [one, two] = sink.received;
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
    const unknown = await client.call("POST", `/v1/webhooks/${webhook.id}/deliveries/${newId()}/resend`);
    expect(unknown.status).toBe(404);
    const other = await openWebhook(client, `${sink.url}/other`);
    const elsewhere = await client.call("POST", `/v1/webhooks/${other.id}/deliveries/${first?.id}/resend`);
    expect(elsewhere.status).toBe(404);
  });

  it("a window goes out oldest first, with what the webhook's own choice and the given one both take", async () => {
    const client = await openClient();
    const sink = await receiver();
    const entity = newId();
    const from = realNow().toISOString();
    for (const event of ["pending", "authorized", "voided"]) await emitEvent(client, entity, { event });
    await emitEvent(client, undefined, { object: "card", event: "active" });
    const until = addSeconds(realNow(), 1).toISOString();
    // Registered afterwards: none of them was its own.
    const webhook = await openWebhook(client, sink.url, { event: "transaction.*" });
    await dispatching();
    const replay = (body: object) => client.call("POST", `/v1/webhooks/${webhook.id}/replay`, { body });
    expect(await replay({ since: from, until })).toMatchObject({ status: 202, body: { count: 3 } });
    await expect.poll(() => sink.received.map(({ version }) => version), soon).toEqual([1, 2, 3]);
    expect((await replay({ since: from, until, event: "transaction.voided" })).body).toEqual({ count: 1 });
    expect((await replay({ since: from, until, event: "card.*" })).body).toEqual({ count: 0 });
    expect((await replay({ since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" })).body).toEqual({ count: 0 });
    await expect.poll(() => sink.received.length, soon).toBe(4);
  });
});
