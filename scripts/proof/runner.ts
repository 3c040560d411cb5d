import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { type PartReport, percentileOf, readReport } from "@/lib/proof/report";
import { realNow } from "@/lib/time";
import { PARTS, type ProofPart } from "@/scripts/proof/parts";
import { type Ran, together, writeReport } from "@/scripts/proof/report";
import { inRoot } from "@/scripts/start/paths";
import { say } from "@/scripts/start/progress";
import { runNode } from "@/scripts/suite/command";

const USAGE = `npm run proof -- [--only name,name] [--size small|full | --count n] [--again] [--mended] [--minutes n] [--processes n]
  --only       these parts alone: ${PARTS.map(({ name }) => name).join(", ")}
  --size       small tries everything in minutes; full, the default, is what the page shows
  --count      so many of each part instead of its size's
  --again      begins anew; without it a part goes on where it stopped
  --mended     runs the chunks of violations once more: those that hold now are kept as found and mended
  --minutes    begins nothing new after so many minutes; what ran stays in the report
  --processes  at once, where a part can use several (default: one for each core); more help those that mostly wait`;

const NOTHING: Ran = { ran: 0, violations: [], figures: {}, met: {}, times: {} };

interface Options {
  parts: readonly ProofPart[];
  size: "small" | "full";
  count: number | undefined;
  again: boolean;
  mended: boolean;
  untilMs: number;
  processes: number;
}

const handedOver = z.object({
  ran: z.int(),
  violations: z.array(z.string()),
  figures: z.record(z.string(), z.number()).default({}),
  met: z.record(z.string(), z.array(z.string())).default({}),
  times: z.record(z.string(), z.array(z.number())).default({}),
});

/** Runs the proofs and keeps the report; answers the exit code. */
export async function runProof(given: string[]): Promise<number> {
  const options = optionsOf(given);
  if (!options) {
    say(USAGE);
    return 2;
  }
  let isWhole = true;
  for (const part of options.parts) {
    if (!existsSync(inRoot(part.file))) {
      say(`${part.name}: not in this checkout`);
      isWhole = false;
      continue;
    }
    const report = await runPart(part, options);
    if (report.violations.length > 0) isWhole = false;
  }
  return isWhole ? 0 : 1;
}

const SWITCHES = ["--again", "--mended"];

function optionsOf(given: string[]): Options | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index < given.length; index++) {
    const [name = "", joined] = (given[index] ?? "").split("=");
    if (SWITCHES.includes(name)) values.set(name, "yes");
    else values.set(name, joined ?? given[++index] ?? "");
  }
  const known = [...SWITCHES, "--only", "--size", "--count", "--minutes", "--processes"];
  if ([...values.keys()].some((name) => !known.includes(name))) return undefined;
  const size = values.get("--size") ?? "full";
  const names = values.get("--only")?.split(",");
  const parts = PARTS.filter(({ name }) => names === undefined || names.includes(name));
  if ((size !== "small" && size !== "full") || parts.length !== (names?.length ?? PARTS.length)) return undefined;
  const count = values.has("--count") ? Number(values.get("--count")) : undefined;
  if (count !== undefined && !(Number.isInteger(count) && count > 0)) return undefined;
  const minutes = Number(values.get("--minutes") ?? Number.POSITIVE_INFINITY);
  return {
    parts,
    size,
    count,
    again: values.has("--again"),
    mended: values.has("--mended"),
    untilMs: realNow().getTime() + minutes * 60_000,
    processes: Number(values.get("--processes") ?? availableParallelism()),
  };
}

async function runPart(part: ProofPart, options: Options): Promise<PartReport> {
  const asked = options.count ?? part[options.size];
  let report = begun(part, asked, options);
  if (options.mended) report = await runMended(part, report, options);
  while (report.ran < asked && realNow().getTime() < options.untilMs) {
    const from = report.seeds === null ? 0 : report.seeds.last;
    const startedMs = realNow().getTime();
    const sizes = chunksOf(part, asked - report.ran, options.processes);
    const ran = await Promise.all(
      sizes.map((size, nth) => runChunk(part, from + nth * part.chunk, size, options.processes)),
    );
    const now = ran.reduce<Ran>(together, { ...NOTHING, violations: [] });
    const runs = sizes.reduce((sum, size) => sum + size, 0);
    if (now.ran === 0 && now.violations.length === 0) now.violations.push("nothing ran");
    report = together(report, now);
    report = {
      ...report,
      seeds: { first: report.seeds?.first ?? from + 1, last: from + runs },
      commits: [...new Set([...report.commits, commit()])],
      dirty: report.dirty || isDirty(),
      seconds: Math.round(report.seconds + (realNow().getTime() - startedMs) / 1_000),
      endedAt: realNow().toISOString(),
    };
    keep(report);
    say(
      `${part.name}: ${report.ran} of ${asked} ${part.unit}, ${report.violations.length} violations${timesOf(report)}`,
    );
    if (now.ran === 0) break;
  }
  return report;
}

const P95 = 0.95;

