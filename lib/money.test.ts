import fc from "fast-check";
import { describe, expect, test } from "vitest";
import VECTORS from "@/lib/brazil/br-vectors.json";
import {
  allocate,
  bpsToPercent,
  capturedShares,
  centsToDecimal,
  decimalToCents,
  divHalfUp,
  effectiveRate,
  feeOf,
  feeReturned,
  instalments,
  MAX_CENTS,
  matrix,
  percentToBps,
  prepay,
  splitShares,
  sumOf,
} from "@/lib/money";

const amount = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: MAX_CENTS }));
const smallAmount = fc.integer({ min: 0, max: 1_000_000_00 });

describe("allocate", () => {
  test("gives the cents left over to the largest remainders, ties to the lower index", () => {
    expect(allocate(10_001, [33, 33, 34])).toEqual([3300, 3300, 3401]);
    expect(allocate(10_001, [33, 33, 34], 0)).toEqual([3301, 3300, 3400]);
    expect(allocate(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(7000, [5000, 3000, 2000])).toEqual([3500, 2100, 1400]);
    expect(allocate(1, [0, 0, 5])).toEqual([0, 0, 1]);
  });

  test("always adds up, every part within one cent of its exact share and never negative", () => {
    const weights = fc.array(amount, { minLength: 1, maxLength: 24 }).filter((list) => list.some((w) => w > 0));
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        const parts = allocate(total, list);
        const whole = list.reduce((all, w) => all + BigInt(w), 0n);
        expect(parts.reduce((all, p) => all + BigInt(p), 0n)).toBe(BigInt(total));
        list.forEach((weight, index) => {
          const distance = BigInt(parts[index] ?? -1) * whole - BigInt(total) * BigInt(weight);
          expect(distance > -whole && distance < whole).toBe(true);
          expect(parts[index]).toBeGreaterThanOrEqual(0);
        });
      }),
      { numRuns: 5000 },
    );
  });

  test("depends on the numbers only: the same input gives the same parts and is left untouched", () => {
    const weights = Object.freeze([5, 5, 7]);
    expect(allocate(100, weights)).toEqual(allocate(100, [...weights]));
  });

  test("refuses weights that add up to zero, negative numbers and fractions", () => {
    expect(() => allocate(10, [0, 0])).toThrow(RangeError);
    expect(() => allocate(10, [])).toThrow(RangeError);
    expect(() => allocate(-1, [1])).toThrow(RangeError);
    expect(() => allocate(10, [2, -1])).toThrow(RangeError);
    expect(() => allocate(1.5, [1])).toThrow(RangeError);
    expect(() => allocate(10, [1], 1)).toThrow(RangeError);
  });
});

describe("matrix", () => {
  test("splits three cards over three sellers as published", () => {
    expect(matrix([5000, 3000, 2000], [3333, 3333, 3334])).toEqual([
      [1666, 1667, 1667],
      [1000, 1000, 1000],
      [667, 666, 667],
    ]);
    expect(matrix([1667, 1000, 667], instalments(3334, 3))).toEqual([
      [556, 556, 555],
      [334, 333, 333],
      [222, 222, 223],
    ]);
  });

  test("20,000 random matrices: rows and columns are exact and no cell is negative", () => {
    const columns = fc.array(smallAmount, { minLength: 1, maxLength: 24 });
    const cuts = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(columns, cuts, (cols, weights) => {
        const rows = allocate(sumOf(cols), weights.some((w) => w > 0) ? weights : [1]);
        const cells = matrix(rows, cols);
        const rowsHold = cells.every((row, index) => sumOf(row) === rows[index]);
        const columnsHold = cols.every((column, index) => sumOf(cells.map((row) => row[index] ?? 0)) === column);
        return rowsHold && columnsHold && cells.every((row) => row.length === cols.length && row.every((c) => c >= 0));
      }),
      { numRuns: 20_000 },
    );
  });

  test("refuses totals that differ", () => {
    expect(() => matrix([1, 2], [4])).toThrow(RangeError);
  });
});

