import type { BareQuestion } from "@/bench/charges/bare";
import { type Recording, recordCharge } from "@/bench/charges/recording";
import { headersOf, makeTokens, newChargeOf, type Shop, type Token } from "@/bench/charges/shop";
import { type Measured, median, percentile, perSecond } from "@/bench/latencies";
import type { Load } from "@/bench/load";
import { serverCpuSeconds } from "@/bench/machine";
import { launch, type Worker } from "@/bench/processes";

export const CONNECTIONS = 32;

export interface Plan {
  rounds: number;
  requests: number;
  warmUp: number;
  /** A folder for CPU profiles of the product. */
  profile?: string | undefined;
}

export interface Result {
  name: string;
  perSecond: number;
  p50: number;
  p95: number;
  /** Microseconds of CPU for one request: the serving process, and PostgreSQL. */
  cpu: number;
  databaseCpu: number;
  /** Requests a second against each other contender in the same round: a median of ratios outlives a busy machine. */
  rounds: number[];
}

/** One way to serve the charge. */
interface Contender {
  name: string;
  run(tokens: Token[]): Promise<Measured>;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export async function measureCharges(
  shop: Shop,
  { url, pid }: { url: string; pid: number },
  plan: Plan,
): Promise<{ results: Result[]; recording: Recording }> {
  const recording = await recordCharge(shop);
  const load = launch("load.ts");
  const contenders = [
    await product(shop, load, plan.profile),
    await bareServer(shop, recording, url, load),
    await bareLoop(recording, url),
  ];
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  try {
    for (const contender of contenders) await contender.run(await makeTokens(shop, plan.warmUp));
    for (let round = 0; round < plan.rounds; round++) {
      for (const contender of contenders) {
        const tokens = await makeTokens(shop, plan.requests);
        const before = { own: await contender.cpuSeconds(), database: serverCpuSeconds(pid) };
        const measured = await contender.run(tokens);
        samples.get(contender.name)?.push({
          measured,
          own: (await contender.cpuSeconds()) - before.own,
          database: serverCpuSeconds(pid) - before.database,
        });
      }
    }
  } finally {
    for (const contender of contenders) await contender.stop();
    await load.stop();
  }
  return { results: [...samples].map(([name, taken]) => resultOf(name, taken)), recording };
}

interface Sample {
  measured: Measured;
  own: number;
  database: number;
}

const MICROSECONDS = 1_000_000;

function resultOf(name: string, samples: Sample[]): Result {
  const latencies = samples.flatMap(({ measured }) => measured.latencies).sort((a, b) => a - b);
  const perRequest = (part: (sample: Sample) => number): number =>
    median(samples.map((sample) => (part(sample) / sample.measured.requests) * MICROSECONDS));
  const rounds = samples.map(({ measured }) => perSecond(measured));
  return {
    name,
    perSecond: median(rounds),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    cpu: perRequest(({ own }) => own),
    databaseCpu: perRequest(({ database }) => database),
    rounds,
  };
}

/** The median over the rounds of one contender's speed against another's. */
export const ratioOf = (one: Result, other: Result): number =>
  median(one.rounds.map((speed, round) => speed / (other.rounds[round] ?? Number.NaN)));

async function product(shop: Shop, load: Worker, profile: string | undefined): Promise<Contender> {
  const server = launch("charges/product.ts", { profile });
  const usage = () => server.ask<{ port: number; cpuSeconds: number }>({});
  const { port } = await usage();
  return {
    name: "Trilho",
    run: (tokens) => load.ask<Measured>(loadOn(port, shop, tokens)),
    cpuSeconds: async () => (await usage()).cpuSeconds,
    stop: server.stop,
  };
}

const loadOn = (port: number, shop: Shop, tokens: Token[]): Load => ({
  origin: `http://127.0.0.1:${port}`,
  method: "POST",
  path: "/v1/charges",
  headers: headersOf(shop),
  bodies: tokens.map((token) => newChargeOf(shop, token)),
  connections: CONNECTIONS,
  expected: 201,
});

const ask = <T>(worker: Worker, question: BareQuestion): Promise<T> => worker.ask<T>(question);
const cpuOf = async (worker: Worker): Promise<number> =>
  (await ask<{ cpuSeconds: number }>(worker, { ask: "usage" })).cpuSeconds;

async function bareServer(shop: Shop, recording: Recording, url: string, load: Worker): Promise<Contender> {
  const server = launch("charges/bare.ts");
  const { port } = await ask<{ port: number }>(server, { ask: "open", recording, url, tokens: [] });
  return {
    name: "node:http, the same statements",
    async run(tokens) {
      await ask(server, { ask: "tokens", tokens });
      return load.ask<Measured>(loadOn(port, shop, tokens));
    },
    cpuSeconds: () => cpuOf(server),
    stop: server.stop,
  };
}

async function bareLoop(recording: Recording, url: string): Promise<Contender> {
  const loop = launch("charges/bare.ts");
  await ask(loop, { ask: "open", recording, url, tokens: [] });
  return {
    name: "no HTTP, the same statements",
    run: (tokens) => ask<Measured>(loop, { ask: "loop", tokens, hands: CONNECTIONS }),
    cpuSeconds: () => cpuOf(loop),
    stop: loop.stop,
  };
}
