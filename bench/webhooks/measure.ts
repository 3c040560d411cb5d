import { type Measured, median, percentile, perSecond } from "@/bench/latencies";
import { serverCpuSeconds } from "@/bench/machine";
import { launch, type Worker } from "@/bench/processes";
import { emitOne, fillOutbox, isAnythingOpen, type Subscriber, subscribe } from "@/bench/webhooks/shops";
import { pause } from "@/lib/wait";

const CLIENTS = 40;
const CONNECTIONS = 16;
const LOOK_AGAIN_MS = 5;
const ONE_IN_DEAD = 10;
const MILLION = 1_000_000;

export interface WebhookPlan {
  rounds: number;
  deliveries: number;
  /** Events of the paced runs, and how many of them a second. */
  paced: number;
  pace: number;
}

export interface WebhookResults {
  floor: number;
  product: number;
  ratio: number;
  /** Microseconds of CPU for one delivery. */
  cpu: { worker: number; database: number };
  firstAttempt: { p50: number; p95: number };
  withDead: { p50: number; p99: number };
}

interface Open {
  port: number;
  deadPort: number;
}

export async function measureWebhooks(
  databasePid: number,
  plan: WebhookPlan,
  profile?: string,
): Promise<WebhookResults> {
  const [sink, floor, product] = ["webhooks/sink.ts", "webhooks/floor.ts", "webhooks/product.ts"].map((script) =>
    launch(script, script.includes("product") && profile ? { profile } : {}),
  ) as [Worker, Worker, Worker];
  try {
    const { port, deadPort } = await sink.ask<Open>({ ask: "open" });
    const shops = await subscribe(CLIENTS, (index) => `http://127.0.0.1:${port}/hook/${index}`);
    const rounds: { floor: number; product: number; worker: number; database: number }[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      const bodies = await fillOutbox(shops, plan.deliveries);
      const own = await floor.ask<Measured>({ port, bodies, connections: CONNECTIONS });
      await sink.ask({ ask: "forget" });
      const cpu = { worker: await cpuOf(product), database: serverCpuSeconds(databasePid) };
      const began = performance.now();
      await product.ask({ ask: "start" });
      while ((await sink.ask<number>({ ask: "count" })) < plan.deliveries) await pause(LOOK_AGAIN_MS);
      while (await isAnythingOpen()) await pause(LOOK_AGAIN_MS);
      const seconds = (performance.now() - began) / 1_000;
      const each = (used: number) => (used / plan.deliveries) * MILLION;
      // The first round warms everything up.
      if (round > 0)
        rounds.push({
          floor: perSecond(own),
          product: plan.deliveries / seconds,
          worker: each((await cpuOf(product)) - cpu.worker),
          database: each(serverCpuSeconds(databasePid) - cpu.database),
        });
      await product.ask({ ask: "stop" });
    }
    await sink.ask({ ask: "forget" });
    await product.ask({ ask: "start" });
    const firstAttempt = await pacedRun(sink, shops, plan);
    const mixed = await subscribe(CLIENTS, (index) =>
      index % ONE_IN_DEAD === 0
        ? `http://127.0.0.1:${deadPort}/dead/${index}`
        : `http://127.0.0.1:${port}/mixed/${index}`,
    );
    const withDead = await pacedRun(sink, mixed, plan, (index) => index % ONE_IN_DEAD !== 0);
    return {
      floor: median(rounds.map((each) => each.floor)),
      product: median(rounds.map((each) => each.product)),
      ratio: median(rounds.map((each) => each.product / each.floor)),
      cpu: {
        worker: median(rounds.map(({ worker }) => worker)),
        database: median(rounds.map(({ database }) => database)),
      },
      firstAttempt: { p50: percentile(firstAttempt, 0.5), p95: percentile(firstAttempt, 0.95) },
      withDead: { p50: percentile(withDead, 0.5), p99: percentile(withDead, 0.99) },
    };
  } finally {
    await Promise.all([sink, floor, product].map((one) => one.stop()));
  }
}

const cpuOf = async (product: Worker): Promise<number> =>
  (await product.ask<{ cpuSeconds: number }>({ ask: "usage" })).cpuSeconds;

const PATIENCE_MS = 20_000;

/** Milliseconds from commit to arrival, sorted, of events at a steady pace; of the endpoints that answer. */
async function pacedRun(
  sink: Worker,
  shops: readonly Subscriber[],
  { paced, pace }: WebhookPlan,
  isAlive: (index: number) => boolean = () => true,
): Promise<number[]> {
  await sink.ask({ ask: "forget" });
  const committed = new Map<string, number>();
  const writing: Promise<void>[] = [];
  const began = performance.now();
  for (let index = 0; index < paced; index++) {
    const shop = shops[index % shops.length];
    if (!shop) throw new Error("subscribed above");
    writing.push(
      emitOne(shop).then(({ id, at }) => {
        if (isAlive(index % shops.length)) committed.set(id, at);
      }),
    );
    const behindMs = began + ((index + 1) * 1_000) / pace - performance.now();
    if (behindMs > 0) await pause(behindMs);
  }
  await Promise.all(writing);
  const untilMs = performance.now() + PATIENCE_MS;
  while ((await sink.ask<number>({ ask: "count" })) < committed.size && performance.now() < untilMs)
    await pause(LOOK_AGAIN_MS);
  const arrivals = new Map(await sink.ask<[string, number][]>({ ask: "arrivals" }));
  return [...committed].map(([id, at]) => Math.max(0, (arrivals.get(id) ?? Infinity) - at)).sort((a, b) => a - b);
}