function timesOf({ times }: PartReport): string {
  const all = Object.values(times).flat();
  if (all.length === 0) return "";
  const one = (name: string, seconds: readonly number[]) => `${name} ${percentileOf(seconds, P95).toFixed(1)} s`;
  const each = Object.entries(times).map(([name, seconds]) => one(name, seconds));
  return `; p95 ${one("of all", all)} (${each.join(", ")})`;
}

/** Of a violation that names its seed: how many ran before the chunk that it was found in. */
function chunkOf({ chunk }: ProofPart, violation: string): number | undefined {
  const seed = Number(/\bSEED=(\d+)/.exec(violation)?.[1] ?? Number.NaN);
  return Number.isNaN(seed) ? undefined : Math.floor((seed - 1) / chunk) * chunk;
}

async function runMended(part: ProofPart, found: PartReport, { processes }: Options): Promise<PartReport> {
  if (isDirty()) throw new Error("commit first: what was mended is known by its commit");
  let report = found;
  const chunks = new Set(found.violations.map((violation) => chunkOf(part, violation)));
  for (const from of chunks) {
    if (from === undefined) continue;
    const now = await runChunk(part, from, Math.min(part.chunk, report.asked - from), processes);
    const holds = now.ran > 0 && now.violations.length === 0;
    say(`${part.name}: ${from + 1} to ${from + part.chunk} again, ${now.violations.length} violations`);
    if (!holds) continue;
    const ours = report.violations.filter((violation) => chunkOf(part, violation) === from);
    report = {
      ...report,
      violations: report.violations.filter((violation) => !ours.includes(violation)),
      mended: [...report.mended, ...ours.map((violation) => ({ violation, commit: commit() }))],
      commits: [...new Set([...report.commits, commit()])],
      endedAt: realNow().toISOString(),
    };
    keep(report);
  }
  return report;
}

function begun(part: ProofPart, asked: number, { again, size, count }: Options): PartReport {
  const known = readReport(inRoot())?.parts.find(({ name }) => name === part.name);
  const commandSize = count !== undefined ? ` --count ${count}` : size === "full" ? "" : ` --size ${size}`;
  const at = realNow().toISOString();
  if (known && !again && known.asked === asked) return known;
  return {
    name: part.name,
    unit: part.unit,
    asked,
    ran: 0,
    commits: [],
    dirty: false,
    seeds: null,
    violations: [],
    mended: [],
    figures: {},
    met: {},
    times: {},
    seconds: 0,
    startedAt: at,
    endedAt: at,
    command: `npm run proof -- --only ${part.name}${commandSize}`,
  };
}

/** How many each chunk of one round runs: all are full but the last one of a part. */
function chunksOf({ chunk, waits }: ProofPart, left: number, processes: number): number[] {
  const most = waits ? processes : 1;
  return Array.from({ length: Math.min(most, Math.ceil(left / chunk)) }, (_, nth) =>
    Math.min(chunk, left - nth * chunk),
  );
}

async function runChunk(part: ProofPart, from: number, runs: number, processes: number) {
  const folder = inRoot(".data", "proof");
  mkdirSync(folder, { recursive: true });
  const out = `${folder}/${part.name}-${from}.jsonl`;
  rmSync(out, { force: true });
  const { code, output } = await runNode(
    [
      inRoot("node_modules", "vitest/vitest.mjs"),
      ...["run", "--config", "lib/testing/vitest.config.ts", "--reporter=default", part.file],
      ...(part.test ? ["--testNamePattern", part.test] : []),
    ],
    {
      NODE_ENV: "test",
      PROOF_OUT: out,
      PROOF_RUNS: String(runs),
      PROOF_FROM: String(from),
      PROOF_PROCESSES: String(processes),
    },
  );
  const lines = existsSync(out) ? readFileSync(out, "utf8").trim().split("\n").filter(Boolean) : [];
  rmSync(out, { force: true });
  const records = lines.map((line) => handedOver.parse(JSON.parse(line)));
  const sum = records.reduce<Ran>(together, { ...NOTHING, violations: [] });
  if (code !== 0 && sum.violations.length === 0) {
    sum.violations.push(`${part.file} failed: ${whyOf(output).join(" / ")}`);
  }
  return sum;
}

const MOST_LINES = 12;

/** From the first error on; where none is named, the end. */
function whyOf(output: string): string[] {
  const lines = output.trim().split("\n");
  const first = lines.findIndex((line) => /\b\w*Error:/.test(line));
  return first === -1 ? lines.slice(-MOST_LINES) : lines.slice(first, first + MOST_LINES);
}

/** Only this part is changed: another one may be running beside it. */
function keep(part: PartReport): void {
  const known = readReport(inRoot());
  const others = known?.parts.filter(({ name }) => name !== part.name) ?? [];
  const order = PARTS.map(({ name }) => name);
  writeReport({
    commit: commit(),
    writtenAt: realNow().toISOString(),
    machine: { cores: availableParallelism(), node: process.version, platform: `${process.platform} ${process.arch}` },
    parts: [...others, part].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
  });
}

const git = (...given: string[]): string => execFileSync("git", given, { cwd: inRoot(), encoding: "utf8" }).trim();
const commit = (): string => git("rev-parse", "HEAD");
/** The report itself is written while the proofs run. */
const isDirty = (): boolean =>
  git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)proof").length > 0;