describe("instalments", () => {
  test.each(VECTORS.instalments)("$src", ({ total, n, out, mdr_bps, fee_total, fee, net }) => {
    expect(instalments(total, n)).toEqual(out);
    if (mdr_bps === undefined || fee_total === undefined) return;
    expect(feeOf(total, mdr_bps, 0)).toBe(fee_total);
    expect(instalments(fee_total, n)).toEqual(fee);
    expect(instalments(total, n).map((gross, index) => gross - (fee?.[index] ?? 0))).toEqual(net);
  });

  test("add up, and no later one exceeds the first", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 24 }), (total, count) => {
        const parts = instalments(total, count);
        return sumOf(parts) === total && parts.every((part) => part <= (parts[0] ?? 0));
      }),
    );
  });

  test("put the remainder last for a provider that does", () => {
    expect(instalments(10_000, 3, "last")).toEqual([3333, 3333, 3334]);
    expect(() => instalments(100, 0)).toThrow(RangeError);
  });
});

describe("fees", () => {
  test("round half up once per component", () => {
    expect(divHalfUp(825n, 10n)).toBe(83n);
    expect(divHalfUp(4375n, 100n)).toBe(44n);
    expect(divHalfUp(824n, 10n)).toBe(82n);
    expect(feeOf(3333, 399, 39)).toBe(172);
    expect(feeOf(MAX_CENTS, 10_000, 0)).toBe(MAX_CENTS);
    expect(() => divHalfUp(-1n, 2n)).toThrow(RangeError);
  });

  test("of the published split sales come out to the cent", () => {
    for (const sale of VECTORS.split_published) {
      if (sale.gross === undefined || sale.sellers === undefined) continue;
      const acquirer = feeOf(sale.gross, sale.split_fee_bps, sale.split_fixed);
      const fares = sale.sellers.map((seller) => feeOf(seller.share, seller.mdr_bps, seller.fixed));
      expect(sale.sellers.map((seller, index) => seller.share - (fares[index] ?? 0))).toEqual(
        sale.sellers.map((seller) => seller.net),
      );
      expect(acquirer).toBe(sale.acquirer);
      expect((sale.master_share ?? 0) + sumOf(fares) - acquirer).toBe(sale.master);
    }
  });

  test("of three cards borne by two of three sellers", () => {
    const cards = [3333, 3333, 3334];
    const rows = matrix([5000, 3000, 2000], cards);
    const fees = cards.map((card) => feeOf(card, 399, 39));
    expect(fees).toEqual([172, 172, 172]);
    const borne = fees.map((fee, card) => allocate(fee, [rows[0]?.[card] ?? 0, rows[2]?.[card] ?? 0]));
    expect(borne).toEqual([
      [123, 49],
      [123, 49],
      [123, 49],
    ]);
    expect(5000 - 3 * 123).toBe(4631);
    expect(2000 - 3 * 49).toBe(1853);
  });

  test("are returned cumulatively with a refund, so that parts add up exactly", () => {
    for (const sale of VECTORS.split_published) {
      for (const { share, fee, refund, from_seller, from_master } of sale.refund ?? []) {
        expect(feeReturned(fee, share, 0, refund)).toBe(from_master);
        expect(refund - from_master).toBe(from_seller);
      }
    }
    const steps = [0, 1, 2, 3].map((k) => feeReturned(330, 6000, k * 1500, (k + 1) * 1500));
    expect(steps).toEqual([83, 82, 83, 82]);
    expect(feeReturned(300, 6000, 0, 1500)).toBe(75);
  });
});

