import { afterAll, beforeAll, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { openDispatcher, openReceiver, openWebhook, type Receiver } from "@/lib/webhooks/testing";

const WORKERS = 16;
const ENTITIES = 25;
const COUNT = proofRuns(300);

let sink: Receiver;
beforeAll(async () => {
  sink = await openReceiver();
});
afterAll(() => sink.stop());

async function emitMany(client: TestClient, entities: readonly string[]): Promise<void> {
  const ctx = await client.context();
  await inTransaction(ctx, async (inside) => {
    const previous = new Map<string, { version: number; at: Date }>();
    for (let n = 0; n < COUNT; n++) {
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

it(
  "sixteen workers on one queue send every event once, and no object's out of order",
  async () => {
    const client = await openClient();
    const webhook = await openWebhook(client, sink.url);
    const entities = Array.from({ length: ENTITIES }, () => newId());
    await emitMany(client, entities);
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => openDispatcher({ timeoutMs: 10_000 })));
    const delivered = async () =>
      (
        await systemSql()`
          select count(*)::int as n from webhook_deliveries where webhook_id = ${webhook.id} and status = 'delivered'`
      )[0]?.n;
    await expect
      .poll(delivered, { timeout: 30_000 + COUNT * 60, interval: 100 })
      .toBe(COUNT)
      .catch(() => undefined);
    await Promise.all(workers.map((worker) => worker.stop()));
    const seen = new Map<string, number>();
    for (const { id } of sink.received) seen.set(id, (seen.get(id) ?? 0) + 1);
    const violations = [
      ...(seen.size === COUNT ? [] : [`${COUNT - seen.size} events did not arrive`]),
      ...[...seen].filter(([, times]) => times > 1).map(([id, times]) => `event ${id} was sent ${times} times`),
      ...entities.flatMap((entity) => {
        const versions = sink.received.filter(({ entityId }) => entityId === entity).map(({ version }) => version);
        return versions.every((version, index) => version === index + 1) ? [] : [`${entity} came as ${versions}`];
      }),
    ];
    recordProof({ ran: COUNT, violations, figures: { events: COUNT, workers: WORKERS } });
    expect(violations).toEqual([]);
    expect(await delivered()).toBe(COUNT);
  },
  proofTimeout(90_000),
);
