import creditCardType from "credit-card-type";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrangementOf } from "@/lib/brazil/card-arrangement";
import {
  BRAND_NAMES,
  BRANDS,
  brandOf,
  brandOfName,
  containsPan,
  cvvLength,
  findPan,
  hasCardMember,
  looksLikePan,
  luhnOk,
  panLengths,
} from "@/lib/brazil/card-brand";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";

const PANS = SANDBOX_OUTCOMES.flatMap((outcome) =>
  SANDBOX_BRANDS.map((brand) => [sandboxPan(outcome, brand), brand] as const),
);

/** Digits completed with the check digit that makes them Luhn-valid. */
const withCheckDigit = (digits: string): string =>
  Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(luhnOk) ?? "";

describe("brand", () => {
  test("of every number of the simulator is the brand of its table", () => {
    for (const [pan, brand] of PANS) expect([pan, brandOf(pan)]).toEqual([pan, brand]);
  });

  test.each([
    ["4011780000000000", "elo"],
    ["4011790000000000", "elo"],
    ["4389350000000000", "elo"],
    ["4514160000000000", "elo"],
    ["4576310000000000", "elo"],
    ["5041750000000000", "elo"],
    ["5067990000000000", "elo"],
    ["5090000000000000", "elo"],
    ["6277800000000000", "elo"],
    ["6362970000000000", "elo"],
    ["6363680000000000", "elo"],
    ["6500310000000000", "elo"],
    ["6509230000000000", "elo"],
    ["6062820000000000", "hipercard"],
    ["5078601870000127985", "aura"],
    ["4024007153763191", "visa"],
    ["5555 5555 5555 4444", "mastercard"],
    ["2223000048400011", "mastercard"],
    ["378282246310005", "amex"],
    ["30569309025904", "diners"],
    ["6011111111111117", "discover"],
    ["3530111333300000", "jcb"],
    ["5031433215406351", "unknown"],
    ["9999999999999999", "unknown"],
    ["4111", "unknown"],
    ["", "unknown"],
    ["4111x11111111111", "unknown"],
  ] as const)("of %s is %s", (pan, brand) => expect(brandOf(pan)).toBe(brand));

  test("is what the library says wherever no Brazilian brand stands in its way", () => {
    const brandOfLibrary: Record<string, string> = { "american-express": "amex", "diners-club": "diners" };
    fc.assert(
      fc.property(fc.stringMatching(/^[2-6]\d{15}$/), (digits) => {
        const ours = brandOf(digits);
        if (ours === "elo" || ours === "hipercard" || ours === "aura") return true;
        const scheme = creditCardType(digits)[0]?.type ?? "none";
        return ours === (BRANDS.find((brand) => brand === (brandOfLibrary[scheme] ?? scheme)) ?? "unknown");
      }),
      { numRuns: 5000 },
    );
  });

  test("is spelled as in the API and read back in any letter case", () => {
    expect(BRANDS.map((brand) => BRAND_NAMES[brand])).toEqual([
      "Visa",
      "Mastercard",
      "Elo",
      "HiperCard",
      "American Express",
      "Diners",
      "Discover",
      "JCB",
      "Unknown",
      "Unknown",
    ]);
    expect(brandOfName("hipercard")).toBe("hipercard");
    expect(brandOfName("AMERICAN EXPRESS")).toBe("amex");
    expect(brandOfName("Unknown")).toBe("unknown");
    expect(brandOfName("constructor")).toBe("unknown");
  });

  test("decides lengths and the CVV", () => {
    expect(BRANDS.map(cvvLength)).toEqual(BRANDS.map((brand) => (brand === "amex" ? 4 : 3)));
    for (const [pan, brand] of PANS) expect(panLengths(brand)).toContain(pan.length);
  });

  test("decides the payment arrangement", () => {
    expect(arrangementOf("visa", "credit")).toBe("VCC");
    expect(arrangementOf("jcb", "credit")).toBe("JCC");
    expect(arrangementOf("hipercard", "debit")).toBe("HCD");
    expect(arrangementOf("amex", "debit")).toBeUndefined();
    expect(arrangementOf("unknown", "credit")).toBeUndefined();
  });
});

