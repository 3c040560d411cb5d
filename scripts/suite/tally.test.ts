import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import suite from "@/lib/testing/vitest.config";
import { checkTally, playwrightTally, slowest, sum, vitestTally } from "@/scripts/suite/tally";

const folder = mkdtempSync(join(tmpdir(), "tally-"));
const AT_HAND = { isUnstableFailed: false };
afterAll(() => rmSync(folder, { recursive: true }));
const report = (content: unknown): string => {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
};

it("counts what the reports count", () => {
  expect(vitestTally(report({ numPassedTests: 7, numFailedTests: 2 }), 1)).toMatchObject({ passed: 7, failed: 2 });
  expect(playwrightTally(report({ stats: { expected: 3, unexpected: 1, flaky: 0 } }), 1, AT_HAND)).toMatchObject({
    passed: 3,
    failed: 1,
  });
});

it("names a journey that passed only at the second try, and counts it as failed where nobody looks", () => {
  const tests = [{ status: "flaky", results: [{ duration: 1_500 }, { duration: 500 }] }];
  const specs = [{ title: "pays", file: "pay.spec.ts", tests }];
  const file = report({ stats: { expected: 3, unexpected: 0, flaky: 1 }, suites: [{ specs }] });
  const told = {
    failures: [],
    unstable: ["pay.spec.ts › pays"],
    notRun: [],
    files: [{ name: "pay.spec.ts", seconds: 2 }],
  };
  expect(playwrightTally(file, 0, AT_HAND)).toEqual({ ...told, passed: 4, failed: 0 });
  expect(playwrightTally(file, 1, { isUnstableFailed: true })).toEqual({ ...told, passed: 3, failed: 1 });
});

it("gives no unit test a second try", () => {
  expect(suite.test?.retry ?? 0).toBe(0);
});

it("names what the unit tests left out and why, and the files that took longest", () => {
  const left = (leftOut?: string) => ({ fullName: "signs", status: "skipped", meta: leftOut ? { leftOut } : {} });
  const assertionResults = [left("openssl is not on this machine"), left("openssl is not on this machine"), left()];
  const file = report({
    numPassedTests: 0,
    numFailedTests: 0,
    testResults: [
      { name: "lib/a.test.ts", status: "passed", startTime: 1_000, endTime: 3_500, assertionResults },
      { name: "lib/b.test.ts", status: "passed", startTime: 1_000, endTime: 14_500, assertionResults: [] },
    ],
  });
  const { notRun, files } = vitestTally(file, 0);
  expect(notRun).toEqual(["openssl is not on this machine: 2 tests", "nothing says why: 1 test"]);
  expect(slowest(files)).toEqual(["   13.5 s  lib/b.test.ts", "    2.5 s  lib/a.test.ts"]);
});

it("counts a crash as a failure, with a report and without one", () => {
  expect(vitestTally(report({ numPassedTests: 7, numFailedTests: 0 }), 1)).toMatchObject({ passed: 7, failed: 1 });
  expect(vitestTally(join(folder, "absent.json"), 1)).toMatchObject({ passed: 0, failed: 1 });
  expect(checkTally(2)).toMatchObject({ passed: 0, failed: 1 });
});

it("adds everything up", () => {
  const some = { passed: 4, failed: 2, failures: ["a", "b"], unstable: ["c"], notRun: ["d"], files: [] };
  expect(sum([checkTally(0), some, checkTally(1)])).toEqual({ ...some, passed: 5, failed: 3 });
});

it("names each test that failed and why", () => {
  const unit = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: "lib/a.test.ts",
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "adds", status: "passed", failureMessages: [] },
          { fullName: "subtracts", status: "failed", failureMessages: ["expected 1 to be 2"] },
        ],
      },
      { name: "lib/b.test.ts", status: "failed", message: "no such module", assertionResults: [] },
    ],
  };
  expect(vitestTally(report(unit), 1).failures).toEqual([
    "lib/a.test.ts › subtracts\n    expected 1 to be 2",
    "lib/b.test.ts › does not run\n    no such module",
  ]);
  const journeys = {
    stats: { expected: 1, unexpected: 1, flaky: 0 },
    suites: [
      {
        specs: [{ title: "pays", file: "pay.spec.ts", tests: [{ status: "expected" }] }],
        suites: [{ specs: [{ title: "refunds", file: "pay.spec.ts", tests: [{ status: "unexpected" }] }] }],
      },
    ],
  };
  expect(playwrightTally(report(journeys), 1, AT_HAND).failures).toEqual(["pay.spec.ts › refunds"]);
});

it("tells the browsers apart, and names what was left out", () => {
  const left = (projectName: string, description: string) => ({
    status: "skipped",
    projectName,
    annotations: [{ type: "skip", description }],
  });
  const specs = ["pays", "splits"].map((title) => ({
    title,
    file: "browsers.spec.ts",
    // The report keeps `ok` of the first browser alone.
    ok: true,
    tests: [
      { status: "expected", projectName: "Chromium" },
      { status: title === "pays" ? "unexpected" : "expected", projectName: "Firefox" },
      left("WebKit", "WebKit is not on this machine"),
    ],
  }));
  const stats = { expected: 3, unexpected: 1, flaky: 0 };
  expect(playwrightTally(report({ stats, suites: [{ specs }] }), 1, AT_HAND)).toEqual({
    passed: 3,
    failed: 1,
    failures: ["browsers.spec.ts › pays (Firefox)"],
    unstable: [],
    notRun: ["WebKit is not on this machine: 2 journeys"],
    files: [{ name: "browsers.spec.ts", seconds: 0 }],
  });
});
