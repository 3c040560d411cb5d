import { mkdirSync, rmSync } from "node:fs";
import { requireBrowser, tryForFirefox } from "@/scripts/checks/browser";
import { ensureBuild, writeAmbientTypes } from "@/scripts/start/build";
import { inRoot, ROOT } from "@/scripts/start/paths";
import { say, seconds, sinceStart } from "@/scripts/start/progress";
import { type Outcome, run, runNode } from "@/scripts/suite/command";
import { withCluster } from "@/scripts/suite/memory";
import { checkTally, playwrightTally, slowest, sum, type Tally, vitestTally } from "@/scripts/suite/tally";

const REPORTS = inRoot(".data", "reports");
const UNIT_REPORT = `${REPORTS}/unit.json`;
const JOURNEY_REPORT = `${REPORTS}/journeys.json`;
const bin = (path: string): string => inRoot("node_modules", path);

const isQuick = process.argv[2] === "verify";

interface Part {
  readonly name: string;
  work(): Promise<Outcome>;
  tally?(outcome: Outcome): Tally;
  /** Its own output is progress enough. */
  readonly isLoud?: boolean;
}

const biome = (args: string[]): Promise<Outcome> =>
  runNode([bin("@biomejs/biome/bin/biome"), ...args, "--max-diagnostics=50", "--error-on-warnings", "."]);

const FORMAT: Part = { name: "format", work: () => biome(["check", "--linter-enabled=false"]) };
const LINT: Part = { name: "lint", work: () => biome(["lint"]) };
const LAYERS: Part = { name: "layers", work: () => runNode(["--import", "tsx", "scripts/layers.ts"]) };
const LOCK: Part = { name: "lock file", work: () => runNode(["--import", "tsx", "scripts/checks/lock.ts"]) };
const TYPES: Part = {
  name: "types",
  work: () => {
    writeAmbientTypes();
    return runNode([bin("typescript/bin/tsc"), "--noEmit", "--pretty", String(process.stdout.isTTY ?? false)]);
  },
};
const UNIT: Part = {
  name: "unit and route tests",
  isLoud: true,
  work: () =>
    withCluster((environment) =>
      runNode(
        [
          bin("vitest/vitest.mjs"),
          ...["run", "--config", "lib/testing/vitest.config.ts"],
          ...["--reporter=default", "--reporter=json", `--outputFile.json=${UNIT_REPORT}`],
        ],
        { NODE_ENV: "test", ...environment },
        true,
      ),
    ),
  tally: ({ code }) => vitestTally(UNIT_REPORT, code),
};
const BUILD: Part = {
  name: "production build",
  work: async () => {
    try {
      await ensureBuild();
      return { code: 0, output: "" };
    } catch (error) {
      return { code: 1, output: error instanceof Error ? error.message : String(error) };
    }
  },
};
const JOURNEYS: Part = {
  name: "journeys in browsers",
  isLoud: true,
  work: async () => {
    let browser: string;
    try {
      browser = requireBrowser();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
      return { code: 1, output: "" };
    }
    say(`    in ${browser}, and those of the checkout in the other browsers of this machine`);
    tryForFirefox();
    return run(
      process.execPath,
      [bin("@playwright/test/cli.js"), ...["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"]],
      { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: JOURNEY_REPORT, SECOND_TRY: "on" },
      true,
    );
  },
  tally: ({ code }) => playwrightTally(JOURNEY_REPORT, code, { isUnstableFailed: Boolean(process.env.CI) }),
};

/** What costs seconds and mostly one core side by side; what wants both cores by itself. */
const STAGES: readonly (readonly Part[])[] = [
  [FORMAT, LINT, LAYERS, LOCK, TYPES],
  [UNIT],
  ...(isQuick ? [] : [[BUILD], [JOURNEYS]]),
];

async function perform(part: Part): Promise<Tally> {
  const from = performance.now();
  if (part.isLoud) say(`  · ${part.name} …`);
  const outcome = await part.work();
  const tally = part.tally?.(outcome) ?? checkTally(outcome.code);
  const counts = part.tally ? `, ${tally.passed} passed, ${tally.failed} failed` : "";
  say(`  ${tally.failed === 0 ? "✓" : "✗"} ${part.name} (${seconds(from)}${counts})`);
  if (tally.failed > 0 && !part.isLoud) say(outcome.output.trimEnd().replace(/^/gm, "    "));
  return tally;
}

process.chdir(ROOT);
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const tallies: Tally[] = [];
for (const stage of STAGES) tallies.push(...(await Promise.all(stage.map(perform))));
const { passed, failed, failures, unstable, notRun, files } = sum(tallies);
say(`\nThe slowest files:\n\n${slowest(files).join("\n")}`);
if (notRun.length > 0) say(`\nNot run:\n\n${notRun.join("\n")}`);
if (unstable.length > 0) say(`\nUnstable, passed only at the second try:\n\n${unstable.join("\n\n")}`);
if (failures.length > 0) say(`\nFailed:\n\n${failures.join("\n\n")}`);
say(`\nAll of it took ${sinceStart()}.`);
process.stdout.write(`${passed} passed, ${failed} failed\n`, () => process.exit(failed === 0 ? 0 : 1));
