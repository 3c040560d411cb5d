import { describe, expect, test } from "vitest";
import { brandOfDigits, cvvDigits, groupsOf, luhn, numberDigits } from "@/components/checkout/islands/brands";
import { ruleOf } from "@/components/checkout/islands/rules";
import { BRAND_NAMES, brandOf, cvvLength, luhnOk } from "@/lib/brazil/card-brand";

const NUMBERS = [
  "4111220000000002",
  "5200000000000007",
  "5066990000000002",
  "6062820000000003",
  "370000000000002",
  "36000000000008",
  "4011780000000002",
  "4389350000000000",
  "4514160000000000",
  "5041750000000000",
  "5067000000000000",
  "5090000000000000",
  "6277800000000000",
  "6362970000000000",
  "6363680000000000",
  "2221000000000009",
  "5555555555554444",
  "341111111111111",
];

describe("the buyer's own table of brands", () => {
  test.each(NUMBERS)("%s is what the server takes it for", (number) => {
    const known = brandOf(number);
    expect(brandOfDigits(number)).toBe(BRAND_NAMES[known]);
    expect(cvvDigits(brandOfDigits(number))).toBe(cvvLength(known));
    expect(luhn(number)).toBe(luhnOk(number));
  });

  test("numbers are written in the groups that stand on the card", () => {
    expect(groupsOf("4111220000000002", "Visa")).toBe("4111 2200 0000 0002");
    expect(groupsOf("370000000000002", "American Express")).toBe("3700 000000 00002");
    expect(groupsOf("41", "Visa")).toBe("41");
    expect(numberDigits("American Express")).toBe(15);
  });

  test("nothing is known of what no brand begins with", () => {
    expect(brandOfDigits("9999")).toBe("");
    expect(brandOfDigits("")).toBe("");
  });
});

describe("rules while one types", () => {
  test.each([
    ["document", "123.456.789-09", true],
    ["document", "12.ABC.345/01DE-35", true],
    ["document", "123.456.789-00", false],
    // Where it may be left out, an empty one is not asked about.
    ["email", "", false],
    ["email", "ana@example", false],
    ["email", "ana@example.com", true],
    ["zipCode", "01310-100", true],
    ["zipCode", "1310", false],
    ["cardExpiration", "13/30", false],
    ["cardExpiration", "12/39", true],
    ["cardExpiration", "01/20", false],
    ["cardNumber", "4111 2200 0000 0002", true],
    ["cardNumber", "4111 2200 0000 0003", false],
  ])("%s %s", (field, value, isGood) => {
    expect(ruleOf(field)(value, "")).toBe(isGood);
  });

  test("the code is as long as the brand's", () => {
    expect(ruleOf("cardCvv")("123", "American Express")).toBe(false);
    expect(ruleOf("cardCvv")("1234", "American Express")).toBe(true);
    expect(ruleOf("cardCvv")("1234", "Visa")).toBe(false);
  });
});
