import { workTreeOf } from "@/bench/compare/earlier";
import type { Acquirer, HostQuestion, Opened, Usage, What } from "@/bench/compare/host";
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
  /** Of charges: how else SANDBOX is reached, by how many web processes else they are served, and who else takes them. */
  besides?: {
    acquirers: readonly ("http" | "external")[];
    processes: readonly number[];
    isNext: boolean;
  };
}

/** `product` is measured as it is usually; the others say what differs. */
export type Kind = "product" | "http" | "external" | "processes" | "earlier" | "next" | "minimum";

export interface Result {
  name: string;
  kind: Kind;
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

interface Entrant {
  name: string;
  kind: Kind;
  host: Worker;
  acquirer?: Acquirer;
  profile?: string | undefined;
}

interface Contender extends Entrant {
  opened: Opened;
}

const ask = <T>(host: Worker, question: HostQuestion): Promise<T> => host.ask<T>(question);

/** Each with a PostgreSQL of its own, taking turns: the product first. */
export async function measureWrites(plan: Plan, say: (line: string) => void): Promise<Map<number, Result[]>> {
  const stub = plan.besides?.acquirers.includes("external") ? launch("compare/stub.ts") : undefined;
  const external = stub && `http://127.0.0.1:${(await stub.ask<{ port: number }>({})).port}`;
  const entrants = entrantsOf(plan, external);
  const load = launch("load.ts");
  const contenders: Contender[] = [];
  try {
    for (const entrant of entrants) {
      const { name, host, acquirer, profile } = entrant;
      say(`${plan.what}: ${name}`);
      const opened = await ask<Opened>(host, {
        ask: "open",
        what: plan.what,
        ...(profile ? { profile } : {}),
        ...(acquirer ? { acquirer } : {}),
      });
      contenders.push({ ...entrant, opened });
    }
    const results = new Map<number, Result[]>();
    for (const connections of plan.connections) {
      say(`${plan.what}: in turns at ${connections} connections`);
      results.set(connections, await inTurns(contenders, load, plan, connections));
    }
    return results;
  } finally {
    for (const { host } of contenders) await ask(host, { ask: "close" });
    for (const { host } of entrants) await host.stop();
    await Promise.all([load.stop(), stub?.stop()]);
  }
}

function entrantsOf({ what, against, besides, profile }: Plan, external: string | undefined): Entrant[] {
  const earlier = against === undefined ? undefined : workTreeOf(against);
  const elsewhere: Acquirer | undefined = external === undefined ? undefined : { transport: "http", external };
  const hosted = (world: string, environment: Record<string, string> = {}): Worker =>
    launch("compare/host.ts", { environment: { BENCH_WORLD: world, ...environment } });
  const hostOfEarlier = (world: string): Worker =>
    launch("compare-host.ts", { folder: earlier?.folder ?? "", environment: { BENCH_WORLD: world } });
  return [
    { name: "Trilho", kind: "product", host: hosted("bench"), profile },
    ...(besides?.acquirers.includes("http")
      ? [
          {
            name: "Trilho, SANDBOX over HTTP",
            kind: "http" as const,
            host: hosted("bench-http"),
            acquirer: { transport: "http" as const },
          },
        ]
      : []),
    ...(elsewhere
      ? [
          {
            name: "Trilho, an acquirer elsewhere",
            kind: "external" as const,
            host: hosted("bench-external"),
            acquirer: elsewhere,
          },
        ]
      : []),
    ...(besides?.processes ?? []).map((count) => ({
      name: `Trilho, ${count} web processes`,
      kind: "processes" as const,
      host: hosted(`bench-${count}`, { WEB_PROCESSES: String(count) }),
    })),
    ...(earlier ? [{ name: `Trilho ${earlier.commit}`, kind: "earlier" as const, host: hostOfEarlier("bench") }] : []),
    ...(besides?.isNext ? [{ name: "Next with Drizzle", kind: "next" as const, host: launch("compare/next.ts") }] : []),
    ...(what === "charges"
      ? [{ name: "the fixed minimum", kind: "minimum" as const, host: launch("compare/minimum.ts") }]
      : []),
  ];
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

function resultOf({ name, kind, opened }: Contender, samples: Sample[]): Result {
  const latencies = samples.flatMap(({ measured }) => measured.latencies).sort((a, b) => a - b);
  const perRequest = (part: keyof Usage): number =>
    median(samples.map(({ before, after, measured }) => (after[part] - before[part]) / measured.requests));
  const rounds = samples.map(({ measured }) => perSecond(measured));
  const seconds = ({ before, after }: Sample): number =>
    after.nodeSeconds - before.nodeSeconds + after.databaseSeconds - before.databaseSeconds;
  return {
    name,
    kind,
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
