import { expect, test } from "vitest";
import { isCardAsName } from "@/components/checkout/islands/rules";

test("a card number in the place of a name is called so, and a company's number is not", () => {
  expect(isCardAsName("name", "4111 1111 1111 1111")).toBe(true);
  expect(isCardAsName("cardHolderName", "4111111111111111")).toBe(true);
  expect(isCardAsName("name", "12.345.678/0001-95")).toBe(false);
  expect(isCardAsName("name", "")).toBe(false);
  expect(isCardAsName("cardNumber", "4111 1111 1111 1111")).toBe(false);
});
