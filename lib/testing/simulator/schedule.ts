import { systemSql } from "@/db/client";
import { processPurchaseOperation } from "@/inngest/functions/process-purchase-operation";
import { LANES, type Lane } from "@/lib/due-jobs/kinds";
import { relayOutbox } from "@/lib/outbox";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { OPERATION_REQUESTED } from "@/lib/purchases/operations";
import { sweepOperations } from "@/lib/purchases/sweep";
import { drainLane } from "@/lib/scheduler/drain";
import { recoverCharges } from "@/lib/scheduler/recover";
import { actsOf } from "@/lib/testing/simulator/acts";
import { NOBODY } from "@/lib/testing/simulator/bank";
import { drainEngine, isThroughEngine, nextRunMs, sendToEngine } from "@/lib/testing/simulator/engine";
import { statusShown } from "@/lib/testing/simulator/glance";
import { judge } from "@/lib/testing/simulator/judge";
import { type Act, isByStatement, isOnePurchase } from "@/lib/testing/simulator/orders";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import type { Shop } from "@/lib/testing/simulator/shop";
import { byStatement, clock, START_MS } from "@/lib/testing/simulator/virtual";
import type { World } from "@/lib/testing/simulator/world";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Past every hold, query schedule, refund and dispute, also of an order that is first taken after a week. */
export const HORIZON_MS = START_MS + 22 * DAY_MS;
/** As many actors at once; in the schedules of one purchase, fewer. */
const MOST_AT_ONCE = { one: 6, several: 8 };
/** One schedule in so many is judged after every step, the others at their end. */
const WATCHED = 16;

/** The engine's event may be lost with its process, come late, or twice: the sweep and the claim make up for it. */
const WAKINGS = [
  [1, 80],
  [2, 12],
  [0, 8],
] as const;

/** Runs one schedule to its end, and judges it. */
export async function runSchedule(world: World, shop: Shop): Promise<string[]> {
  const acts = actsOf(world, shop);
  byStatement.isOn = isByStatement(world.seed);
  strangersOf(world, shop);
  for (;;) {
    while (await world.step()) if (world.seed % WATCHED === 0) await statusShown(world, shop);
    if (tellNews(world)) continue;
    const isCrowded = world.living >= (isOnePurchase(world.seed) ? MOST_AT_ONCE.one : MOST_AT_ONCE.several);
    const { jobMs, sweepMs, chargeMs, isToldSomething, isWatchOnly } = isCrowded ? NOTHING_DUE : await nextDue(shop);
    const runMs = isCrowded || !isThroughEngine(world) ? NEVER : await nextRunMs(shop);
    if (isToldSomething && (await relay(world))) continue;
    const isQuiet = acts.length === 0 && world.living === 0 && world.bank.nextAtMs() === undefined;
    // Somebody looks for an orphan, and none can come any more.
    if (isQuiet && isWatchOnly) break;
    const next = Math.min(
      acts[0]?.atMs ?? NEVER,
      world.nextWakeMs,
      world.bank.nextAtMs() ?? NEVER,
      jobMs,
      sweepMs,
      runMs,
      chargeMs,
    );
    if (next > HORIZON_MS) break;
    await world.moveTo(next);
    begin(world, acts);
    if (jobMs <= clock.atMs) for (const lane of LANES) world.spawn("scheduler", () => oneByOne(lane));
    if (sweepMs <= clock.atMs) world.spawn("sweep", () => sweepOperations({ atOnce: 1, perAccount: 1 }));
    if (runMs <= clock.atMs) world.spawn("engine", drainEngine);
    if (chargeMs <= clock.atMs) world.spawn("recovery", () => recoverCharges({ atOnce: 1, perAccount: 1 }));
  }
  return judge(world, shop);
}

/** Several schedulers at work at once are the schedule's own choice. */
const oneByOne = (lane: Lane): Promise<number> => drainLane(lane, { atOnce: 1, under: new Set() });

/** What the provider holds for nobody here, and tells us of anyway. */
const STRANGERS = 0.15;
const MOST_STRANGERS = 2;

function strangersOf({ bank, seed }: World, { providerIds }: Shop): void {
  if (isOnePurchase(seed)) return;
  const draws = drawsFor(`strangers ${seed}`);
  if (!draws.chance(STRANGERS)) return;
  for (let nth = draws.between(1, MOST_STRANGERS); nth > 0; nth--) {
    const deposit = bank.openForNobody(nth, draws.pick(providerIds), draws.between(100, 90_000));
    const atMs = START_MS + draws.between(0, 3 * DAY_MS);
    deposit.later.push({
      atMs,
      tells: true,
      does: (one) => Object.assign(one, { state: "captured", captured: one.asked }),
    });
  }
}

