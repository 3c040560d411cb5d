import { describe, expect, test } from "vitest";
import { stretchesOf, waterfallOf } from "@/lib/charges/waterfall";

const START = new Date("2026-11-20T12:00:00Z");
const at = (ms: number) => new Date(START.getTime() + ms);
const attempt = (sentMs: number, responseMs: number | null, more: object = {}) => ({
  kind: "authorize",
  createdAt: at(sentMs),
  updatedAt: at(sentMs + (responseMs ?? 0)),
  responseMs,
  state: "approved",
  queries: 0,
  ...more,
});

describe("the waterfall of a payment", () => {
  test("shows what was waited for and each call, on one even axis", () => {
    const rows = stretchesOf(START, [attempt(50, 100), attempt(200, 50)], at(9_000));
    expect(rows.map((row) => row.map(({ stage }) => stage))).toEqual([
      ["waited", "provider"],
      ["waited", "provider"],
    ]);
    const { rows: placed, folds } = waterfallOf(rows);
    expect(folds).toEqual([]);
    expect(placed[0]).toEqual([
      { stage: "waited", left: 0, width: 0.2, ms: 50 },
      { stage: "provider", left: 0.2, width: expect.closeTo(0.4), ms: 100 },
    ]);
    expect(placed[1]?.[1]).toMatchObject({ left: 0.8, width: expect.closeTo(0.2), ms: 50 });
  });

  test("folds a long quiet time and says how long it was", () => {
    const { rows, folds } = waterfallOf(stretchesOf(START, [attempt(0, 100), attempt(86_400_000, 100)], at(0)));
    expect(folds).toEqual([{ left: expect.closeTo(1 / 4), width: expect.closeTo(1 / 2), ms: 86_399_900 }]);
    expect(rows[1]?.[1]).toMatchObject({ left: expect.closeTo(3 / 4), ms: 100 });
  });

  test("an outcome that nobody knew is its own stretch, until it was settled or until now", () => {
    const settled = attempt(0, 100, { updatedAt: at(5_100), queries: 2 });
    const open = attempt(6_000, 100, { state: "undetermined" });
    const [first, second] = stretchesOf(START, [settled, open], at(7_000));
    expect(first?.at(-1)).toEqual({
      stage: "unknown",
      fromMs: START.getTime() + 100,
      untilMs: START.getTime() + 5_100,
    });
    expect(second?.at(-1)).toMatchObject({ stage: "unknown", untilMs: START.getTime() + 7_000 });
  });

  test("what a provider told by itself is no call: nothing was waited for, and nothing answered", () => {
    const told = attempt(400, null, { kind: "notice" });
    const rows = stretchesOf(START, [attempt(0, 100), told, attempt(900, 50)], at(9_000));
    expect(rows[1]).toEqual([]);
    expect(rows[2]?.[0]).toMatchObject({ stage: "waited", fromMs: START.getTime() + 100 });
  });

  test("a second refund waited for nothing; one that is sent anew waited since the first was given up", () => {
    const refund = (sentMs: number, more: object = {}) => attempt(sentMs, 6, { kind: "refund", ...more });
    const asked = stretchesOf(START, [attempt(0, 100), refund(900), refund(4_000)], at(9_000));
    expect(asked.map((row) => row.map(({ stage }) => stage))).toEqual([["provider"], ["provider"], ["provider"]]);
    const told = attempt(950, null, { kind: "notice" });
    const again = [attempt(0, 100), refund(900, { state: "not_sent" }), told, refund(4_000)];
    expect(stretchesOf(START, again, at(9_000))[3]?.[0]).toEqual({
      stage: "waited",
      fromMs: START.getTime() + 906,
      untilMs: START.getTime() + 4_000,
    });
  });

  test("an account whose clock stands still has a waterfall all the same", () => {
    const { rows } = waterfallOf(stretchesOf(START, [attempt(0, null)], START));
    expect(rows).toEqual([[{ stage: "provider", left: 0, width: 1, ms: 0 }]]);
  });
});
