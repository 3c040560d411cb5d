import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { ROOT } from "@/scripts/start/paths";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** One entry per failure a report names: where, which promise, and why. */
  readonly failures: readonly string[];
  /** The same of what failed once and passed when tried again. */
  readonly unstable: readonly string[];
  /** What was left out, and why. */
  readonly notRun: readonly string[];
  /** How long the tests of each file took, in seconds. */
  readonly files: readonly FileTime[];
}

export interface FileTime {
  readonly name: string;
  readonly seconds: number;
}

const LONGEST_REASON = 1_500;
const MOST_FILES = 20;
const MS = 1_000;
/** What the unit tests' report calls a test that did not run. */
const NOT_RUN: readonly string[] = ["skipped", "pending", "todo", "disabled"];

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z
    .array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string().default(""),
        startTime: z.number().default(0),
        endTime: z.number().default(0),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
            meta: z.object({ leftOut: z.string().optional() }).optional(),
          }),
        ),
      }),
    )
    .default([]),
});

const journey = z.object({
  status: z.string(),
  projectName: z.string().default(""),
  annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })).default([]),
  results: z.array(z.object({ duration: z.number().default(0) })).default([]),
});
interface Suite {
  readonly specs: readonly { title: string; file: string; tests: readonly z.infer<typeof journey>[] }[];
  readonly suites?: readonly Suite[] | undefined;
}
const suiteOf: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    specs: z.array(
      z.object({
        title: z.string(),
        file: z.string(),
        tests: z.array(journey),
      }),
    ),
    suites: z.array(suiteOf).optional(),
  }),
);
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(suiteOf).default([]),
});

/** A run that ended badly without a failed test (a file that does not load, a crash) counts as one failure. */
function atLeastOne(tally: Tally, code: number): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

export function vitestTally(file: string, code: number): Tally {
  const report = vitestReport.safeParse(readReport(file)).data;
  const failures = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === "failed");
    if (failed.length > 0)
      return failed.map((result) => entry(name, result.fullName, result.failureMessages?.join("\n")));
    return status === "failed" ? [entry(name, "does not run", message)] : [];
  });
  const skipped = (report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => NOT_RUN.includes(status));
  const notRun = counted(
    skipped.map(({ meta }) => meta?.leftOut),
    "test",
  );
  const files = (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: shortened(name),
    seconds: Math.max(0, endTime - startTime) / MS,
  }));
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = report ?? {};
  return atLeastOne({ passed, failed, failures, unstable: [], notRun, files }, code);
}

/** `isUnstableFailed`: what passed only at its second try counts as failed. */
export function playwrightTally(
  file: string,
  code: number,
  { isUnstableFailed }: { isUnstableFailed: boolean },
): Tally {
  const report = playwrightReport.safeParse(readReport(file)).data;
  const specs = (within: readonly Suite[]): Suite["specs"] =>
    within.flatMap((each) => [...each.specs, ...specs(each.suites ?? [])]);
  // A promise is one spec with a test for each browser it is kept in.
  const all = specs(report?.suites ?? []).flatMap(({ file: where, title, tests }) =>
    tests.map((test) => ({
      ...test,
      where,
      told: entry(where, test.projectName ? `${title} (${test.projectName})` : title),
    })),
  );
  const thatAre = (wanted: string): typeof all => all.filter(({ status }) => status === wanted);
  const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {};
  return atLeastOne(
    {
      passed: expected + (isUnstableFailed ? 0 : flaky),
      failed: unexpected + (isUnstableFailed ? flaky : 0),
      failures: thatAre("unexpected").map(({ told }) => told),
      unstable: thatAre("flaky").map(({ told }) => told),
      notRun: counted(
        thatAre("skipped").map(({ annotations }) => annotations.find(({ type }) => type === "skip")?.description),
        "journey",
      ),
      files: timesOf(all.map(({ where, results }) => ({ name: where, ms: results.map(({ duration }) => duration) }))),
    },
    code,
  );
}

function timesOf(tests: readonly { name: string; ms: readonly number[] }[]): FileTime[] {
  const seconds = new Map<string, number>();
  for (const { name, ms } of tests) {
    seconds.set(
      name,
      ms.reduce((sum, one) => sum + one / MS, seconds.get(name) ?? 0),
    );
  }
  return [...seconds].map(([name, took]) => ({ name, seconds: took }));
}

/** The files that took longest, with their seconds. */
export const slowest = (files: readonly FileTime[]): string[] =>
  files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, MOST_FILES)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);

/** Each reason once, with how many it left out. */
function counted(reasons: readonly (string | undefined)[], what: "test" | "journey"): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const known = reason ?? "nothing says why";
    counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${reason}: ${count} ${what}${count === 1 ? "" : "s"}`);
}

export const checkTally = (code: number): Tally => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  failures: [],
  unstable: [],
  notRun: [],
  files: [],
});

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  failures: tallies.flatMap(({ failures }) => failures),
  unstable: tallies.flatMap(({ unstable }) => unstable),
  notRun: tallies.flatMap(({ notRun }) => notRun),
  files: tallies.flatMap(({ files }) => files),
});

const shortened = (where: string): string => where.replace(`${ROOT}/`, "");

const entry = (where: string, promise: string, why = ""): string =>
  `${shortened(where)} › ${promise}\n${why.slice(0, LONGEST_REASON).replace(/^/gm, "    ")}`.trimEnd();

function readReport(file: string): unknown {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}
