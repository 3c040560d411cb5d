import { expect, inject, test } from "vitest";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";
import { isProof, proofFrom, proofProcesses, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { again, simulate } from "@/lib/testing/simulator/run";

const IN_SUITE = 2_000;
/** Seeds that once found a mistake. */
const KEPT = [20, 535, 1_034, 1_110, 3_543, 4_580, 93_943, 96_059];
/** Enough to see a schedule as a whole. */
const SHOWN = 20;

const only = process.env.SEED;
const first = proofFrom() + 1;
const seeds = only
  ? [Number(only)]
  : [...(isProof() ? [] : KEPT), ...Array.from({ length: proofRuns(IN_SUITE) }, (_, index) => first + index)];

test(`${seeds.length} schedules of the real code: no invariant is broken, and the provider's own log agrees`, {
  timeout: proofTimeout(900_000),
}, async () => {
  const { results, rows } = await simulate({
    seeds: [...new Set(seeds)],
    processes: proofProcesses(2),
    server: inject("testServer"),
    story: only !== undefined,
  });
  const failed = results.filter(({ wrongs }) => wrongs.length > 0);
  const violations = failed.map(({ seed, wrongs }) => `${wrongs.join("; ")} | ${again(seed)}`);
  recordProof({
    ran: results.length,
    violations,
    figures: { calls: results.reduce((sum, { calls }) => sum + calls, 0) },
    met: { rows },
  });
  if (only) for (const { story = [] } of results) console.info(story.join("\n"));
  expect(violations.slice(0, SHOWN)).toEqual([]);
  if (seeds.length < IN_SUITE) return;
  const all = [slotMachine, operationMachine, purchaseMachine].flatMap((machine) => machine.rows.map(([row]) => row));
  const never = [...new Set(all)].filter((row) => !rows.includes(row) && !ELSEWHERE.includes(row));
  expect(never, "rows of the tables that no schedule took").toEqual([]);
});

/** Taken in tests of their own: money taken in the provider's own console, and what an operator resolves. */
const ELSEWHERE = ["S16", "P10"];

test("a seed tells the same story twice", { timeout: 60_000 }, async () => {
  const server = inject("testServer");
  const once = (name: string) => simulate({ seeds: [1_034, 7], processes: 1, server, story: true, name });
  const [one, other] = [await once("once"), await once("twice")];
  expect(one.results.map(({ print }) => print)).toEqual(other.results.map(({ print }) => print));
  expect(one.results[0]?.print).toBeTruthy();
});
