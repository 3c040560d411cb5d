import { expect, test } from "vitest";
import type { StoredSplitRule } from "@/db/schema/purchases";
import { rulesPerCard, sharesPerCard } from "@/lib/purchases/split";

const rule = (changes: Partial<StoredSplitRule>): StoredSplitRule => ({
  sellerId: "s",
  processingFee: false,
  liable: false,
  ...changes,
});

test("three cards, three sellers: the published example, exact for every seller and every card", () => {
  const rules = [rule({ percentage: 50 }), rule({ percentage: 30 }), rule({ percentage: 20 })];
  expect(sharesPerCard(10_000, [3_333, 3_333, 3_334], rules)).toEqual([
    [1_666, 1_000, 667],
    [1_667, 1_000, 666],
    [1_667, 1_000, 667],
  ]);
});

test("a residue is the merchant's, and each card carries cents instead of percentages", () => {
  const [first, second] = rulesPerCard(10_001, [4_001, 6_000], [rule({ percentage: 33, liable: true })]);
  expect(first).toEqual([{ ...rule({ liable: true }), amount: 1_320 }]);
  expect(second).toEqual([{ ...rule({ liable: true }), amount: 1_980 }]);
});
