import { workTreeOf } from "@/bench/compare/earlier";
import type { HostQuestion, Opened, Usage, What } from "@/bench/compare/host";
import { type Measured, median, percentile, perSecond } from "@/bench/latencies";
import { launch, type Worker } from "@/bench/processes";

export interface Plan {
  what: What;
  rounds: number;
  requests: number;
  warmUp: number;
  /** One table each. */
  connections: readonly number[];
  /** An earlier commit of the product. */
  against?: string | undefined;
  /** A folder for CPU profiles of the product. */
  profile?: string | undefined;
}

export interface Result {
  name: string;
  perSecond: number;
  p50: number;
  p99: number;
  /** Milliseconds of CPU for one request: the serving process, and PostgreSQL. */
  node: number;
  database: number;
  /** Cores in use by both while it is measured. */
  cores: number;
  walBytes: number;
  statements: number;
  roundTrips: number;
  /** Requests a second, round by round: a median of ratios outlives a busy machine. */
  rounds: number[];
}

interface Contender {
  name: string;
  host: Worker;
  opened: Opened;
}

const ask = <T>(host: Worker, question: HostQuestion): Promise<T> => host.ask<T>(question);

/**
 * The product, an earlier commit of it and, for charges, the fixed minimum, each with a PostgreSQL of its own, taking
 * turns.
 */
export async function measureWrites(plan: Plan, say: (line: string) => void): Promise<Map<number, Result[]>> {
  const earlier = plan.against === undefined ? undefined : workTreeOf(plan.against);
  const entries: [string, Worker][] = [
    ["Trilho", launch("compare/host.ts")],
    ...(earlier
      ? ([[`Trilho ${earlier.commit}`, launch("compare-host.ts", { folder: earlier.folder })]] satisfies [
          string,
          Worker,
        ][])
      : []),
    ...(plan.what === "charges"
      ? ([["the fixed minimum", launch("compare/minimum.ts")]] satisfies [string, Worker][])
      : []),
  ];
  const load = launch("load.ts");
  const contenders: Contender[] = [];
  try {
    for (const [name, host] of entries) {
      say(`${plan.what}: ${name}`);
      const profile = name === "Trilho" ? plan.profile : undefined;
      const opened = await ask<Opened>(host, { ask: "open", what: plan.what, ...(profile ? { profile } : {}) });
      contenders.push({ name, host, opened });
    }
    const results = new Map<number, Result[]>();
    for (const connections of plan.connections) {
      say(`${plan.what}: in turns at ${connections} connections`);
      results.set(connections, await inTurns(contenders, load, plan, connections));
    }
    return results;
  } finally {
    for (const { host } of contenders) await ask(host, { ask: "close" });
    for (const [, host] of entries) await host.stop();
    await load.stop();
  }
}

const ANSWERED: Record<What, number> = { charges: 201, purchases: 202 };

interface Sample {
  measured: Measured;
  before: Usage;
  after: Usage;
}

async function inTurns(contenders: Contender[], load: Worker, plan: Plan, connections: number): Promise<Result[]> {
  const samples = new Map<Contender, Sample[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await run(contender, load, plan, plan.warmUp, connections);
  for (let round = 0; round < plan.rounds; round++) {
    for (const contender of contenders) {
      samples.get(contender)?.push(await run(contender, load, plan, plan.requests, connections));
    }
  }
  return [...samples].map(([contender, taken]) => resultOf(contender, taken));
}

async function run(
  { host, opened }: Contender,
  load: Worker,
  { what }: Plan,
  count: number,
  connections: number,
): Promise<Sample> {
  const bodies = await ask<string[]>(host, { ask: "bodies", count });
  const before = await ask<Usage>(host, { ask: "usage" });
  const measured = await load.ask<Measured>({
    origin: `http://127.0.0.1:${opened.port}`,
    method: "POST",
    path: `/v1/${what}`,
    headers: opened.headers,
    bodies,
    connections,
    expected: ANSWERED[what],
  });
  return { measured, before, after: await ask<Usage>(host, { ask: "usage" }) };
}

function resultOf({ name, opened }: Contender, samples: Sample[]): Result {
  const latencies = samples.flatMap(({ measured }) => measured.latencies).sort((a, b) => a - b);
  const perRequest = (part: keyof Usage): number =>
    median(samples.map(({ before, after, measured }) => (after[part] - before[part]) / measured.requests));
  const rounds = samples.map(({ measured }) => perSecond(measured));
  const seconds = ({ before, after }: Sample): number =>
    after.nodeSeconds - before.nodeSeconds + after.databaseSeconds - before.databaseSeconds;
  return {
    name,
    perSecond: median(rounds),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    node: perRequest("nodeSeconds") * 1_000,
    database: perRequest("databaseSeconds") * 1_000,
    cores: median(samples.map((sample) => seconds(sample) / sample.measured.seconds)),
    walBytes: perRequest("walBytes"),
    statements: opened.statements,
    roundTrips: opened.roundTrips,
    rounds,
  };
}

/** The median over the rounds of one contender's speed against another's. */
export const ratioOf = (one: Result, other: Result): number =>
  median(one.rounds.map((speed, round) => speed / (other.rounds[round] ?? Number.NaN)));
