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
}

const LONGEST_REASON = 1_500;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z
    .array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string().default(""),
        assertionResults: z.array(
          z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
        ),
      }),
    )
    .default([]),
});

interface Suite {
  readonly specs: readonly {
    title: string;
    file: string;
    ok: boolean;
    tests?: readonly { status: string }[] | undefined;
  }[];
  readonly suites?: readonly Suite[] | undefined;
}
const suiteOf: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    specs: z.array(
      z.object({
        title: z.string(),
        file: z.string(),
        ok: z.boolean(),
        tests: z.array(z.object({ status: z.string() })).optional(),
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
  const unstable = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === "passed" && failureMessages && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => entry(name, fullName, failureMessages?.join("\n"))),
  );
  return atLeastOne(
    { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, failures, unstable },
    code,
  );
}

export function playwrightTally(file: string, code: number): Tally {
  const report = playwrightReport.safeParse(readReport(file)).data;
  const specs = (within: readonly Suite[]): Suite["specs"] =>
    within.flatMap((each) => [...each.specs, ...specs(each.suites ?? [])]);
  const all = specs(report?.suites ?? []);
  const named = (some: Suite["specs"]): string[] => some.map(({ file: where, title }) => entry(where, title));
  const failures = named(all.filter(({ ok }) => !ok));
  const unstable = named(all.filter(({ tests = [] }) => tests.some(({ status }) => status === "flaky")));
  const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {};
  return atLeastOne({ passed: expected + flaky, failed: unexpected, failures, unstable }, code);
}

export const checkTally = (code: number): Tally => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  failures: [],
  unstable: [],
});

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  failures: tallies.flatMap(({ failures }) => failures),
  unstable: tallies.flatMap(({ unstable }) => unstable),
});

const entry = (where: string, promise: string, why = ""): string =>
  `${where.replace(`${ROOT}/`, "")} › ${promise}\n${why.slice(0, LONGEST_REASON).replace(/^/gm, "    ")}`.trimEnd();

function readReport(file: string): unknown {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}
