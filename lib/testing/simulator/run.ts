import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { bundled } from "@/lib/testing/simulator/bundle";
import { type Rewrite, SEAMS } from "@/lib/testing/simulator/seams";

export interface ScheduleResult {
  seed: number;
  wrongs: string[];
  calls: number;
  counts: Record<string, number>;
  story?: string[];
  print?: string;
}

export interface Simulation {
  results: ScheduleResult[];
  /** Rows of the transition tables that were taken, by their numbers. */
  rows: string[];
  /** A process ended by itself: only a seeded mistake may do that. */
  crashed: boolean;
}

export interface SimulationOptions {
  seeds: readonly number[];
  processes: number;
  /** An address of the server with the right to make databases, and the template to copy. */
  server: { adminUrl: string; template: string; run: string };
  /** Faults put into the product, to see that they are found. */
  faults?: readonly Rewrite[];
  name?: string;
  /** Ends the run at the first schedule that fails. */
  untilFirst?: boolean;
  story?: boolean;
}

/** Runs schedules in processes and databases of their own. */
export async function simulate({
  seeds,
  processes,
  server,
  faults = [],
  name = "simulator",
  untilFirst = false,
  story = false,
}: SimulationOptions): Promise<Simulation> {
  const program = await bundled("lib/testing/simulator/program.ts", name, [...SEAMS, ...faults]);
  const left = [...seeds];
  const parts = await Promise.all(
    Array.from({ length: Math.min(processes, seeds.length) }, (_, index) =>
      withDatabase(server, `${name}_${index}`, (url) =>
        work(program, url, left, { untilFirst, story, mayCrash: faults.length > 0 }),
      ),
    ),
  );
  rmSync(program, { force: true });
  const results = parts.flatMap((part) => part.results).sort((a, b) => a.seed - b.seed);
  const crashed = parts.some((part) => part.crashed);
  return { results, rows: [...new Set(parts.flatMap(({ rows }) => rows))], crashed };
}

/** One process takes seeds from the shared list until none is left. */
async function work(
  program: string,
  databaseUrl: string,
  left: number[],
  { untilFirst, story, mayCrash }: { untilFirst: boolean; story: boolean; mayCrash: boolean },
): Promise<Simulation> {
  const child = start(program, databaseUrl, story);
  const results: ScheduleResult[] = [];
  let rows: string[] = [];
  const next = (): void => {
    const seed = left.shift();
    child.stdin?.write(`${seed ?? "end"}\n`);
  };
  next();
  if (!child.stdout) throw new Error("a simulation without output");
  for await (const line of createInterface({ input: child.stdout })) {
    // Guarantee: the program writes these two shapes and nothing else.
    const told = JSON.parse(line) as ScheduleResult | { rows: string[] };
    if ("rows" in told) {
      rows = told.rows;
      continue;
    }
    results.push(told);
    if (untilFirst && told.wrongs.length > 0) left.length = 0;
    next();
  }
  const code = await ended(child);
  if (code !== 0 && !mayCrash) throw new Error(`a simulation ended with ${code} after seed ${results.at(-1)?.seed}`);
  return { results, rows, crashed: code !== 0 };
}

/** What a schedule makes is short-lived: with room for it, hardly anything is ever moved to be collected later. */
const MEMORY = "--max-semi-space-size=64";

const start = (program: string, databaseUrl: string, story: boolean): ChildProcess =>
  spawn(process.execPath, [MEMORY, ...(story ? ["--enable-source-maps"] : []), program], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      // Statement by statement, every actor may be in the middle of a transaction.
      DATABASE_POOL: "12",
      PROVIDER_TIMEOUT_MS: "20000",
      ...(story ? { STORY: "1" } : {}),
    },
  });

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => {
        child.on("exit", resolve);
      });

async function withDatabase<T>(
  { adminUrl, template, run }: SimulationOptions["server"],
  suffix: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const database = `${run}_${suffix.replaceAll(/\W/g, "_")}_${process.pid}`;
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql`create database ${sql(database)} template ${sql(template)}`;
    const url = new URL(adminUrl);
    url.pathname = `/${database}`;
    return await use(url.href);
  } finally {
    await sql`drop database if exists ${sql(database)} with (force)`;
    await sql.end({ timeout: 5 });
  }
}

/** The line that runs one seed again. */
export const again = (seed: number): string =>
  `SEED=${seed} npx vitest run --config lib/testing/vitest.config.ts lib/testing/simulator`;