function begin(world: World, acts: Act[]): void {
  for (let [act] = acts; act && act.atMs <= clock.atMs; [act] = acts) {
    acts.shift();
    world.tell(`the client asks: ${act.name}`);
    world.spawn("request", act.run);
  }
}

/** The real relay hands what the product wrote for its engine to the engine, or straight to the workflow that listens. */
async function relay(world: World): Promise<boolean> {
  let started = 0;
  await relayOutbox(systemSql(), async (events) => {
    if (isThroughEngine(world)) {
      started += await sendToEngine(world, events);
      return;
    }
    for (const { name, data } of events) {
      if (name !== OPERATION_REQUESTED) continue;
      for (let copy = world.draws.weighted(WAKINGS); copy > 0; copy--) {
        started += 1;
        world.spawn("worker", () => wake(name, data));
      }
    }
  });
  return started > 0;
}

/** Steps that an engine without memory runs: what it does twice must be harmless anyway. */
const STEPS = { run: (_id: string, work: () => unknown) => Promise.resolve(work()) };

const wake = (name: string, data: Record<string, unknown>): Promise<unknown> => {
  const given = { event: { id: "event", name, data }, step: STEPS, runId: "run", signal: new AbortController().signal };
  // Guarantee: this workflow uses `run` alone of the steps.
  return processPurchaseOperation.handler(given as unknown as Parameters<typeof processPurchaseOperation.handler>[0]);
};

/** Notifications come late, and again until they are thanked for. */
function tellNews(world: World): boolean {
  const news = world.bank.news.shift();
  if (!news) return false;
  const what = news.slot === NOBODY ? "what belongs to nobody" : `${news.method} ${news.slot}`;
  world.tell(`the provider tells of ${what}: ${news.state}`);
  const eventId = `${news.id}:${news.state}:${clock.atMs}`;
  const body = new TextEncoder().encode(JSON.stringify({ id: news.id, eventId }));
  world.spawn(
    "client",
    () => receiveNotification("simulated", news.providerId, new Headers(), body),
    () => false,
  );
  return true;
}

interface Due {
  jobMs: number;
  sweepMs: number;
  /** The sweep of what a dead process left of a single charge. */
  chargeMs: number;
  isToldSomething: boolean;
  isWatchOnly: boolean;
}
const NEVER = Number.POSITIVE_INFINITY;
const NOTHING_DUE: Due = { jobMs: NEVER, sweepMs: NEVER, chargeMs: NEVER, isToldSomething: false, isWatchOnly: false };

const minuteAfter = (at: Date | null | undefined): number =>
  at ? Math.ceil((at.getTime() + 1) / MINUTE_MS) * MINUTE_MS : NEVER;

/** A lease ends after its last moment, not at it. The sweep comes with the full minute. */
async function nextDue({ owner }: Shop): Promise<Due> {
  const [row] = await owner.sql<
    { job: Date | null; operation: Date | null; charge: Date | null; told: boolean; others: boolean }[]
  >`
    select (select min(greatest(d.wake_at, coalesce(d.lease_until, d.wake_at), coalesce(ahead.lease_until, d.wake_at)))
              from due_jobs d
              -- Of one object the earliest job alone is taken: the others wait for it, also for a dead worker's.
              left join lateral (select max(e.lease_until) as lease_until from due_jobs e
                                  where e.lane = d.lane and e.ref_id = d.ref_id and e.queue is not null
                                    and (e.due_at, e.id) < (d.due_at, d.id)) ahead on true) as job,
           (select min(coalesce(lease_until, run_at)) from purchase_operations
             where status in ('pending', 'processing') and run_at is not null) as operation,
           (select min(lease_until) from charges where lease_until is not null and purchase_id is null) as charge,
           exists (select 1 from outbox where relayed_at is null) as told,
           exists (select 1 from due_jobs where kind <> 'orphan.watch') as others`;
  const jobMs = row?.job ? row.job.getTime() + 1 : NEVER;
  const sweepMs = minuteAfter(row?.operation);
  const chargeMs = minuteAfter(row?.charge);
  return {
    jobMs,
    sweepMs,
    chargeMs,
    isToldSomething: row?.told === true,
    isWatchOnly: row?.others === false && !row.operation && !row.charge,
  };
}
