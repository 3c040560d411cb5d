import { expect, inject, test } from "vitest";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";
import { isProof, proofFrom, proofProcesses, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { isOnePurchase, isSplit, SEVERAL_FROM, SPLIT_FROM } from "@/lib/testing/simulator/orders";
import { again, type ScheduleResult, simulate } from "@/lib/testing/simulator/run";

/** By 200 of them every row of the tables was taken, and every actor had died and been held up at each of its points. */
const IN_SUITE = 500;
const SEVERAL_IN_SUITE = 8;
const SPLIT_IN_SUITE = 24;
/** Seeds that once found a mistake. */
const KEPT = [20, 535, 1_034, 1_110, 3_543, 4_580, 93_943, 96_059];
/** Money that comes to a closed code untold, and money that the provider first takes back and then does not. */
const KEPT_SEVERAL = [1_000_001, 1_000_017];
/** Enough to see a schedule as a whole. */
const SHOWN = 20;

const only = process.env.SEED ? Number(process.env.SEED) : undefined;
const numbered = (from: number, inSuite: number): number[] =>
  Array.from({ length: proofRuns(inSuite) }, (_, index) => from + proofFrom() + index);
const seedsOf = (isOurs: (seed: number) => boolean, kept: readonly number[], all: readonly number[]): number[] => {
  if (only !== undefined) return isOurs(only) ? [only] : [];
  return [...new Set([...(isProof() ? [] : kept), ...all])];
};

const one = seedsOf(isOnePurchase, KEPT, numbered(1, IN_SUITE));
const several = seedsOf(
  (seed) => !isOnePurchase(seed) && !isSplit(seed),
  KEPT_SEVERAL,
  numbered(SEVERAL_FROM + 1, SEVERAL_IN_SUITE),
);
const shared = seedsOf(isSplit, [], numbered(SPLIT_FROM + 1, SPLIT_IN_SUITE));

test.runIf(one.length > 0)(
  "schedules of one purchase, on the real code: no invariant is broken, and the provider's own log agrees",
  { timeout: proofTimeout(1_200_000) },
  async () => {
    const { rows } = await judged(one);
    if (one.length < IN_SUITE) return;
    const all = [slotMachine, operationMachine, purchaseMachine].flatMap((machine) => machine.rows.map(([row]) => row));
    const never = [...new Set(all)].filter((row) => !rows.includes(row) && !ELSEWHERE.includes(row));
    expect(never, "rows of the tables that no schedule took").toEqual([]);
  },
);

test.runIf(several.length > 0)(
  "schedules of several orders at once, statement by statement too: no invariant is broken, and the provider's own log agrees",
  { timeout: proofTimeout(600_000) },
  async () => {
    await judged(several);
  },
);

test.runIf(shared.length > 0)(
  "schedules of orders that sellers share: every share, fee and refund is where its invariant says",
  { timeout: proofTimeout(600_000) },
  async () => {
    const { figures } = await judged(shared);
    if (shared.length < SPLIT_IN_SUITE) return;
    expect(figures.sharedCaptures).toBeGreaterThan(0);
    expect(figures.sharedRefunds).toBeGreaterThan(0);
  },
);

/** Runs and judges them; the rows of the tables that were taken, and what was met how often. */
async function judged(seeds: readonly number[]) {
  const { results, rows } = await simulate({
    seeds,
    processes: proofProcesses(2),
    server: inject("testServer"),
    story: only !== undefined,
  });
  const failed = results.filter(({ wrongs }) => wrongs.length > 0);
  const violations = failed.map(({ seed, wrongs }) => `${wrongs.join("; ")} | ${again(seed)}`);
  const figures = counted(results);
  recordProof({
    ran: results.length,
    violations,
    figures: { calls: results.reduce((sum, { calls }) => sum + calls, 0), ...figures },
    met: { rows },
  });
  if (only !== undefined) for (const { story = [] } of results) console.info(story.join("\n"));
  expect(violations.slice(0, SHOWN)).toEqual([]);
  return { rows, figures };
}

/** How many schedules had no purchase, what was in the others, and what of it was not judged. */
function counted(results: readonly ScheduleResult[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const { counts } of results) {
    for (const [name, count] of Object.entries(counts)) figures[name] = (figures[name] ?? 0) + count;
  }
  return figures;
}

/** Taken in tests of their own: money taken in the provider's own console, refunds that fail late, what people resolve. */
const ELSEWHERE = ["S16", "S25", "P10"];

test("a seed tells the same story twice", { timeout: 60_000 }, async () => {
  const server = inject("testServer");
  const once = (name: string) => simulate({ seeds: [1_034, 7], processes: 1, server, story: true, name });
  const [one, other] = [await once("once"), await once("twice")];
  expect(one.results.map(({ print }) => print)).toEqual(other.results.map(({ print }) => print));
  expect(one.results[0]?.print).toBeTruthy();
});
