import { expect, test } from "vitest";
import { deadlineOf, nextAnalysisQueryAt, type OpenAnalysis } from "@/lib/antifraud/schedule";

const SENT = new Date("2026-11-24T15:00:00.000Z");
const after = (seconds: number) => new Date(SENT.getTime() + seconds * 1_000);
const secondsOf = (at: Date) => (at.getTime() - SENT.getTime()) / 1_000;

/** Every moment at which it is asked, until its deadline. */
function asked(changes: Partial<OpenAnalysis>): number[] {
  const open: OpenAnalysis = { sentAt: SENT, productType: "SYNC", isUnknown: false, ...changes };
  const moments: number[] = [];
  for (let now = SENT; now < deadlineOf(open); ) {
    now = nextAnalysisQueryAt(open, now);
    moments.push(secondsOf(now));
  }
  return moments;
}
const HOURS = Array.from({ length: 48 }, (_, index) => (index + 1) * 3_600);

test("a synchronous product without an answer is asked at 5, 15 and 60 s, and has failed after 2 min", () => {
  expect(asked({ isUnknown: true })).toEqual([5, 15, 60, 120]);
});

test("one that is not done is asked at 1, 5, 15 and 60 min, then hourly, for 48 h", () => {
  expect(asked({})).toEqual([60, 300, 900, ...HOURS]);
  expect(asked({ productType: "ASYNC" })).toEqual([60, 300, 900, ...HOURS]);
});

test("an asynchronous product without an answer is asked soon, and then as often as one that is not done", () => {
  expect(asked({ productType: "ASYNC", isUnknown: true })).toEqual([5, 15, 60, 300, 900, ...HOURS]);
});

test("a hold that is voided sooner ends the waiting a minute before", () => {
  const moments = asked({ productType: "ASYNC", voidedAt: after(2 * 3_600 + 90) });
  expect(moments).toEqual([60, 300, 900, 3_600, 2 * 3_600, 2 * 3_600 + 30]);
});

test("what the provider foretold is asked about then, and what was foretold for the past is not", () => {
  expect(
    secondsOf(
      nextAnalysisQueryAt({ sentAt: SENT, productType: "SYNC", isUnknown: false, nextEventAt: after(7) }, SENT),
    ),
  ).toBe(7);
  expect(asked({ nextEventAt: after(-7) })).toEqual([60, 300, 900, ...HOURS]);
});
