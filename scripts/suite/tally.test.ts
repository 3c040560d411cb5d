import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { checkTally, playwrightTally, sum, vitestTally } from "@/scripts/suite/tally";

const folder = mkdtempSync(join(tmpdir(), "tally-"));
afterAll(() => rmSync(folder, { recursive: true }));
const report = (content: unknown): string => {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
};

it("counts what the reports count", () => {
  expect(vitestTally(report({ numPassedTests: 7, numFailedTests: 2 }), 1)).toMatchObject({ passed: 7, failed: 2 });
  expect(playwrightTally(report({ stats: { expected: 3, unexpected: 1, flaky: 0 } }), 1)).toMatchObject({
    passed: 3,
    failed: 1,
  });
});

it("names what passed only at the second try", () => {
  const assertionResults = [{ fullName: "adds", status: "passed", failureMessages: ["expected 1 to be 2"] }];
  const testResults = [{ name: "lib/a.test.ts", status: "passed", message: "", assertionResults }];
  expect(vitestTally(report({ numPassedTests: 1, numFailedTests: 0, testResults }), 0)).toEqual({
    passed: 1,
    failed: 0,
    failures: [],
    unstable: ["lib/a.test.ts › adds\n    expected 1 to be 2"],
    notRun: [],
  });
  const specs = [{ title: "pays", file: "pay.spec.ts", tests: [{ status: "flaky" }] }];
  expect(playwrightTally(report({ stats: { expected: 3, unexpected: 0, flaky: 1 }, suites: [{ specs }] }), 0)).toEqual({
    passed: 4,
    failed: 0,
    failures: [],
    unstable: ["pay.spec.ts › pays"],
    notRun: [],
  });
});

it("counts a crash as a failure, with a report and without one", () => {
  expect(vitestTally(report({ numPassedTests: 7, numFailedTests: 0 }), 1)).toMatchObject({ passed: 7, failed: 1 });
  expect(vitestTally(join(folder, "absent.json"), 1)).toMatchObject({ passed: 0, failed: 1 });
  expect(checkTally(2)).toMatchObject({ passed: 0, failed: 1 });
});

it("adds everything up", () => {
  const some = { passed: 4, failed: 2, failures: ["a", "b"], unstable: ["c"], notRun: ["d"] };
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
  expect(playwrightTally(report(journeys), 1).failures).toEqual(["pay.spec.ts › refunds"]);
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
  expect(playwrightTally(report({ stats, suites: [{ specs }] }), 1)).toEqual({
    passed: 3,
    failed: 1,
    failures: ["browsers.spec.ts › pays (Firefox)"],
    unstable: [],
    notRun: ["WebKit is not on this machine: 2 journeys"],
  });
});
