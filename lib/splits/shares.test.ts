import { describe, expect, test } from "vitest";
import type { StoredSplitRule } from "@/db/schema/purchases";
import { resolvedRule, type SplitRow } from "@/lib/splits/rows";
import { rulesPerCard, sharesOf, sharesPerCard, splitLines } from "@/lib/splits/shares";

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

const row = (changes: Partial<SplitRow>): SplitRow => ({
  id: "r",
  clientId: "c",
  chargeId: "c",
  position: 0,
  refundedShare: 0,
  refundedParts: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...resolvedRule(rule({})),
  capturedShare: null,
  processing: null,
  processingMdr: null,
  processingRefundable: null,
  rateId: null,
  fares: null,
  faresMdr: null,
  faresRefundable: null,
  amount: null,
  ...changes,
  sellerId: changes.sellerId ?? "s",
});

describe("a partial capture", () => {
  test("percentages are computed anew on what is captured", () => {
    const rules = [row({ percentageBps: 4_500 }), row({ percentageBps: 3_000 })];
    expect(sharesOf(rules, { total: 10_000, part: 5_001 })).toEqual({ rules: [2_251, 1_500], merchant: 1_250 });
  });

  test("amounts are divided in proportion, and add up to the part", () => {
    const rules = [row({ amount: 4_500 }), row({ amount: 3_000 })];
    expect(sharesOf(rules, { total: 10_000, part: 10_000 })).toEqual({ rules: [4_500, 3_000], merchant: 2_500 });
    expect(sharesOf(rules, { total: 10_000, part: 5_000 })).toEqual({ rules: [2_250, 1_500], merchant: 1_250 });
  });

  test("a Pix paid with more than amounts ask for leaves the surplus to the owner of the residue", () => {
    const rules = [row({ amount: 4_500 }), row({ amount: 3_000 })];
    expect(sharesOf(rules, { total: 10_000, part: 11_000 })).toEqual({ rules: [4_500, 3_000], merchant: 3_500 });
    const owned = [row({ amount: 4_500 }), row({ amount: 3_000, transactionOwner: true })];
    expect(sharesOf(owned, { total: 10_000, part: 11_000 })).toEqual({ rules: [4_500, 6_500], merchant: 0 });
  });

  test("the provider is told the shares of the part, less than the rules ask for; the rest is the merchant's own line", () => {
    const rules = [row({ amount: 6_000, liable: true }), row({ amount: 4_000, chargeRemainderFee: true })];
    expect(splitLines(rules, { total: 10_000, part: 3_333 }, new Map([["s", "re_s"]]))).toEqual([
      { recipientId: "re_s", amount: 2_000, liable: true, processingFee: false, remainderFee: false },
      { recipientId: "re_s", amount: 1_333, liable: false, processingFee: false, remainderFee: true },
    ]);
  });
});

describe("a rule as it is stored", () => {
  const terms = { processingFee: true, liable: true, fareMdrBps: 250, fareFee: 10 };

  test("says what it says itself, else what its seller's terms say, else nothing", () => {
    const asked = { sellerId: "s", percentage: 12.34, liable: false, fares: { mdr: 0 } };
    expect(resolvedRule(asked, terms)).toMatchObject({
      percentageBps: 1_234,
      amount: null,
      processingFee: true,
      liable: false,
      fareMdrBps: 0,
      fareFee: 10,
      chargeEntireFee: false,
    });
    expect(resolvedRule(asked)).toMatchObject({ processingFee: false, fareFee: null });
  });
});
