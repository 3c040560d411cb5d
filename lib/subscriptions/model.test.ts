import { describe, expect, test } from "vitest";
import type { CycleStatus, SubscriptionStatus } from "@/db/schema/subscriptions";
import { cycleDueOn, intervalsAfter, nextRetryDay } from "@/lib/subscriptions/calendar";
import { decideOutcome, spentFact } from "@/lib/subscriptions/decide";
import { cycleMachine, isCharged, isOver, subscriptionMachine } from "@/lib/subscriptions/machine";
import { recordProof } from "@/lib/testing/proof";

/** As much of a subscription as decides what may happen to it; counts are cut where nothing new follows. */
interface World {
  status: SubscriptionStatus;
  /** The cycle that is tried or was tried last; null before the first. */
  cycle: CycleStatus | null;
  returnsTo: "retrying" | "failed" | null;
  /** Behind the open one. */
  waiting: number;
  /** Cycles that count, authorized or failed. */
  counted: number;
  retries: number;
  impossible: number;
}

const CYCLES = 3;
const RETRIES = 2;
const IMPOSSIBLE = 2;
const START: World = {
  status: "created",
  cycle: null,
  returnsTo: null,
  waiting: 0,
  counted: 0,
  retries: 0,
  impossible: 0,
};

const rows = { subscription: new Set<string>(), cycle: new Set<string>() };
const move = (status: SubscriptionStatus, fact: string): SubscriptionStatus => {
  const [id, , , to] = subscriptionMachine.row(status, fact);
  rows.subscription.add(`${id} ${status}`);
  return to;
};
const moveCycle = (status: CycleStatus, fact: string): CycleStatus => {
  const [id, , , to] = cycleMachine.row(status, fact);
  rows.cycle.add(`${id} ${status}`);
  return to;
};

const isOpen = ({ cycle }: World): boolean => cycle === "pending" || cycle === "retrying";
/** One that failed before counts already. */
const held = (world: World): number =>
  world.counted + world.waiting + (isOpen(world) && world.returnsTo !== "failed" ? 1 : 0);
const skipped = (world: World): World => {
  if (world.waiting > 0) moveCycle("scheduled", "skipped");
  return { ...world, waiting: 0 };
};

const spent = (world: World, isForGood: boolean): World =>
  skipped({ ...world, counted: world.counted + 1, status: move(world.status, spentFact(isForGood)) });

/** Everything that can happen next: the buyer's bank, the clock, people, in any order. */
function* following(world: World): Generator<World> {
  const { status, cycle, waiting, counted, returnsTo, retries, impossible } = world;
  if (status === "trialing") yield { ...world, status: move(status, "trial.ended") };
  const falls = !isOver(status) && status !== "trialing" && held(world) < CYCLES;
  if (falls && isCharged(status)) yield { ...world, waiting: waiting + 1 };
  if (isCharged(status) && waiting > 0 && !isOpen(world)) {
    const fresh = { ...world, waiting: waiting - 1, returnsTo: null, retries: 0, impossible: 0 };
    yield { ...fresh, cycle: moveCycle("scheduled", "charge.started") };
    yield { ...fresh, cycle: moveCycle("scheduled", "charge.impossible"), impossible: 1 };
  }
  if (cycle === "pending") {
    for (const isForGood of [false, true]) {
      const seen = { subscription: status, returnsTo, cancelsAfterRetries: isForGood };
      const recovers = returnsTo === "failed" ? 0 : 1;
      const isLast = counted + recovers >= CYCLES;
      const paid = decideOutcome({ ...seen, outcome: "approved", verdict: "end", isLast });
      yield {
        ...world,
        cycle: moveCycle(cycle, paid.cycle),
        returnsTo: null,
        counted: counted + recovers,
        status: paid.subscription.reduce(move, status),
      };
      for (const verdict of ["retry", "wait", "end"] as const) {
        const refused = decideOutcome({ ...seen, outcome: "declined", verdict, isLast: false });
        const after = { ...world, cycle: moveCycle(cycle, refused.cycle), returnsTo: null };
        if (refused.subscription.length > 0) yield spent(after, isForGood);
        else yield after;
      }
    }
  }
  if (cycle === "retrying") {
    if (isCharged(status) && retries < RETRIES) {
      yield { ...world, cycle: moveCycle(cycle, "charge.started"), retries: retries + 1, impossible: 0 };
    }
    if (isCharged(status) && impossible < IMPOSSIBLE) yield { ...world, impossible: impossible + 1 };
    if (isCharged(status)) {
      for (const isForGood of [false, true]) {
        yield spent({ ...world, cycle: moveCycle(cycle, "retries.ended") }, isForGood);
      }
      yield { ...world, cycle: moveCycle(cycle, "charge.started"), returnsTo: "retrying" };
    }
  }
  if (status === "unpaid" && cycle === "failed") {
    yield { ...world, cycle: moveCycle(cycle, "charge.started"), returnsTo: "failed" };
  }
  if (status === "active") yield { ...world, status: move(status, "paused") };
  if (status === "paused") yield { ...world, status: move(status, "resumed") };
  if (!isOver(status)) {
    const canceled = skipped({ ...world, status: move(status, "canceled") });
    yield { ...canceled, cycle: cycle === "retrying" ? moveCycle(cycle, "skipped") : cycle };
  }
}

