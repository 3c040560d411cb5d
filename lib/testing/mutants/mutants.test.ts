import { readFileSync } from "node:fs";
import { describe, expect, inject, test } from "vitest";
import { leftOutIf } from "@/lib/testing/left-out";
import { FAULTS } from "@/lib/testing/mutants/faults";
import { isProof, proofFrom, proofProcesses, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { rewritten } from "@/lib/testing/simulator/bundle";
import { simulate } from "@/lib/testing/simulator/run";
import { SEAMS } from "@/lib/testing/simulator/seams";

/** A mistake that so many schedules do not find is not found. */
const MOST_SCHEDULES = 600;
const FROM_SEED = 1_001;
const seeds = [1_034, 1_110, 20, ...Array.from({ length: MOST_SCHEDULES }, (_, index) => FROM_SEED + index)];

describe("seeded mistakes", () => {
  test("each still finds the lines it rewrites", () => {
    const changes = [...SEAMS, ...FAULTS.flatMap((fault) => fault.changes)];
    for (const { file, find, put } of changes) {
      rewritten(file, readFileSync(file, "utf8"), [{ file, find, put }]);
    }
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  });

  test("each is found by the simulator", { timeout: proofTimeout() }, async (context) => {
    leftOutIf(context, isProof() ? undefined : "seeks seeded mistakes for minutes: npm run proof -- --only mutants");
    const from = proofFrom();
    const chosen = FAULTS.slice(from, from + proofRuns(FAULTS.length));
    const escaped: string[] = [];
    let schedules = 0;
    for (const { name, changes } of chosen) {
      const { ran, wrong } = await seek(name, changes);
      schedules += ran;
      if (wrong === undefined) escaped.push(`not found in ${ran} schedules: ${name}`);
      else recordProof({ ran: 0, violations: [], met: { found: [`${name}: ${wrong}`] } });
    }
    recordProof({
      ran: chosen.length,
      violations: escaped,
      figures: { schedules, found: chosen.length - escaped.length },
    });
    expect(escaped).toEqual([]);
  });
});

async function seek(name: string, faults: (typeof FAULTS)[number]["changes"]) {
  const { results, crashed } = await simulate({
    seeds,
    processes: proofProcesses(1),
    server: inject("testServer"),
    faults,
    name: `mutant_${FAULTS.findIndex((one) => one.name === name)}`,
    untilFirst: true,
  });
  // A process that ended by itself shows nothing: the mistake must be found by judging what it did.
  if (crashed && results.length === 0) return { ran: 0, wrong: undefined };
  const first = results.find(({ wrongs }) => wrongs.length > 0);
  return { ran: results.length, wrong: first && `seed ${first.seed}, ${first.wrongs[0]?.slice(0, 120)}` };
}
