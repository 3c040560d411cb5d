import { describe, expect, test } from "vitest";
import { closest, count, estimation, type Likeness, type Segments } from "@/lib/flows/replays/segments";
import { wilson } from "@/lib/flows/replays/wilson";
import { seeded } from "@/lib/testing/flows/random";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";

const like = (provider: string, changes: Partial<Likeness> = {}): Likeness => ({
  provider,
  brand: "visa",
  bin: "411111",
  band: 1,
  decile: 1,
  recurrence: "",
  analyst: "",
  isRandomized: false,
  ...changes,
});

test("24 of 30 are 62.7 to 90.5 %", () => {
  const { low, high } = wilson(24, 30);
  expect([low, high].map((rate) => Math.round(rate * 1_000) / 10)).toEqual([62.7, 90.5]);
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

describe("a likeness", () => {
  test("is as close as thirty payments allow, and unknown below", () => {
    const segments: Segments = new Map();
    count(segments, like("a"), { n: 29, approved: 29, retryable: 0 });
    expect(closest(segments, like("a"))).toBeUndefined();
    count(segments, like("a", { bin: "422222" }), { n: 1, approved: 0, retryable: 1 });
    expect(closest(segments, like("a"))?.segment.n).toBe(30);
    count(segments, like("a", { decile: 2, bin: "433333" }), { n: 30, approved: 0, retryable: 0 });
    expect(closest(segments, like("a", { decile: 3 }))?.segment.n).toBe(60);
    expect(closest(segments, like("a", { brand: "elo" }))).toBeUndefined();
    expect(closest(segments, like("b"))).toBeUndefined();
  });

  test("of payments that lots were drawn for is taken alone where there are enough", () => {
    const segments: Segments = new Map();
    count(segments, like("a"), { n: 100, approved: 100, retryable: 0 });
    count(segments, like("a", { isRandomized: true }), { n: 30, approved: 15, retryable: 0 });
    expect(closest(segments, like("a"))).toMatchObject({ isRandomized: true, segment: { n: 30, approved: 15 } });
  });
});

/** A shop whose two providers are differently good at each brand, and a draft that turns the order around. */
function history(seed: number): { covered: boolean; gain: number } {
  const dice = seeded(seed);
  const chance = () => dice.below(1_000_000) / 1_000_000;
  const brands = ["visa", "mastercard", "elo"];
  const rates = new Map(brands.map((brand) => [brand, { old: 0.6 + 0.3 * chance(), new: 0.6 + 0.3 * chance() }]));
  const rateOf = (brand: string) => rates.get(brand) ?? { old: 0, new: 0 };
  const segments: Segments = new Map();
  const estimate = estimation();
  let [truth, payments] = [0, 0];
  const seen = (isApproved: boolean) => ({ n: 1, approved: isApproved ? 1 : 0, retryable: 0 });
  for (let payment = 0; payment < 1_200; payment++) {
    const brand = dice.pick(brands);
    const isNew = dice.chance(25);
    const rate = isNew ? rateOf(brand).new : rateOf(brand).old;
    count(segments, like(isNew ? "new" : "old", { brand, bin: brand }), seen(chance() < rate));
  }
  for (let payment = 0; payment < 400; payment++) {
    const brand = dice.pick(brands);
    payments += 1;
    truth += chance() < rateOf(brand).new ? 1 : 0;
    estimate.expect([closest(segments, like("new", { brand, bin: brand }))]);
  }
  const interval = estimate.interval() ?? { low: 0, high: 0 };
  return {
    covered: truth / payments >= interval.low && truth / payments <= interval.high,
    gain: interval.high - interval.low,
  };
}

test(
  "calibration: the interval covers what would have happened in at least 93 of 100 histories",
  () => {
    const runs = proofRuns(200);
    let covered = 0;
    for (let seed = proofFrom(); seed < proofFrom() + runs; seed++) if (history(seed).covered) covered += 1;
    const share = covered / runs;
    recordProof({ ran: runs, violations: share >= 0.93 ? [] : [`covered ${share}`], figures: { covered } });
    expect(share).toBeGreaterThanOrEqual(0.93);
  },
  proofTimeout(),
);

test("a planted improvement of ten points is found, and a segment that nobody saw is anything", () => {
  const segments: Segments = new Map();
  count(segments, like("old"), { n: 3_000, approved: 2_100, retryable: 0 });
  count(segments, like("new"), { n: 3_000, approved: 2_400, retryable: 0 });
  const estimate = estimation();
  for (let payment = 0; payment < 3_000; payment++) estimate.expect([closest(segments, like("new"))]);
  const { low, high } = estimate.interval() ?? { low: 0, high: 0 };
  expect(low).toBeGreaterThan(0.75);
  expect(high).toBeLessThan(0.85);

  const chained = estimation();
  count(segments, like("failing"), { n: 100, approved: 0, retryable: 100 });
  for (let payment = 0; payment < 100; payment++) chained.expect([closest(segments, like("failing")), undefined]);
  expect(chained.interval()).toMatchObject({ high: 1 });
  expect(chained.interval()?.low).toBeLessThan(0.05);
});

test("a second provider counts only as far as declines allow it", () => {
  const segments: Segments = new Map();
  count(segments, like("first"), { n: 1_000, approved: 500, retryable: 250 });
  count(segments, like("second"), { n: 1_000, approved: 1_000, retryable: 0 });
  const estimate = estimation();
  for (let payment = 0; payment < 1_000; payment++) {
    estimate.expect([closest(segments, like("first")), closest(segments, like("second"))]);
  }
  const { low, high } = estimate.interval() ?? { low: 0, high: 0 };
  expect((low + high) / 2).toBeCloseTo(0.75, 1);
});