describe("luhnOk", () => {
  test("accepts right numbers, refuses any single wrong digit and anything that is not digits", () => {
    for (const [pan] of PANS) {
      expect(luhnOk(pan)).toBe(true);
      expect(luhnOk(`${pan.slice(0, -1)}${(Number(pan.at(-1)) + 1) % 10}`)).toBe(false);
    }
    expect(luhnOk("4024007153763191")).toBe(false);
    expect(luhnOk("")).toBe(false);
    expect(luhnOk("41111111 1111111")).toBe(false);
  });
});

describe("looksLikePan", () => {
  test("finds card numbers in any grouping", () => {
    for (const [pan] of PANS) {
      expect(looksLikePan(pan)).toBe(true);
      expect(looksLikePan(pan.replace(/(.{4})/g, "$1 "))).toBe(true);
      expect(looksLikePan([...pan].join("-"))).toBe(true);
    }
    expect(looksLikePan("4222222222222")).toBe(true);
    expect(looksLikePan(` ${" ".repeat(500)}4111111111111111`)).toBe(true);
  });

  test("leaves other numbers alone", () => {
    for (const other of [
      "4111111111111112",
      "5511999990000",
      withCheckDigit("551199999000"),
      withCheckDigit("789100031550"),
      withCheckDigit("900000000000000"),
      "0192f1c4-8b02-7d10-8a00-aa01bb02cc02",
      "411111111111",
      "41111111111111111111111",
      "",
      "----",
    ]) {
      expect(looksLikePan(other)).toBe(false);
    }
  });
});

describe("findPan", () => {
  test("finds a card number wherever it stands in a JSON value", () => {
    for (const body of [
      "4111111111111111",
      4111111111111111,
      { metadata: { note: ["a", { deep: "4111 1111 1111 1111" }] } },
      { metadata: { "4111111111111111": "" } },
      { description: "meu cartão: 4111-1111-1111-1111, val. 12/28" },
      { description: "pedido 77 4111 1111 1111 1111 12 2028" },
      { description: "numero=5555555555554444;" },
      [[[["36000000000008"]]]],
      JSON.parse('{"n":4111111111111111110}'),
    ]) {
      expect(findPan(body)).toBe(true);
    }
  });

  test("leaves documents, identifiers, phones and boleto lines alone", () => {
    // A CNPJ of a company that also passes for a Diners number.
    const cnpj = "36000009000140";
    expect(looksLikePan(cnpj)).toBe(true);
    expect(
      findPan({ document: { type: "cnpj", number: cnpj, country: "BR" }, bankAccount: { holderDocument: cnpj } }),
    ).toBe(false);
    expect(findPan({ description: `loja ${cnpj}` })).toBe(false);
    expect(findPan({ reference: cnpj })).toBe(true);
    expect(findPan({ document: { number: "4111111111111111" } })).toBe(true);
    for (const value of [
      "00090.00001 00000.000000 00012.345674 6 16410000015990",
      "00090000010000000000000012345674616410000015990",
      "+5511999990000",
      "de 2026-11-20 14:03:07 a 2026-11-21 14:03:07",
      "41111111-1111-4111-8111-111111111111",
      "https://facebook.com/615551234567890",
      1e300,
      -4111111111111112,
      null,
      true,
    ]) {
      expect(findPan({ value })).toBe(false);
    }
  });

  test("a random UUID never passes for a card number", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => !findPan({ id, text: `para ${id}` })),
      { numRuns: 2000 },
    );
    expect(containsPan("12345678-4111-4111-8111-111111111111 x")).toBe(false);
  });

  test("takes linear time on hostile input", () => {
    const nested = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const hostile = [
      nested,
      "1 ".repeat(200_000),
      "4".repeat(400_000),
      "4-".repeat(200_000),
      "- ".repeat(200_000),
      "6 ".repeat(200_000),
      "6 0 ".repeat(100_000),
      "3 ".repeat(200_000),
      "4111111111111112 ".repeat(20_000),
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, "411111111111111"])),
    ];
    // What is not linear takes hours here, and the test's own time ends first.
    for (const value of hostile) expect(findPan(value)).toBe(false);
  });
});

describe("hasCardMember", () => {
  test("finds members that carry card data, exactly named, at any depth", () => {
    for (const name of ["card", "cardNumber", "cardCvv", "number", "cvv"]) {
      expect(hasCardMember({ payments: [{ paymentSource: { [name]: null } }] })).toBe(true);
    }
    expect(hasCardMember({ payments: [{ paymentSource: { sourceType: "card", cardId: "x" } }] })).toBe(false);
    expect(hasCardMember(null)).toBe(false);
    expect(hasCardMember("card")).toBe(false);
  });
});
