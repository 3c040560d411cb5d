import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inSnapshot, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { resendMatching } from "@/lib/webhooks/bulk";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { everSent } from "@/lib/webhooks/ever-sent";
import {
  backlogOf,
  type DeliverySearch,
  deliveryDetail,
  hasDeliveries,
  searchDeliveries,
} from "@/lib/webhooks/explorer";
import { untakenAmong } from "@/lib/webhooks/of-events";
import { listEvents } from "@/lib/webhooks/queries";
import { emitEvent, openDispatcher, openReceiver, openWebhook, type Receiver, status } from "@/lib/webhooks/testing";

let dispatcher: Dispatcher;
let sink: Receiver;
let client: TestClient;
let stranger: TestClient;
const broken = newId();

beforeAll(async () => {
  [dispatcher, sink, client, stranger] = [
    await openDispatcher({ timeoutMs: 1_000 }),
    await openReceiver(),
    await openClient(),
    await openClient(),
  ];
});
afterAll(() => Promise.all([dispatcher.stop(), sink.stop()]));

const search = async (filters: DeliverySearch = {}, by = client) =>
  inSnapshot(await by.context(), (ctx) => searchDeliveries(ctx, filters));

describe("the explorer's view", () => {
  it("says of a delivery that it waits for an earlier event of its object", async () => {
    const own = await openClient();
    await openWebhook(own, `${sink.url}/behind`);
    sink.answer((response) => response.writeHead(503).end());
    const entity = await emitEvent(own);
    const details = async () => {
      const ctx = await own.context();
      const { items } = await inSnapshot(ctx, (inside) => searchDeliveries(inside, { objectId: entity }));
      const all = await Promise.all(items.map(({ id }) => inSnapshot(ctx, (inside) => deliveryDetail(inside, id))));
      return all
        .toSorted((one, other) => one.delivery.entityVersion - other.delivery.entityVersion)
        .map(({ delivery, isBehind }) => [delivery.attempts > 0, isBehind]);
    };
    await expect.poll(details, { timeout: 8_000 }).toEqual([[true, false]]);
    await emitEvent(own, entity);
    await expect.poll(details, { timeout: 8_000 }).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("finds deliveries by whatever is known of them, across webhooks, with how each ended", async () => {
    sink.answer((response) => {
      const failed = sink.received.at(-1)?.entityId === broken;
      response.writeHead(failed ? 503 : 200, { "x-answer": "seen" }).end(failed ? "down" : "fine");
    });
    const one = await openWebhook(client, `${sink.url}/one`);
    const two = await openWebhook(client, `${sink.url}/two`, { event: "card.*" });
    const entity = await emitEvent(client);
    await emitEvent(client, broken, { object: "card", event: "failed" });
    await expect
      .poll(async () => (await search()).items.filter(({ attempts }) => attempts > 0).length, {
        timeout: 8_000,
      })
      .toBe(3);
    const found = async (filters: DeliverySearch) => (await search(filters)).items;
    expect(await found({ webhookId: two.id })).toMatchObject([
      { event: "card.failed", status: "scheduled", lastStatusCode: 503, endpoint: two.endpoint, origin: "event" },
    ]);
    expect(await found({ result: "2xx" })).toMatchObject([{ entityId: entity, webhookId: one.id }]);
    expect(await found({ result: "5xx", status: ["scheduled"], event: "card.*" })).toHaveLength(2);
    expect(await found({ objectId: broken, result: "timeout" })).toEqual([]);
    expect(await found({ eventId: "not an id" })).toEqual([]);
    expect((await search({}, stranger)).items).toEqual([]);

    const [failed] = await found({ webhookId: two.id });
    const detail = await inSnapshot(await client.context(), (ctx) => deliveryDetail(ctx, failed?.id ?? ""));
    expect(detail.body).toContain(broken);
    expect(detail.attempts).toMatchObject([
      { number: 1, statusCode: 503, responseBody: "down", responseHeaders: { "x-answer": "seen" } },
    ]);
    expect(detail.attempts[0]?.requestHeaders["webhook-signature"]).toMatch(/^v1a,/);
    await expect(
      inSnapshot(await stranger.context(), (ctx) => deliveryDetail(ctx, failed?.id ?? "")),
    ).rejects.toMatchObject({ status: 404 });

    const idle = await openWebhook(client, `${sink.url}/idle`, { event: "flow.*" });
    const tried = (id: string) =>
      client.context().then((ctx) => inSnapshot(ctx, (inside) => hasDeliveries(inside, id)));
    expect([await tried(one.id), await tried(idle.id)]).toEqual([true, false]);
    const sent = await inSnapshot(await client.context(), (ctx) => everSent(ctx, [one.id, two.id, idle.id]));
    expect([...sent].sort()).toEqual([one.id, two.id].sort());
    expect(await inSnapshot(await stranger.context(), (ctx) => everSent(ctx, [one.id]))).toEqual(new Set());

    const backlog = await inSnapshot(await client.context(), (ctx) => backlogOf(ctx, [one.id, two.id]));
    expect(backlog.get(two.id)).toMatchObject({ scheduled: 1, held: 0, oldestOpenAt: expect.any(Date) });

    sink.answer(status(200));
    const before = sink.received.length;
    const count = await inTransaction(await client.context(), (ctx) =>
      resendMatching(ctx, { webhookId: one.id, result: "5xx" }, 5),
    );
    expect(count).toBe(1);
    await expect.poll(() => sink.received.length - before, { timeout: 8_000 }).toBe(1);
    expect(sink.received.at(-1)?.entityId).toBe(broken);
  }, 30_000);

  it("tells what went to no webhook from what went to one", async () => {
    const idsOf = async (of: TestClient, objectId: string) => {
      const page = { objectId, page: 1, limit: 10, order: "desc" } as const;
      return (await inSnapshot(await of.context(), (ctx) => listEvents(ctx, page))).items.map(({ id }) => id);
    };
    const untaken = async (of: TestClient, ids: string[]) =>
      [...(await untakenAmong(await of.context(), "owner", ids))].sort();
    const ids = await idsOf(stranger, await emitEvent(stranger));
    expect(ids).toHaveLength(1);
    await expect.poll(() => untaken(stranger, ids), { timeout: 8_000 }).toEqual(ids);
    expect(await untaken(client, ids)).toEqual([]);
    const sent = await idsOf(client, broken);
    expect(sent).toHaveLength(1);
    expect(await untaken(client, sent)).toEqual([]);
  }, 30_000);

  it("goes through many a page at a time, there and back", async () => {
    const busy = await openClient();
    const { id } = await openWebhook(busy, `https://hooks.loja.example/${newId()}`);
    for (let n = 0; n < 60; n++) await emitEvent(busy);
    await expect.poll(async () => (await search({}, busy)).items.length, { timeout: 8_000 }).toBe(50);
    await expect.poll(async () => (await search({ webhookId: id }, busy)).next, { timeout: 8_000 }).toBeDefined();
    const first = await search({}, busy);
    const second = await search({ after: first.next }, busy);
    expect(second.items.length).toBe(10);
    expect(second.next).toBeUndefined();
    const back = await search({ before: second.previous }, busy);
    expect(back.items.map(({ id: one }) => one)).toEqual(first.items.map(({ id: one }) => one));
  }, 30_000);
});
