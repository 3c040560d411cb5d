import { describe, expect, test } from "vitest";
import { even, LEAST_CENTS, summed, withAmount, withCards, withRemainder } from "@/components/checkout/islands/amounts";

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    // The last digits of such numbers are hardly random: what counts is how large they are.
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe("amounts of several cards", () => {
  test("10,000 orders, moved and dealt among two and three cards at random: to the cent, and a real on each", () => {
    const next = numbers(7);
    const wrong: object[] = [];
    for (let order = 0; order < 10_000; order++) {
      const total = 3 * LEAST_CENTS + next(1_000_000);
      let amounts = even(total, 2 + next(2));
      for (let move = 0; move < 6; move++) {
        const count = amounts.length;
        const index = next(count);
        const others = [0, 1, 2].filter((each) => each < count && each !== index);
        amounts = next(3)
          ? withAmount(amounts, index, next(2 * total) - total / 2, next(2) ? others : others.toReversed(), total)
          : withCards(amounts, 5 - count, total);
        if (sum(amounts) !== total || Math.min(...amounts) < LEAST_CENTS) wrong.push({ total, amounts });
      }
    }
    expect(wrong).toEqual([]);
  });

  test("the first one named takes the difference, and the next one only what is left", () => {
    expect(withAmount([5_000, 5_000], 0, 7_000, [1], 10_000)).toEqual([7_000, 3_000]);
    expect(withAmount([3_400, 3_300, 3_300], 0, 9_000, [2, 1], 10_000)).toEqual([9_000, 900, 100]);
    expect(withAmount([3_400, 3_300, 3_300], 1, 999_999, [0, 2], 10_000)).toEqual([100, 9_800, 100]);
  });

  test("a third card takes half of the largest, and leaves what it had to the second; equal ones stay equal", () => {
    expect(withCards([5_001, 5_000], 3, 10_001)).toEqual([3_335, 3_333, 3_333]);
    expect(withCards([7_001, 3_000], 3, 10_001)).toEqual([3_501, 3_000, 3_500]);
    expect(withCards([3_501, 3_000, 3_500], 2, 10_001)).toEqual([3_501, 6_500]);
    expect(withCards([199, 101], 3, 300)).toEqual([100, 100, 100]);
  });

  test("what was typed is left alone: the remainder is for the others, and where none is left the sum stays off", () => {
    expect(withRemainder([5_000, 3_300, 6_000], [1], 10_000)).toEqual([5_000, 100, 6_000]);
    expect(withRemainder([5_000, 3_300, 3_300], [2, 1], 10_000)).toEqual([5_000, 3_300, 1_700]);
    expect(withRemainder([5_000, 6_000], [], 10_000)).toEqual([5_000, 6_000]);
    // A slider beside typed amounts has no more to give than they leave.
    expect(withAmount([5_000, 2_500, 2_500], 2, 6_000, [1], 10_000)).toEqual([5_000, 100, 4_900]);
  });

  test("a third card takes nothing of a typed one, and one that goes leaves nothing to it", () => {
    expect(withCards([7_000, 3_000], 3, 10_000, new Set([0]))).toEqual([7_000, 1_500, 1_500]);
    expect(withCards([2_000, 7_000, 1_000], 2, 10_000, new Set([1]))).toEqual([3_000, 7_000]);
  });

  test("typed amounts that leave nothing to another number of cards give way: the first one stays where it can", () => {
    expect(withCards([7_000, 3_000], 3, 10_000, new Set([0, 1]))).toEqual([7_000, 1_500, 1_500]);
    expect(withCards([99_901, 100], 3, 100_001, new Set([0]))).toEqual([33_335, 33_333, 33_333]);
    expect(withCards([2_000, 7_000, 1_000], 2, 10_000, new Set([0, 1]))).toEqual([2_000, 8_000]);
    expect(withCards([5_000, 100, 6_000], 2, 10_000, new Set([0, 1, 2]))).toEqual([5_000, 5_000]);
  });

  test("10,000 orders of typed amounts, which add up or not: another number of cards does, with a real on each", () => {
    const next = numbers(13);
    const wrong: object[] = [];
    for (let order = 0; order < 10_000; order++) {
      const total = 3 * LEAST_CENTS + next(next(2) ? 300 : 1_000_000);
      const before = 2 + next(2);
      const kept = even(total, before).map((amount) => (next(2) ? amount : LEAST_CENTS + next(total)));
      const typed = new Set([0, 1, 2].filter((index) => index < before && next(2)));
      const amounts = withCards(kept, 5 - before, total, typed);
      const isRight = amounts.length === 5 - before && sum(amounts) === total && Math.min(...amounts) >= LEAST_CENTS;
      if (!isRight) wrong.push({ total, kept, typed: [...typed], amounts });
    }
    expect(wrong).toEqual([]);
  });

  test("while an amount cannot be read nothing is said of the sum", () => {
    expect(summed([5_000, 5_000], new Set(), 10_000)).toEqual({ kind: "shared" });
    expect(summed([5_000, 6_000], new Set(), 10_000)).toEqual({ kind: "over", sum: 11_000, off: 1_000 });
    expect(summed([5_000, 4_000], new Set(), 10_000)).toEqual({ kind: "short", sum: 9_000, off: 1_000 });
    expect(summed([100, 5_000, 4_900], new Set([0]), 10_000)).toEqual({ kind: "unread" });
  });
});
