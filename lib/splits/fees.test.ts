import { describe, expect, test } from "vitest";
import type { Rate } from "@/lib/sale-plans/rates";
import { belowZero, cutToShare, type FeeRule, type FeeTable, feesOf, refundableOf } from "@/lib/splits/fees";

const rate = (percentageBps: number, fixedAmount: number, id = `${percentageBps}:${fixedAmount}`): Rate => ({
  id,
  percentageBps,
  fixedAmount,
  refundable: "mdr",
});
const rule = (sellerId: string, changes: Partial<FeeRule> = {}): FeeRule => ({
  sellerId,
  processingFee: false,
  chargeEntireFee: false,
  fareMdrBps: null,
  fareFee: null,
  ...changes,
});
const bearer = (sellerId: string) => rule(sellerId, { processingFee: true });
const table = (plans: Record<string, Rate>, platform?: Rate): FeeTable => ({
  platform,
  plans: new Map(Object.entries(plans)),
  faresRefundable: "mdr",
});
const processingOf = (...given: Parameters<typeof feesOf>) => feesOf(...given).map(({ processing }) => processing);

describe("published and decided examples", () => {
  const usual = rate(399, 39);

  test("Braspag: fares of two sellers", () => {
    const rules = [rule("a", { fareMdrBps: 500, fareFee: 30 }), rule("b", { fareMdrBps: 400, fareFee: 15 })];
    expect(feesOf(rules, [6_000, 4_000], 10_000, table({})).map(({ fares }) => fares)).toEqual([330, 175]);
  });

  test("a card of 33.33 at 3.99 % and 0.39: 1.72, borne 1.23 and 0.49", () => {
    const rules = [bearer("a"), rule("b"), bearer("c")];
    expect(processingOf(rules, [1_666, 1_000, 667], 3_333, table({ a: usual, c: usual }))).toEqual([123, 0, 49]);
  });

  test("two plans: each bearer its own price on its part of the whole", () => {
    const plans = { a: usual, b: rate(459, 39) };
    expect(processingOf([bearer("a"), bearer("b")], [7_000, 3_000], 10_000, table(plans))).toEqual([306, 150]);
  });

  test("the merchant's platform fee comes before the plans; one seller may bear all of it", () => {
    const fees = table({ a: usual, b: usual }, rate(300, 0));
    expect(processingOf([bearer("a"), bearer("b")], [5_000, 2_500], 10_000, fees)).toEqual([200, 100]);
    const entire = [bearer("a"), rule("b", { chargeEntireFee: true })];
    expect(processingOf(entire, [5_000, 2_500], 10_000, fees)).toEqual([0, 300]);
    expect(processingOf([rule("a")], [5_000], 10_000, fees)).toEqual([0]);
  });

  test("fees above the share: refused when asked, cut when captured, fares first", () => {
    const [fee] = feesOf(
      [rule("a", { processingFee: true, fareMdrBps: 9_000, fareFee: 0 })],
      [100],
      10_000,
      table({ a: usual }),
    );
    if (!fee) throw new Error("one rule has one fee");
    expect([fee.processing, fee.fares]).toEqual([438, 90]);
    expect(belowZero([100], [fee])).toEqual([0]);
    expect(cutToShare(fee, 100)).toMatchObject({ processing: 100, processingMdr: 100, fares: 0 });
    expect(cutToShare(fee, 450)).toMatchObject({ processing: 438, fares: 12 });
    expect(["none", "mdr", "all"].map((word) => refundableOf(word as Rate["refundable"], 438, 399))).toEqual([
      0, 399, 438,
    ]);
  });
});

/** Written from spec/money.md in fractions of whole numbers; nothing of the product is used. */
const oracle = {
  halfUp: (n: bigint, d: bigint): bigint => (n * 2n + d) / (d * 2n),
  divide(total: bigint, weights: bigint[]): bigint[] {
    const all = weights.reduce((a, b) => a + b, 0n);
    const parts = weights.map((w) => (total * w) / all);
    const order = weights
      .map((w, i) => ({ i, rest: (total * w) % all }))
      .sort((a, b) => (a.rest > b.rest ? -1 : a.rest < b.rest ? 1 : a.i - b.i));
    let left = total - parts.reduce((a, b) => a + b, 0n);
    for (const { i } of order) {
      if (left === 0n) break;
      parts[i] = (parts[i] ?? 0n) + 1n;
      left -= 1n;
    }
    return parts;
  },
  processing(total: number, bearers: { share: number; bps: number; fixed: number; row: string }[]): number[] {
    const t = BigInt(total);
    const weights = bearers.map(({ share }) => BigInt(share));
    const [one] = bearers;
    if (!one) return [];
    if (bearers.every(({ row }) => row === one.row)) {
      return this.divide(this.halfUp(t * BigInt(one.bps), 10_000n) + BigInt(one.fixed), weights).map(Number);
    }
    const bases = this.divide(t, weights);
    return bearers.map(({ bps, fixed }, i) => {
      const base = bases[i] ?? 0n;
      return Number(this.halfUp(base * BigInt(bps), 10_000n) + this.halfUp(BigInt(fixed) * base, t));
    });
  },
};

const RUNS = Number(process.env.PROOF_RUNS ?? 400);

test(`${RUNS} random sets of bearers cost what an oracle in fractions says`, () => {
  let seed = 20_261_123;
  const upTo = (most: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  for (let run = 0; run < RUNS; run++) {
    const count = 1 + upTo(6);
    const shares = Array.from({ length: count }, () => 1 + upTo(2_000_00));
    const total = shares.reduce((a, b) => a + b, 0) + upTo(1_000_00);
    const rates = [rate(upTo(900), upTo(100), "x"), rate(upTo(900), upTo(100), "y")];
    const ids = shares.map((_, index) => `s${index}`);
    const isShared = upTo(2) === 0;
    const plans = Object.fromEntries(ids.map((id) => [id, rates[isShared ? 0 : upTo(2)] ?? rate(0, 0)]));
    const rules = ids.map((id) => rule(id, { processingFee: upTo(3) > 0 }));
    const bearers = rules.flatMap((one, index) => {
      const { percentageBps: bps = 0, fixedAmount: fixed = 0, id: row = "" } = plans[one.sellerId] ?? {};
      return one.processingFee ? [{ share: shares[index] ?? 0, bps, fixed, row }] : [];
    });
    const expected = oracle.processing(total, bearers);
    const told = processingOf(rules, shares, total, table(plans)).filter((_, index) => rules[index]?.processingFee);
    expect([run, told]).toEqual([run, expected]);
  }
});