describe("prepay", () => {
  test.each(VECTORS.prepayment)("$src", ({ monthly_rate_bps, markup_bps, items, total, effective_rate }) => {
    const priced = items.map((item) => prepay(item.gross, monthly_rate_bps, markup_bps, item.days));
    expect(priced).toEqual(items.map(({ net, fee, markup }) => ({ net, fee, markup })));
    if (!total) return;
    expect(sumOf(priced.map((item) => item.net))).toBe(total.net);
    expect(sumOf(priced.map((item) => item.fee))).toBe(total.fee);
    expect(sumOf(priced.map((item) => item.markup))).toBe(total.markup);
    expect(effectiveRate(total.gross, total.fee + total.markup)).toBe(effective_rate);
  });

  test("adds up, has no negative part, and never pays more for more days or higher rates", () => {
    const rate = fc.integer({ min: 0, max: 2000 });
    const days = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(amount, rate, rate, days, (gross, monthly, markup, early) => {
        const price = prepay(gross, monthly, markup, early);
        return (
          BigInt(price.net) + BigInt(price.fee) + BigInt(price.markup) === BigInt(gross) &&
          Math.min(price.net, price.fee, price.markup) >= 0 &&
          prepay(gross, monthly, markup, early + 1).net <= price.net &&
          prepay(gross, monthly + 1, markup, early).net <= price.net &&
          prepay(gross, monthly, markup + 1, early).net <= price.net
        );
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("splitShares", () => {
  test("percentages: largest remainder, or the seller that takes the remainder", () => {
    const rules = [{ bps: 3300 }, { bps: 3300 }, { bps: 3400 }];
    expect(splitShares(10_001, rules)).toEqual({ rules: [3300, 3300, 3401], merchant: 0 });
    const first = [{ bps: 3300, chargeRemainderFee: true }, { bps: 3300 }, { bps: 3400 }];
    expect(splitShares(10_001, first)).toEqual({ rules: [3301, 3300, 3400], merchant: 0 });
  });

  test("the residue is the merchant's, or the transaction owner's when a rule has it", () => {
    expect(splitShares(10_000, [{ bps: 4500 }, { bps: 3000 }])).toEqual({ rules: [4500, 3000], merchant: 2500 });
    expect(splitShares(10_000, [{ amount: 4500 }, { amount: 3000 }])).toEqual({ rules: [4500, 3000], merchant: 2500 });
    const owned = [{ bps: 4500 }, { bps: 3000, transactionOwner: true }];
    expect(splitShares(10_000, owned)).toEqual({ rules: [4500, 5500], merchant: 0 });
    const ownedAmounts = [{ amount: 4500, transactionOwner: true }, { amount: 3000 }];
    expect(splitShares(10_000, ownedAmounts)).toEqual({ rules: [7000, 3000], merchant: 0 });
    expect(splitShares(10_000, [])).toEqual({ rules: [], merchant: 10_000 });
  });

  test("always adds up to the total", () => {
    const bps = fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(amount, bps, fc.nat(4), fc.boolean(), (total, list, taker, takes) => {
        const rules = list.map((share, index) => ({ bps: share, chargeRemainderFee: takes && index === taker }));
        const shares = splitShares(total, rules);
        return sumOf(shares.rules) + shares.merchant === total && shares.rules.length === list.length;
      }),
    );
  });

  test("refuses mixed modes and shares above the total", () => {
    expect(() => splitShares(100, [{ amount: 10 }, { bps: 10 }])).toThrow(RangeError);
    expect(() => splitShares(100, [{ amount: 101 }])).toThrow(RangeError);
    expect(() => splitShares(100, [{ bps: 9000 }, { bps: 1001 }])).toThrow(RangeError);
  });

  test("a partial capture recomputes percentages and shares amounts in proportion", () => {
    const amounts = [{ amount: 5000 }, { amount: 3000 }, { amount: 2000 }];
    expect(capturedShares(7000, 10_000, amounts)).toEqual({ rules: [3500, 2100, 1400], merchant: 0 });
    expect(capturedShares(7000, 10_000, amounts.slice(0, 2))).toEqual({ rules: [3500, 2100], merchant: 1400 });
    expect(capturedShares(333, 10_000, [{ bps: 5000 }])).toEqual({ rules: [167], merchant: 166 });
    expect(capturedShares(333, 10_000, [])).toEqual({ rules: [], merchant: 333 });
  });
});

describe("decimal text", () => {
  test("rates are read from their text with at most two decimals", () => {
    expect(percentToBps("3.99")).toBe(399);
    expect(percentToBps(3.99)).toBe(399);
    expect(percentToBps(100)).toBe(10_000);
    expect(percentToBps("0.5")).toBe(50);
    expect(percentToBps(1.1)).toBe(110);
    for (const bad of ["3.999", "-1", "1e2", "", " 1", "1.", ".5", "1,5", 1e-7, Number.NaN, -3, "99999999999999999"]) {
      expect(percentToBps(bad)).toBeUndefined();
    }
  });

  test("every rate of two decimals survives both ways", () => {
    for (let bps = 0; bps <= 10_000; bps++) expect(percentToBps(bpsToPercent(bps))).toBe(bps);
  });

  test("cents become decimal text and come back unchanged", () => {
    expect(centsToDecimal(3700)).toBe("37.00");
    expect(centsToDecimal(5)).toBe("0.05");
    expect(decimalToCents("37.00")).toBe(3700);
    expect(decimalToCents(15.9)).toBe(1590);
    expect(decimalToCents("1.005")).toBeUndefined();
    expect(decimalToCents(0.1 + 0.2)).toBeUndefined();
    fc.assert(fc.property(amount, (cents) => decimalToCents(centsToDecimal(cents)) === cents));
    expect(() => centsToDecimal(-1)).toThrow(RangeError);
  });
});
