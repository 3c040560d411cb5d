import { describe, expect, test } from "vitest";
import { formOf, readerOf, readSharedAmount } from "@/lib/checkout/form";
import { sharedAmount } from "@/lib/checkout/shared-amount";

describe("the amount of one card of several", () => {
  test.each([
    ["12,345", "pt-BR", undefined],
    ["1.000", "en", undefined],
    ["12.345", "pt-BR", 1_234_500],
    ["1.234,56", "pt-BR", 123_456],
    ["1,234.56", "en", 123_456],
    ["R$\u00a040,5", "pt-BR", 4_050],
    ["12,", "pt-BR", 1_200],
    ["0,00", "pt-BR", 0],
    ["0", "en", 0],
    ["dez", "pt-BR", undefined],
    ["", "pt-BR", undefined],
  ])("%s of somebody who reads %s is %s cents", (typed, locale, cents) => {
    expect(sharedAmount(typed, locale)).toBe(cents);
  });

  test("is asked for again where it can be read in two ways, and called too little below the least", () => {
    const reader = readerOf(formOf("amount0=12%2C345&amount1=0%2C50&amount2=40"), true);
    const read = [0, 1, 2].map((card) => readSharedAmount(reader, 100, card, "pt-BR"));
    expect(read).toEqual([0, 50, 4_000]);
    expect(reader.problems).toEqual([
      { field: "amount", card: 0, isEmpty: true },
      { field: "amount", card: 1 },
    ]);
  });
});
