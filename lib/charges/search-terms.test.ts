import { describe, expect, test } from "vitest";
import { readSearch, type SearchKind } from "@/lib/charges/search-terms";
import { typedAmount } from "@/lib/charges/typed-amount";

const kindsOf = (typed: string): SearchKind[] => readSearch(typed).map(({ kind }) => kind);

describe("what was typed", () => {
  test.each<[string, SearchKind]>([
    ["01a1fdae-8548-7cbc-a3df-848b3f4dfb5d", "id"],
    ["01A1FDAE85487CBCA3DF848B3F4DFB5D", "txid"],
    [" ana@example.com ", "email"],
    ["529.982.247-25", "document"],
    ["52998224725", "document"],
    ["11.222.333/0001-81", "document"],
    ["4242", "lastFour"],
    ["•••• 4242", "lastFour"],
    ["**** 4242", "lastFour"],
    ["000918272", "code"],
    ["T3ST01", "code"],
    ["129,90", "amount"],
    ["R$ 1.299,00", "amount"],
    ["459.9", "amount"],
    ["pedido-1001", "order"],
    ["sbx_91c1", "reference"],
  ])("%s may be %s", (typed, kind) => {
    expect(kindsOf(typed)).toContain(kind);
  });

  test("an e-mail and an amount are nothing else, an id may be a provider's own", () => {
    expect(kindsOf("01a1fdae-8548-7cbc-a3df-848b3f4dfb5d")).toEqual(["id", "reference"]);
    expect(kindsOf("ana@example.com")).toEqual(["email"]);
    expect(kindsOf("129,90")).toEqual(["amount"]);
  });

  test("an NSU is read as a payment's page writes it", () => {
    expect(readSearch("NSU 902377")).toEqual([{ kind: "code", value: "902377" }]);
    expect(readSearch("nsu: 000918272")).toEqual([{ kind: "code", value: "000918272" }]);
  });

  test("a bare number may be an amount in reais among other things, unless it is too long or begins with a zero", () => {
    expect(readSearch("333")).toContainEqual({ kind: "amount", value: 33_300 });
    expect(kindsOf("1290")).toEqual(["lastFour", "code", "amount", "order", "reference"]);
    for (const typed of ["0", "0333", "12345678", "333a"]) expect(kindsOf(typed), typed).not.toContain("amount");
  });

  test("words are no code", () => {
    expect(kindsOf("camiseta")).toEqual(["order", "reference"]);
  });

  test("the document is looked up as it is stored", () => {
    expect(readSearch("529.982.247-25")).toContainEqual({ kind: "document", value: "52998224725" });
  });

  test("a blank text asks for nothing", () => {
    expect(readSearch("   ")).toEqual([]);
  });
});

describe("a typed amount", () => {
  test.each([
    ["40", 4_000],
    ["40,5", 4_050],
    ["40.50", 4_050],
    ["1.234,56", 123_456],
    ["1,234.56", 123_456],
    ["1.234", 123_400],
    ["R$ 0,01", 1],
  ])("%s is %d cents", (typed, cents) => {
    expect(typedAmount(typed, undefined)).toBe(cents);
  });

  test.each([
    ["12,345", "pt-BR", undefined],
    ["R$ 189,999", "pt-BR", undefined],
    ["1.000", "pt-BR", 100_000],
    ["1,234,567", "pt-BR", 123_456_700],
    ["12,34", "pt-BR", 1_234],
    ["1.000", "en", undefined],
    ["1,000", "en", 100_000],
    ["1.000,00", "en", 100_000],
    ["1,234.56", "pt-BR", 123_456],
  ])("%s of somebody who reads %s", (typed, locale, cents) => {
    expect(typedAmount(typed, locale)).toBe(cents);
  });

  test.each(["", "0", "0,00", "-5", "4,567,8", "1.2.3", "1,23,4", "dez", "9999999999999999999"])(
    "%s is not one",
    (typed) => {
      expect(typedAmount(typed, undefined)).toBeUndefined();
    },
  );
});
