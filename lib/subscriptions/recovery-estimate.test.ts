import { expect, test } from "vitest";
import { estimateRecovery, typedPolicy } from "@/lib/subscriptions/recovery-estimate";

const MONTH = {
  byDay: [
    { days: 0, count: 4 },
    { days: 1, count: 10 },
    { days: 3, count: 6 },
    { days: 7, count: 2 },
  ],
  byHand: { count: 3, amount: 0 },
  byClass: [
    { name: "later" as const, declined: 30, recovered: 22 },
    { name: "never" as const, declined: 5, recovered: 3 },
  ],
  lost: { count: 10, amount: 0 },
};
const FORMER = [1, 2, 2, 2];

test("other days are told as a span: what is certain, and what nobody asked an issuer", () => {
  // The same days reach what they reached.
  expect(estimateRecovery(MONTH, FORMER, FORMER)).toEqual({ days: [1, 3, 5, 7], least: 25, most: 25 });
  // Fewer: what was paid later is gone for certain.
  expect(estimateRecovery(MONTH, [1, 2], FORMER)).toEqual({ days: [1, 3], least: 23, most: 23 });
  // A day goes while a later one stays: that card might have paid then.
  expect(estimateRecovery(MONTH, [3], FORMER)).toEqual({ days: [3], least: 13, most: 23 });
  // A day that nobody tried: all that was lost might have paid, but what no try helps.
  expect(estimateRecovery(MONTH, [1, 2, 2, 2, 7], FORMER)).toEqual({ days: [1, 3, 5, 7, 14], least: 25, most: 33 });
  expect(estimateRecovery(MONTH, [2], FORMER)).toEqual({ days: [2], least: 7, most: 33 });
});

test.each([
  ["1, 2, 2, 2", [1, 2, 2, 2]],
  ["3;4", [3, 4]],
  ["", undefined],
  ["0, 1", undefined],
  ["1.5", undefined],
  ["20, 11", undefined],
  ["1,1,1,1,1,1,1", undefined],
])("the days %s are read as %s", (text, policy) => expect(typedPolicy(text)).toEqual(policy));
