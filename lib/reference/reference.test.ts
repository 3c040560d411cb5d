import { describe, expect, test } from "vitest";
import { BANKS, BANKS_AS_OF, findBank, findBankByIspb } from "@/lib/reference/banks";
import { CURRENCIES, DEFAULT_CURRENCY, isCurrency } from "@/lib/reference/currencies";
import { isKnownMcc, MCC_CODES, normalizeMcc } from "@/lib/reference/mcc";

describe("currencies", () => {
  test("are 135 different ISO 4217 codes, Brazil's first", () => {
    expect(CURRENCIES).toHaveLength(135);
    expect(new Set(CURRENCIES).size).toBe(135);
    expect(CURRENCIES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    expect(CURRENCIES[0]).toBe(DEFAULT_CURRENCY);
    expect(isCurrency("USD")).toBe(true);
    for (const other of ["usd", "XXX", "", "BR"]) expect(isCurrency(other)).toBe(false);
  });
});

describe("merchant categories", () => {
  test("are 291 codes, with every code of their ranges", () => {
    expect(MCC_CODES).toHaveLength(291);
    expect(new Set(MCC_CODES).size).toBe(291);
    for (const code of ["5044", "5045", "5046", "5047", "5969", "9950"]) expect(isKnownMcc(code)).toBe(true);
    for (const code of ["5043", "5048", "0000", "9999", "12", "57120", "5-12"]) expect(isKnownMcc(code)).toBe(false);
  });

  test("742 and 0742 are the same code", () => {
    expect(normalizeMcc("742")).toBe("0742");
    expect(normalizeMcc(742)).toBe("0742");
    expect(isKnownMcc("742") && isKnownMcc("0742") && isKnownMcc(742)).toBe(true);
    expect(normalizeMcc("57a2")).toBeUndefined();
    expect(normalizeMcc(57.1)).toBeUndefined();
  });
});

describe("banks", () => {
  test("are known by code and by ISPB, zeros included", () => {
    expect(findBank("001")).toEqual({ code: "001", ispb: "00000000", name: "Banco do Brasil" });
    expect(findBankByIspb("00000000")?.code).toBe("001");
    expect(findBankByIspb("60701190")?.name).toBe("Itaú");
    expect(findBank("356")).toEqual({ code: "356", ispb: null, name: "Banco Real" });
    expect(findBank("000")).toBeUndefined();
  });

  test("each have a code, a name and an ISPB of their own", () => {
    const ispbs = BANKS.flatMap(({ ispb }) => ispb ?? []);
    expect(BANKS_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(BANKS.every(({ code, name }) => /^\d{3}$/.test(code) && name.length > 1)).toBe(true);
    expect(ispbs.every((ispb) => /^[0-9A-Z]{8}$/.test(ispb))).toBe(true);
    expect(new Set(ispbs).size).toBe(ispbs.length);
    expect(ispbs.length).toBeGreaterThan(400);
  });
});
