import { getBoletoInfo, isValidBoleto } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "@/lib/brazil/bank-calendar";
import {
  BoletoError,
  barcodeOfLine,
  composeBoleto,
  dueDateOf,
  dueFactor,
  lineOfBarcode,
  MAX_BOLETO_CENTS,
  maskBoletoLine,
  parseBoletoBarcode,
  parseBoletoLine,
  slipMismatches,
} from "@/lib/brazil/boleto";
import VECTORS from "@/lib/brazil/br-vectors.json";

const { boleto: KNOWN } = VECTORS;
const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof BoletoError) return thrown.problem;
    throw thrown;
  }
  return "none";
};

describe("published slips", () => {
  test.each(KNOWN.lines)("$src", ({ line, barcode, due, cents, bank }) => {
    const read = parseBoletoLine(line, due);
    expect(read).toEqual({
      line,
      barcode,
      bank,
      amount: cents,
      dueOn: due,
      factor: dueFactor(due),
      freeField: barcode.slice(19),
    });
    expect(parseBoletoBarcode(barcode, due)).toEqual(read);
    expect(parseBoletoLine(maskBoletoLine(line), due)).toEqual(read);
    expect(barcodeOfLine(line)).toBe(barcode);
    expect(lineOfBarcode(barcode)).toBe(line);
    expect(composeBoleto({ bank, dueOn: due, amount: cents, freeField: barcode.slice(19) })).toEqual(read);
    expect(slipMismatches({ line, barcode, amount: cents, dueOn: due })).toEqual([]);
  });

  test.each(KNOWN.invalid)("%s is refused", (line) => {
    expect(["block_digit", "general_digit"]).toContain(problemOf(() => parseBoletoLine(line, "2026-01-01")));
  });

  test("the simulator's slip", () => {
    const slip = composeBoleto({
      bank: "000",
      dueOn: "2026-11-25",
      amount: 15_990,
      freeField: "0000000000000000001234567",
    });
    expect(slip.barcode).toBe("00096164100000159900000000000000000001234567");
    expect(slip.line).toBe("00090000010000000000000012345674616410000015990");
    expect(maskBoletoLine(slip.line)).toBe("00090.00001 00000.000000 00012.345674 6 16410000015990");
  });
});

describe("due date factor", () => {
  test.each(Object.entries(KNOWN.factor))("%s is %i", (day, factor) => {
    expect(dueFactor(day)).toBe(factor);
    expect(dueDateOf(factor, day)).toBe(day);
    expect(dueDateOf(factor, addDays(day, 4499))).toBe(day);
    if (day > "2025-02-21") expect(dueDateOf(factor, addDays(day, -4500))).toBe(day);
  });

  test("is read as the date nearest to the reference", () => {
    expect(dueDateOf(1000, "2012-10-25")).toBe("2000-07-03");
    expect(dueDateOf(1000, "2012-10-29")).toBe("2025-02-22");
    expect(dueDateOf(9999, "2026-11-20")).toBe("2025-02-21");
    expect(dueDateOf(1000, "1990-01-01")).toBe("2000-07-03");
    expect(dueDateOf(0, "2026-11-20")).toBeUndefined();
    expect(dueDateOf(1, "2026-11-20")).toBe("1997-10-08");
  });

  test("does not exist before 2000-07-03", () => {
    expect(problemOf(() => dueFactor("2000-07-02"))).toBe("due_date");
  });
});

