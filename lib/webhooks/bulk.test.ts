import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inSnapshot, inTransaction } from "@/lib/context";
import { sendSample } from "@/lib/event-catalogue/sample";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { countMatching, resendMatching } from "@/lib/webhooks/bulk";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { deliveryDetail, searchDeliveries } from "@/lib/webhooks/explorer";
import { discardBacklog, rotateKey } from "@/lib/webhooks/service";
import {
  deliveriesOf,
  emitEvent,
  openDispatcher,
  openReceiver,
  openWebhook,
  type Receiver,
  status,
} from "@/lib/webhooks/testing";
import { verifyAttempt } from "@/lib/webhooks/verify";

let dispatcher: Dispatcher;
let sink: Receiver;
beforeAll(async () => {
  [dispatcher, sink] = [await openDispatcher({ timeoutMs: 2_000 }), await openReceiver()];
});
afterAll(() => Promise.all([dispatcher.stop(), sink.stop()]));

const soon = { timeout: 15_000, interval: 20 };

describe("resending what matches", () => {
  it("counts what it would send, each event once for each endpoint that is on, and sends no more than was shown", async () => {
    const client = await openClient();
    const [one, two, off] = [
      await openWebhook(client, `${sink.url}/one`),
      await openWebhook(client, `${sink.url}/two`),
      await openWebhook(client, `${sink.url}/off`),
    ];
    const objects = [await emitEvent(client), await emitEvent(client), await emitEvent(client)];
    for (const { id } of [one, two, off])
      await expect.poll(async () => (await deliveriesOf(client, id, { status: "delivered" })).length, soon).toBe(3);
    await client.make("PATCH", `/v1/webhooks/${off.id}`, { body: { status: false } });
    const ctx = await client.context();
    const count = (search: object) => inSnapshot(ctx, (inside) => countMatching(inside, search));
    expect(await count({})).toBe(6);
    expect(await count({ webhookId: one.id })).toBe(3);
    expect(await count({ about: objects[0] })).toBe(2);
    expect(await count({ attempts: "several" })).toBe(0);
    const listed = (await inSnapshot(ctx, (inside) => searchDeliveries(inside, { webhookId: one.id }))).items;
    const ids = listed.slice(0, 2).map(({ id }) => id);
    expect(await count({ ids })).toBe(2);

    const resend = (search: object, shown: number) =>
      inTransaction(ctx, (inside) => resendMatching(inside, search, shown));
    expect(await resend({ ids }, 2)).toBe(2);
    // One more matches by now; the person saw two.
    expect(await resend({ webhookId: one.id }, 2)).toBe(2);
    expect(await resend({ webhookId: off.id }, 3)).toBe(0);
    await expect.poll(async () => (await deliveriesOf(client, one.id, { status: "delivered" })).length, soon).toBe(7);
    const stranger = await (await openClient()).context();
    expect(await inTransaction(stranger, (inside) => resendMatching(inside, { ids }, 2))).toBe(0);
  }, 60_000);
});

describe("a sample", () => {
  it("arrives signed at one endpoint alone, in a sandbox account alone", async () => {
    const client = await openClient();
    const [one, two] = [
      await openWebhook(client, `${sink.url}/sample`),
      await openWebhook(client, `${sink.url}/other`),
    ];
    const ctx = await client.context();
    const id = await inTransaction(ctx, (inside) => sendSample(inside, one.id, "purchase.paid"));
    await expect.poll(async () => (await deliveriesOf(client, one.id))[0]?.status, soon).toBe("delivered");
    expect(await deliveriesOf(client, two.id)).toEqual([]);
    const { delivery, webhook, body, attempts } = await inSnapshot(ctx, (inside) => deliveryDetail(inside, id));
    expect(delivery.event).toBe("purchase.paid");
    const [attempt] = attempts;
    if (!webhook || !attempt || body === null) throw new Error("sent above");
    const { publicKey, previousPublicKey } = webhook;
    const signed = { headers: attempt.requestHeaders, body, publicKey, previousPublicKey };
    expect(verifyAttempt(signed)).toBe("current");
    expect(verifyAttempt({ ...signed, body: `${body} ` })).toBe("none");
    const rotated = await inTransaction(ctx, (inside) => rotateKey(inside, one.id));
    expect(verifyAttempt({ ...signed, ...rotated })).toBe("previous");

    const live = { ...ctx, account: { ...ctx.account, mode: "live" as const } };
    await expect(inTransaction(live, (inside) => sendSample(inside, one.id, "purchase.paid"))).rejects.toMatchObject({
      status: 404,
    });
    await expect(inTransaction(ctx, (inside) => sendSample(inside, one.id, "purchase.none"))).rejects.toMatchObject({
      status: 404,
    });
  }, 30_000);
});

describe("discarding", () => {
  it("drops what has not arrived, says how many, and leaves what arrived", async () => {
    const client = await openClient();
    const away = await openReceiver(status(500));
    const webhook = await openWebhook(client, away.url);
    await emitEvent(client, newId());
    await emitEvent(client, newId());
    const failed = async () => (await deliveriesOf(client, webhook.id)).filter(({ attempts }) => attempts.length === 1);
    await expect.poll(async () => (await failed()).length, soon).toBe(2);
    await expect
      .poll(async () => (await deliveriesOf(client, webhook.id, { status: "scheduled" })).length, soon)
      .toBe(2);
    const count = await inTransaction(await client.context(), (inside) => discardBacklog(inside, webhook.id));
    expect(count).toBe(2);
    const rows = await systemSql()`
      select status, reason from webhook_deliveries where webhook_id = ${webhook.id}`;
    expect(rows).toEqual([
      { status: "dropped", reason: "discarded by the client" },
      { status: "dropped", reason: "discarded by the client" },
    ]);
    const [row] = await systemSql()`
      select after from audit_log where object_id = ${webhook.id} and action = 'webhook.discard'`;
    expect(row?.after).toEqual({ count: 2 });
    await away.stop();
  }, 30_000);
});
