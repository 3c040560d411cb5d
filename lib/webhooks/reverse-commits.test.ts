import { afterAll, beforeAll, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { fanOutEvents } from "@/lib/webhooks/fan-out";
import { openDispatcher, openReceiver, openWebhook, type Receiver } from "@/lib/webhooks/testing";

/** Two events each. */
const ROUNDS = Math.ceil(proofRuns(50) / 2);

let dispatcher: Dispatcher;
let sink: Receiver;
beforeAll(async () => {
  [dispatcher, sink] = [await openDispatcher(), await openReceiver()];
});
afterAll(() => Promise.all([dispatcher.stop(), sink.stop()]));

it(
  "two open transactions that commit in reverse order both reach the webhook, however often",
  async () => {
    const client = await openClient();
    await openWebhook(client, sink.url);
    const expected: string[] = [];
    const ctx = await client.context();
    for (let round = 0; round < ROUNDS; round++) {
      const [early, late] = [newId(), newId()];
      expected.push(early, late);
      const write = (entityId: string, inside: typeof ctx) =>
        emit(inside, { object: "card", event: "active", entityId, data: { id: entityId } });
      await inTransaction(ctx, async (first) => {
        await write(early, first);
        // Its id is higher, and it is committed, told and fanned out while the first is still open.
        await inTransaction(ctx, (second) => write(late, second));
        await fanOutEvents(systemSql());
      });
    }
    const lost = () => {
      const arrived = new Set(sink.received.map(({ entityId }) => entityId));
      return expected.filter((entity) => !arrived.has(entity));
    };
    await expect
      .poll(() => lost().length, { timeout: 15_000 + ROUNDS * 50, interval: 50 })
      .toBe(0)
      .catch(() => undefined);
    // What became of each says whether it was lost or a busy machine was late.
    const states = await systemSql()<{ entity_id: string; state: string }[]>`
      select entity_id, status || ' after ' || attempts || ' attempts' as state
        from webhook_deliveries where entity_id = any(${lost()}::uuid[])`;
    const stateOf = (entity: string) => states.find((one) => one.entity_id === entity)?.state ?? "no delivery";
    recordProof({
      ran: ROUNDS * 2,
      violations: lost().map((entity) => `the event of ${entity} was not delivered: ${stateOf(entity)}`),
      figures: { events: expected.length },
    });
    expect(lost()).toEqual([]);
  },
  proofTimeout(60_000),
);
