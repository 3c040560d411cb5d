import { KIND_PARTS } from "@/scripts/proof/kind-parts";

/** One proof: a test file that sizes itself and hands its figures over (lib/testing/proof.ts). */
export interface ProofPart {
  name: string;
  file: string;
  /** Counted in these: a message of the page. */
  unit:
    | "explorations"
    | "schedules"
    | "operations"
    | "orders"
    | "mutants"
    | "rounds"
    | "events"
    | "cases"
    | "processes"
    | "restarts"
    | "payments"
    | "years";
  /** How many are asked for. */
  full: number;
  small: number;
  /** As many go into one process; the report is written after each. */
  chunk: number;
  /** Only the test of this name. */
  test?: string;
  /** Mostly waits: several chunks run beside each other, each with its own processes and database. */
  waits?: boolean;
}

const PROOFS = "lib/testing";

export const PARTS: readonly ProofPart[] = [
  ...KIND_PARTS,
  { name: "model", file: "lib/purchases/model/model.test.ts", unit: "explorations", full: 2, small: 2, chunk: 2 },
  {
    name: "simulator",
    file: `${PROOFS}/simulator/simulator.test.ts`,
    unit: "schedules",
    full: 100_000,
    small: 200,
    chunk: 2_000,
    test: "schedules of one purchase",
  },
  {
    name: "severalOrders",
    file: `${PROOFS}/simulator/simulator.test.ts`,
    unit: "schedules",
    full: 10_000,
    small: 100,
    chunk: 500,
    test: "schedules of several orders",
  },
  {
    name: "sharedOrders",
    file: `${PROOFS}/simulator/simulator.test.ts`,
    unit: "schedules",
    full: 10_000,
    small: 60,
    chunk: 100,
    test: "schedules of orders that sellers share",
  },
  {
    name: "kills",
    file: `${PROOFS}/kills/kills.test.ts`,
    unit: "operations",
    full: 2_000,
    small: 50,
    chunk: 160,
    test: "workers die, stall",
    waits: true,
  },
  {
    name: "killsOverTwo",
    file: `${PROOFS}/kills/kills.test.ts`,
    unit: "operations",
    full: 1_000,
    small: 8,
    chunk: 60,
    test: "the same over two acquirers",
    waits: true,
  },
  {
    name: "killsOfShares",
    file: `${PROOFS}/kills/kills.test.ts`,
    unit: "operations",
    full: 500,
    small: 10,
    chunk: 60,
    test: "workers die at captures and refunds that sellers share",
    waits: true,
  },
  {
    name: "restarts",
    file: `${PROOFS}/kills/restart.test.ts`,
    unit: "operations",
    full: 400,
    small: 8,
    chunk: 48,
    waits: true,
  },
  {
    name: "processKills",
    file: `${PROOFS}/proofs/process-kills.test.ts`,
    unit: "processes",
    full: 200,
    small: 4,
    chunk: 20,
  },
  {
    name: "faultedPayments",
    file: `${PROOFS}/mirror/faulted-payments.test.ts`,
    unit: "payments",
    full: 10_000,
    small: 48,
    chunk: 600,
    waits: true,
  },
  {
    name: "rolling",
    file: `${PROOFS}/proofs/rolling.test.ts`,
    unit: "restarts",
    full: 40,
    small: 4,
    chunk: 8,
  },
  { name: "mutants", file: `${PROOFS}/mutants/mutants.test.ts`, unit: "mutants", full: 37, small: 2, chunk: 4 },
  {
    name: "races",
    file: "lib/purchases/race.test.ts",
    test: "capture, void and refund",
    unit: "rounds",
    full: 200,
    small: 5,
    chunk: 50,
  },
  {
    name: "racesOverTwo",
    file: "lib/purchases/race.test.ts",
    test: "over two acquirers",
    unit: "rounds",
    full: 100,
    small: 2,
    chunk: 25,
  },
  {
    name: "dryRuns",
    file: "lib/dry-runs/random.test.ts",
    unit: "cases",
    full: 5_000,
    small: 15,
    chunk: 100,
    waits: true,
  },
  {
    name: "reportKills",
    file: `${PROOFS}/kills/reports.test.ts`,
    unit: "operations",
    full: 300,
    small: 6,
    chunk: 60,
    waits: true,
  },
  {
    name: "subscriptionModel",
    file: "lib/subscriptions/model.test.ts",
    test: "both machines",
    unit: "explorations",
    full: 1,
    small: 1,
    chunk: 1,
  },
  {
    name: "mandateModel",
    file: "lib/subscriptions/mandate-model.test.ts",
    unit: "explorations",
    full: 1,
    small: 1,
    chunk: 1,
  },
  {
    name: "subscriptionKills",
    file: `${PROOFS}/kills/subscriptions.test.ts`,
    unit: "operations",
    full: 2_000,
    small: 20,
    chunk: 80,
    waits: true,
  },
  {
    name: "subscriptionRaces",
    file: "lib/subscriptions/race.test.ts",
    test: "whoever pauses, cancels or charges",
    unit: "rounds",
    full: 200,
    small: 6,
    chunk: 30,
  },
  {
    name: "unansweredCommits",
    file: `${PROOFS}/proofs/unanswered-commits.test.ts`,
    unit: "orders",
    full: 2_000,
    small: 24,
    chunk: 320,
  },
  {
    name: "exhaustedPool",
    file: `${PROOFS}/proofs/exhausted-pool.test.ts`,
    unit: "orders",
    full: 960,
    small: 24,
    chunk: 240,
  },
  { name: "deadlocks", file: `${PROOFS}/proofs/deadlocks.test.ts`, unit: "orders", full: 960, small: 24, chunk: 168 },
  { name: "fullDisk", file: `${PROOFS}/proofs/full-disk.test.ts`, unit: "orders", full: 360, small: 12, chunk: 120 },
  {
    name: "clockSkew",
    file: `${PROOFS}/proofs/clock-skew.test.ts`,
    unit: "operations",
    full: 900,
    small: 18,
    chunk: 225,
  },
  {
    name: "webhookChaos",
    file: "lib/webhooks/chaos.test.ts",
    unit: "events",
    full: 1_000,
    small: 20,
    chunk: 100,
  },
  {
    name: "reverseCommits",
    file: "lib/webhooks/reverse-commits.test.ts",
    unit: "events",
    full: 2_000,
    small: 50,
    chunk: 2_000,
  },
  {
    name: "webhookWorkers",
    file: "lib/webhooks/workers.test.ts",
    unit: "events",
    full: 5_000,
    small: 300,
    chunk: 5_000,
  },
  { name: "addresses", file: "lib/webhooks/ssrf.test.ts", unit: "cases", full: 232, small: 232, chunk: 232 },
  {
    name: "splitSales",
    file: "lib/receivables/oracle.test.ts",
    unit: "cases",
    full: 20_000,
    small: 25,
    chunk: 1_000,
  },
  { name: "accountYears", file: "lib/payouts/account-years.test.ts", unit: "years", full: 1_000, small: 2, chunk: 10 },
  {
    name: "payoutKills",
    file: `${PROOFS}/kills/payouts.test.ts`,
    unit: "operations",
    full: 2_000,
    small: 24,
    chunk: 48,
    waits: true,
  },
  { name: "payoutRaces", file: "lib/payouts/races.test.ts", unit: "rounds", full: 200, small: 2, chunk: 20 },
  {
    name: "shareRaces",
    file: "lib/receivables/race.test.ts",
    unit: "rounds",
    full: 100,
    small: 2,
    chunk: 25,
  },
  {
    name: "flowPlans",
    file: "lib/flows/rules/evaluate.test.ts",
    test: "the evaluator and a second",
    unit: "cases",
    full: 100_000,
    small: 3_000,
    chunk: 100_000,
  },
  {
    name: "flowShares",
    file: "lib/flows/shares.test.ts",
    unit: "payments",
    full: 1_000_000,
    small: 20_000,
    chunk: 1_000_000,
  },
  {
    name: "flowKills",
    file: "lib/flows/decides.test.ts",
    test: "killed between decision and send",
    unit: "payments",
    full: 200,
    small: 3,
    chunk: 50,
  },
  {
    name: "flowEstimates",
    file: "lib/flows/replays/segments.test.ts",
    test: "calibration",
    unit: "cases",
    full: 1_000,
    small: 200,
    chunk: 1_000,
  },
  {
    name: "flowReplays",
    file: "lib/flows/replays/replays.test.ts",
    test: "of the active flow over many payments",
    unit: "payments",
    full: 100_000,
    small: 2_500,
    chunk: 100_000,
  },
];
