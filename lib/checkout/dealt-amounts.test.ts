import { describe, expect, test } from "vitest";
import { amountText, dealtAmounts, withDealtAmounts } from "@/lib/checkout/dealt-amounts";
import { sharedAmount } from "@/lib/checkout/shared-amount";

const LEAST = 100;
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

describe("amounts kept of a payment that was declined", () => {
  test("1,000 of them, whatever was kept, for two and three cards: to the cent, and a real on each", () => {
    const next = numbers(11);
    const wrong: object[] = [];
    for (let order = 0; order < 1_000; order++) {
      const locale = next(2) ? "en" : "pt-BR";
      const count = 2 + next(2);
      const total = count * LEAST + next(next(2) ? 500 : 1_000_000);
      const before = 2 + next(2);
      const first = LEAST + next(total);
      const kept = next(3) ? dealtAmounts(first, total, before) : Array.from({ length: before }, () => next(2 * total));
      const values = Object.fromEntries(kept.map((each, card) => [`amount${card}`, amountText(each, locale)]));
      const dealt = withDealtAmounts({ ...values, email: "ana@example.com" }, total, count, locale);
      const amounts = Array.from({ length: 3 }, (_, card) => dealt[`amount${card}`]).flatMap((text) =>
        text === undefined ? [] : [sharedAmount(text, locale) ?? 0],
      );
      const isRight = amounts.length === count && sum(amounts) === total && Math.min(...amounts) >= LEAST;
      if (!isRight || dealt.email !== "ana@example.com") wrong.push({ total, count, values, dealt });
    }
    expect(wrong).toEqual([]);
  });

  test("are left as they were typed for as many cards, and the first one's stays for more or fewer", () => {
    const two = { amount0: "600", amount1: "400,00" };
    expect(withDealtAmounts(two, 100_000, 2, "pt-BR")).toBe(two);
    expect(withDealtAmounts(two, 100_000, 3, "pt-BR")).toEqual({
      amount0: "600,00",
      amount1: "200,00",
      amount2: "200,00",
    });
    expect(withDealtAmounts({ amount0: "600", amount1: "300", amount2: "100" }, 100_000, 2, "en")).toEqual({
      amount0: "600.00",
      amount1: "400.00",
    });
    // What is left is too little for two cards, or the link's amount is another now.
    expect(withDealtAmounts({ amount0: "999.01", amount1: "1.00" }, 100_001, 3, "en")).toMatchObject({
      amount0: "333.35",
      amount2: "333.33",
    });
    expect(withDealtAmounts(two, 50_000, 2, "pt-BR")).toEqual({ amount0: "250,00", amount1: "250,00" });
  });

  test("are those of two or three cards, whatever number a form had named", () => {
    for (const count of ["2", "1", "7", "-1", "many", "1e3"]) {
      const kept = { count, amount0: "600,00", amount1: "400,00", amount2: "1,00" };
      expect(withDealtAmounts(kept, 100_000, 2, "pt-BR"), count).toBe(kept);
    }
  });
});