describe("reading", () => {
  const slip = composeBoleto({ bank: "341", dueOn: "2026-12-01", amount: 1, freeField: "1".repeat(25) });

  test("names what is wrong", () => {
    const read = (line: string) => problemOf(() => parseBoletoLine(line, "2026-12-01"));
    expect(read("")).toBe("length");
    expect(read(slip.line.slice(1))).toBe("length");
    expect(read(`${slip.line.slice(0, 46)}x`)).toBe("length");
    expect(read("846100000005246100291102005460339004695895061080")).toBe("collection_slip");
    expect(problemOf(() => parseBoletoBarcode(`8${slip.barcode.slice(1)}`, "2026-12-01"))).toBe("collection_slip");
    const foreign = `341${"8"}${slip.barcode.slice(4)}`;
    expect(problemOf(() => parseBoletoBarcode(foreign, "2026-12-01"))).toBe("currency");
    expect(read(lineOfBarcode(foreign))).toBe("currency");
    const digit = `${slip.barcode.slice(0, 4)}${(Number(slip.barcode[4]) % 9) + 1}${slip.barcode.slice(5)}`;
    expect(problemOf(() => parseBoletoBarcode(digit, "2026-12-01"))).toBe("general_digit");
  });

  test("a slip without a due date has none", () => {
    const bare = `3419100000000000001${"1".repeat(25)}`;
    const codes = Array.from({ length: 9 }, (_, d) => `3419${d + 1}${bare.slice(5)}`);
    const valid = codes.filter((code) => problemOf(() => parseBoletoBarcode(code, "2026-12-01")) === "none");
    expect(valid).toHaveLength(1);
    expect(parseBoletoBarcode(valid[0] ?? "", "2026-12-01").dueOn).toBeUndefined();
  });

  test("compares a provider's slip with itself", () => {
    const { line, barcode } = slip;
    const other = composeBoleto({ bank: "341", dueOn: "2026-12-02", amount: 2, freeField: "1".repeat(25) });
    expect(slipMismatches({ line, barcode, amount: 1, dueOn: "2026-12-01" })).toEqual([]);
    expect(slipMismatches({ line, barcode, amount: 2, dueOn: "2026-12-02" })).toEqual(["amount", "due_date"]);
    expect(slipMismatches({ line, barcode: other.barcode, amount: 1, dueOn: "2026-12-01" })).toEqual(["barcode"]);
    expect(slipMismatches({ line: "1", barcode, amount: 1, dueOn: "2026-12-01" })).toEqual(["line"]);
  });

  test("composing refuses what does not fit", () => {
    const good = { bank: "000", dueOn: "2026-11-25", amount: 1, freeField: "0".repeat(25) };
    expect(composeBoleto({ ...good, amount: MAX_BOLETO_CENTS }).amount).toBe(MAX_BOLETO_CENTS);
    expect(problemOf(() => composeBoleto({ ...good, amount: MAX_BOLETO_CENTS + 1 }))).toBe("amount");
    expect(problemOf(() => composeBoleto({ ...good, amount: 1.5 }))).toBe("amount");
    expect(problemOf(() => composeBoleto({ ...good, bank: "0" }))).toBe("bank");
    expect(problemOf(() => composeBoleto({ ...good, bank: "800" }))).toBe("bank");
    expect(problemOf(() => composeBoleto({ ...good, freeField: "1" }))).toBe("free_field");
  });
});

describe("against an independent implementation", () => {
  const slips = fc.record({
    bank: fc.integer({ min: 1, max: 799 }).map((n) => String(n).padStart(3, "0")),
    dueOn: fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("2000-07-03", days)),
    amount: fc.integer({ min: 1, max: MAX_BOLETO_CENTS }),
    freeField: fc.stringMatching(/^\d{25}$/),
  });

  test("5,000 random slips are read as they were composed, by both", () => {
    fc.assert(
      fc.property(slips, (parts) => {
        const slip = composeBoleto(parts);
        const theirs = getBoletoInfo(slip.line, { referenceDate: new Date(`${parts.dueOn}T12:00:00`) });
        const ours = parseBoletoLine(slip.line, parts.dueOn);
        expect(ours).toEqual(slip);
        expect({ ...parts, line: slip.line }).toMatchObject({ bank: theirs?.bankCode, amount: theirs?.amount });
        const theirDay = theirs?.expirationDate;
        const day =
          theirDay &&
          addDays(`${theirDay.getFullYear()}-${two(theirDay.getMonth() + 1)}-${two(theirDay.getDate())}`, 0);
        expect([ours.dueOn, day]).toEqual([parts.dueOn, parts.dueOn]);
      }),
      { numRuns: 5000 },
    );
  });

  test("a wrong digit is refused by both or by neither; only we look at the currency", () => {
    fc.assert(
      fc.property(slips, fc.nat(46), fc.integer({ min: 1, max: 9 }), (parts, at, shift) => {
        const { line } = composeBoleto(parts);
        const wrong = `${line.slice(0, at)}${(Number(line[at]) + shift) % 10}${line.slice(at + 1)}`;
        const ours = problemOf(() => parseBoletoLine(wrong, parts.dueOn)) === "none";
        return ours === (isValidBoleto(wrong) && wrong[3] === "9");
      }),
      { numRuns: 2000 },
    );
  });
});

const two = (n: number): string => String(n).padStart(2, "0");
