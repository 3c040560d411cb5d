import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import VECTORS from "@/lib/brazil/br-vectors.json";
import { cnpjOk, cpfOk, maskTaxId, normalizeTaxId } from "@/lib/brazil/cpf-cnpj";

const text = (alphabet: string, length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((list) => list.join(""));
const DIGITS = "0123456789";
const ALPHANUMERIC = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** The base with the only pair of check digits that `ok` accepts. */
const completed = (base: string, ok: (number: string) => boolean): string => {
  const all = Array.from({ length: 100 }, (_, n) => base + String(n).padStart(2, "0")).filter(ok);
  expect(all.length).toBeLessThanOrEqual(1);
  return all[0] ?? "";
};

describe("CPF", () => {
  test.each(VECTORS.cpf.valid)("%s is valid", (number) => expect(cpfOk(number)).toBe(true));
  test.each(VECTORS.cpf.invalid)("%s is refused", (number) => expect(cpfOk(number)).toBe(false));

  test("agrees with an independent implementation on random numbers", () => {
    fc.assert(
      fc.property(text(DIGITS, 9), (base) => {
        const number = completed(base, cpfOk);
        return number === "" ? /^(\d)\1+$/.test(base) : isValidCpf(number);
      }),
      { numRuns: 300 },
    );
    fc.assert(fc.property(text(DIGITS, 11), (number) => cpfOk(number) === isValidCpf(number)));
  });
});

describe("CNPJ", () => {
  test.each(VECTORS.cnpj.valid)("%s is valid", (number) => expect(cnpjOk(number)).toBe(true));
  test.each(VECTORS.cnpj.invalid)("%s is refused", (number) => expect(cnpjOk(number)).toBe(false));

  test("letters and digits: agrees with an independent implementation", () => {
    fc.assert(
      fc.property(text(ALPHANUMERIC, 12), (base) => {
        const number = completed(base, cnpjOk);
        return isValidCnpj(number, { version: 2 }) && cnpjOk(number.toLowerCase());
      }),
      { numRuns: 300 },
    );
    fc.assert(fc.property(text(ALPHANUMERIC, 14), (n) => cnpjOk(n) === isValidCnpj(n, { version: 2 })));
  });

  test("characters that only become letters by upper-casing are refused", () => {
    for (const odd of ["12ABC34501DE3ß", "ſ2ABC34501DE35", "12ABC34501DE３５", "ıSABC34501DE35"]) {
      expect(cnpjOk(odd)).toBe(false);
    }
  });
});

describe("normal form", () => {
  test("has no mask, upper-case letters, and keeps leading zeros", () => {
    expect(normalizeTaxId(" 000.000.001-91 ")).toBe("00000000191");
    expect(normalizeTaxId("12.abc.345/01de-35")).toBe("12ABC34501DE35");
  });

  test("is masked for display", () => {
    expect(maskTaxId("52998224725")).toBe("529.982.247-25");
    expect(maskTaxId("12abc34501de35")).toBe("12.ABC.345/01DE-35");
    expect(maskTaxId("X-1")).toBe("X-1");
  });
});
