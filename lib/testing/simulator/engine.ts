import { systemSql } from "@/db/client";
import { processPurchaseOperation } from "@/inngest/functions/process-purchase-operation";
import { createEmbeddedEngine } from "@/lib/engine/embedded/engine";
import type { OutboxEvent } from "@/lib/outbox";
import type { Shop } from "@/lib/testing/simulator/shop";
import { clock } from "@/lib/testing/simulator/virtual";
import type { World } from "@/lib/testing/simulator/world";

/** One schedule in so many goes through the durable engine itself; the others wake the workflow without it. */
const ENGINE_EVERY = 6;
/** How often everything the engine knows is lost half-way: the rows of the purchases must be enough. */
const FORGETS = 0.15;

export const isThroughEngine = ({ seed }: World): boolean => seed % ENGINE_EVERY === 0;

/** As each process makes its own. */
const engine = () =>
  createEmbeddedEngine({
    sql: systemSql(),
    workflows: [processPurchaseOperation],
    clock: { now: () => new Date(clock.atMs) },
  });

export async function sendToEngine(world: World, events: readonly OutboxEvent[]): Promise<number> {
  await engine().send(events);
  if (world.draws.chance(FORGETS)) {
    world.tell("the engine forgets everything");
    await systemSql()`delete from engine_runs`;
  }
  world.spawn("engine", drainEngine);
  return events.length;
}

export const drainEngine = (): Promise<number> => engine().drain();

/** When a run becomes due, or the lease of a dead worker on one ends. */
export async function nextRunMs({ owner }: Shop): Promise<number> {
  const [row] = await owner.sql<{ at: Date | null }[]>`
    select min(greatest(wake_at, coalesce(lease_until, wake_at))) as at from engine_runs where status = 'active'`;
  return row?.at ? row.at.getTime() + 1 : Number.POSITIVE_INFINITY;
}