test("both machines, explored to their end: no fact without its row, nothing stuck, nothing begun after an end", () => {
  const known = new Map<string, World>();
  const left: World[] = [START, { ...START, status: "trialing" }];
  const faults: string[] = [];
  let edges = 0;
  for (let world = left.pop(); world; world = left.pop()) {
    const key = JSON.stringify(world);
    if (known.has(key)) continue;
    known.set(key, world);
    const next = [...following(world)];
    edges += next.length;
    for (const to of next) {
      if (isOver(world.status) && to.status !== world.status) faults.push(`${key} comes back`);
      const begins = world.cycle !== "pending" && to.cycle === "pending";
      if (begins && !isCharged(world.status) && world.status !== "unpaid") faults.push(`${key} is charged`);
      if (held(to) > CYCLES) faults.push(`${JSON.stringify(to)} counts too many`);
      if (to.status === "expired" && (to.counted < CYCLES || to.cycle !== "authorized"))
        faults.push(`${key} ends early`);
      left.push(to);
    }
    if (next.length === 0 && !isOver(world.status)) faults.push(`${key} is stuck`);
    const isDone = world.counted >= CYCLES && world.cycle === "authorized";
    if (isDone && !isOver(world.status) && world.status !== "unpaid") faults.push(`${key} goes on after its end`);
  }
  recordProof({ ran: 1, violations: faults, figures: { states: known.size, edges } });
  expect(faults).toEqual([]);
  expect(known.size).toBeGreaterThan(300);
  const all = (machine: { rows: readonly (readonly string[])[] }) => machine.rows.map(([id, from]) => `${id} ${from}`);
  expect([...rows.subscription].sort()).toEqual(all(subscriptionMachine).sort());
  expect([...rows.cycle].sort()).toEqual(all(cycleMachine).sort());
});

describe("the calendar", () => {
  test("anchors keep their day over short months, leap years and another interval", () => {
    const anchors = [
      { fromCycle: 1, startOn: "2027-10-31", interval: "monthly" as const },
      { fromCycle: 6, startOn: "2028-03-31", interval: "yearly" as const },
    ];
    expect([1, 2, 4, 5, 6, 7].map((cycle) => cycleDueOn(anchors, cycle))).toEqual([
      "2027-10-31",
      "2027-11-30",
      "2028-01-31",
      "2028-02-29",
      "2028-03-31",
      "2029-03-31",
    ]);
    expect(intervalsAfter("2028-02-29", "yearly", 1)).toBe("2029-02-28");
    expect(intervalsAfter("2028-02-29", "yearly", 4)).toBe("2032-02-29");
    expect(intervalsAfter("2027-12-29", "weekly", 10)).toBe("2028-03-08");
  });

  test("a retry is the policy's next day, moved to what the networks allow and never past its last", () => {
    const policy = [1, 2, 2, 2];
    const next = (after: string, notBefore?: string) =>
      nextRetryDay("2027-02-01", policy, after, notBefore === undefined ? undefined : new Date(notBefore));
    expect(next("2027-02-01")).toBe("2027-02-02");
    expect(next("2027-02-01", "2027-02-03T08:59:59Z")).toBe("2027-02-03");
    expect(next("2027-02-01", "2027-02-03T09:00:01Z")).toBe("2027-02-04");
    expect(next("2027-02-04")).toBe("2027-02-06");
    expect(next("2027-02-06", "2027-02-08T10:00:00Z")).toBeUndefined();
    expect(next("2027-02-08")).toBeUndefined();
  });
});
