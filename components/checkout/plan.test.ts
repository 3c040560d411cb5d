import { expect, test } from "vitest";
import { mailedOf } from "@/components/checkout/plan";

const THEN = "2026-12-26";

test.each([
  ["a card that is charged again", { nextOn: THEN, trialDays: null }, false, "link"],
  ["a card that is charged once after a trial", { nextOn: null, trialDays: 7 }, false, "link"],
  ["a card that is charged once", { nextOn: null, trialDays: null }, false, "receipt"],
  ["a bank that is charged again", { nextOn: THEN, trialDays: null }, true, "receipts"],
  ["a bank that is charged once", { nextOn: null, trialDays: null }, true, "receipt"],
] as const)("%s is told of what its buyer is sent", (_case, plan, isByBank, mailed) => {
  expect(mailedOf(plan, isByBank)).toBe(mailed);
});
