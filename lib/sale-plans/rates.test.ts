import { describe, expect, test } from "vitest";
import { inForce, type RateRow, rateFor, rateMethodOf, type Sold } from "@/lib/sale-plans/rates";

let made = 0;
const nextId = (): string => {
  made += 1;
  return String(made).padStart(6, "0");
};
const rate = (percentageBps: number, changes: Partial<RateRow> = {}): RateRow => ({
  id: nextId(),
  clientId: "c",
  planId: "p",
  paymentMethod: "credit",
  brand: null,
  installmentFrom: 1,
  installmentTo: 24,
  percentageBps,
  fixedAmount: 0,
  refundable: "mdr",
  effectiveFrom: "2026-01-01",
  isRetired: false,
  createdAt: new Date(0),
  ...changes,
});
const sold = (changes: Partial<Sold> = {}): Sold => ({
  method: "credit",
  brand: "visa",
  installments: 3,
  day: "2026-06-10",
  ...changes,
});
const priceOf = (rows: RateRow[], changes: Partial<Sold> = {}) => rateFor(rows, sold(changes))?.percentageBps;

describe("the rate that applies", () => {
  const rows = [
    rate(100, { paymentMethod: "default" }),
    rate(200),
    rate(300, { installmentFrom: 2, installmentTo: 6 }),
    rate(400, { brand: "visa" }),
    rate(500, { paymentMethod: "pix" }),
  ];

  test.each([
    ["a brand before a narrow band", {}, 400],
    ["a narrow band before a wide one", { brand: "elo" }, 300],
    ["the wide band where no other fits", { brand: "elo", installments: 12 }, 200],
    ["that of its own method", { method: "pix", brand: undefined, installments: 1 }, 500],
    ["the fallback for a method without one", { method: "boleto", brand: undefined, installments: 1 }, 100],
  ] as const)("%s", (_name, changes, expected) => {
    expect(priceOf(rows, changes)).toBe(expected);
  });

  test("nothing, where nothing fits", () => {
    expect(priceOf([rate(200, { paymentMethod: "pix" })])).toBeUndefined();
    expect(priceOf([])).toBeUndefined();
  });

  test("changes on the day a later row begins, not before; of one day the last written counts", () => {
    const changed = [
      rate(200),
      rate(250, { effectiveFrom: "2026-06-10" }),
      rate(260, { effectiveFrom: "2026-06-10" }),
      rate(900, { effectiveFrom: "2026-06-11" }),
    ];
    expect([
      priceOf(changed, { day: "2026-06-09" }),
      priceOf(changed),
      priceOf(changed, { day: "2026-07-01" }),
    ]).toEqual([200, 260, 900]);
  });

  test("a retired row leaves its payments to the next less particular one", () => {
    const retired = [
      rate(200),
      rate(300, { brand: "visa" }),
      rate(0, { brand: "visa", effectiveFrom: "2026-06-01", isRetired: true }),
    ];
    expect(priceOf(retired)).toBe(200);
    expect(inForce(retired, "2026-06-01").map(({ percentageBps }) => percentageBps)).toEqual([200]);
  });

  test("cards in wallets are priced as credit", () => {
    expect(["apple_pay", "click_to_pay", "credit", "nupay", "picpay"].map(rateMethodOf)).toEqual([
      "credit",
      "credit",
      "credit",
      "default",
      "default",
    ]);
  });
});
