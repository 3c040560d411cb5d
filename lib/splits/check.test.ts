import { describe, expect, test } from "vitest";
import { DomainError, RequestError } from "@/lib/errors";
import { type AskedRule, checkPurchaseSplit, checkRefundSplit, checkSplit, modeOf } from "@/lib/splits/check";

const codeOf = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DomainError) return thrown.businessCode;
    return thrown instanceof RequestError ? [thrown.message, ...thrown.details].at(-1) : thrown;
  }
};

const NOBODY = new Set<string>();
const half = { sellerId: "a", percentage: 50 };
const CASES: [string, AskedRule[], unknown, unknown][] = [
  [
    "both modes",
    [half, { sellerId: "b", amount: 1 }],
    "split_rules_mixed",
    "splitRules: all by percentage or all by amount",
  ],
  [
    "more than all",
    [half, { sellerId: "b", percentage: 50.01 }],
    "split_total_exceeded",
    "splitRules: share more than the amount",
  ],
  [
    "more cents than there are",
    [{ sellerId: "a", amount: 101 }],
    "split_total_exceeded",
    "splitRules: share more than the amount",
  ],
  [
    "two owners",
    [
      { ...half, transactionOwner: true },
      { sellerId: "b", percentage: 1, transactionOwner: true },
    ],
    "splitRules: at most one transactionOwner",
    "splitRules: at most one transactionOwner",
  ],
  [
    "one seller twice",
    [half, { sellerId: "a", percentage: 1 }],
    "splitRules: each seller once",
    "splitRules: each seller once",
  ],
  ["a seller nobody knows", [half], "seller_not_found", "splitRules.0.sellerId: unknown seller"],
];

describe("the same faults under the errors that each resource documents", () => {
  test.each(CASES)("%s", (_name, rules, charge, purchase) => {
    expect(codeOf(() => checkSplit(rules, 100, NOBODY))).toBe(charge);
    expect(codeOf(() => checkPurchaseSplit(rules, 100, NOBODY))).toBe(purchase);
  });

  test("rules are of one mode, or there are none", () => {
    expect([modeOf([]), modeOf([half]), modeOf([{ sellerId: "a", amount: 1 }])]).toEqual([
      false,
      "percentage",
      "amount",
    ]);
  });
});

describe("what sellers give back of a refund", () => {
  const shares = [
    { sellerId: "a", amount: 60 },
    { sellerId: "b", amount: 20 },
  ];

  test.each([
    ["all of it", [{ sellerId: "a", amount: 50 }], undefined],
    ["a part: the merchant gives the rest", [{ sellerId: "b", amount: 10 }], undefined],
    ["more than is refunded", [{ sellerId: "a", amount: 51 }], "split_total_exceeded"],
    ["more than a seller got", [{ sellerId: "b", amount: 21 }], "amount_exceeds_remaining"],
  ])("%s", (_name, rules, code) => {
    expect(codeOf(() => checkRefundSplit(rules, 50, shares))).toBe(code);
  });
});
