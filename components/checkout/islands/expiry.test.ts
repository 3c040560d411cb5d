import { expect, test } from "vitest";
import { expiryText, expiryTyped } from "@/components/checkout/islands/expiry";
import { typedExpiry } from "@/lib/checkout/expiry";

test.each([
  ["1/31", "01", "2031"],
  ["131", "01", "2031"],
  ["1/2031", "01", "2031"],
  ["12 / 2031", "12", "2031"],
  ["2031-12", "12", "2031"],
  ["2031/1", "01", "2031"],
  ["01.31", "01", "2031"],
  ["0131", "01", "2031"],
  ["12031", "01", "2031"],
  ["122031", "12", "2031"],
  ["203112", "12", "2031"],
])("%s is a month of a year, on the server and in the field", (text, month, year) => {
  expect(typedExpiry(text)).toEqual({ month, year });
  expect(expiryText(text)).toBe(`${month}/${year.slice(2)}`);
});

test.each(["", "13/31", "0/31", "12/1", "1/1/31", "12/031", "maio"])("%s names no month of a year", (text) => {
  expect(typedExpiry(text)).toBeUndefined();
  expect(expiryText(text)).toBe("");
});

test.each([
  ["1/31", "01/31"],
  ["131", "01/31"],
  ["531", "05/31"],
  ["1231", "12/31"],
  ["12/31", "12/31"],
  ["12 / 2031", "12/2031"],
  ["1/2031", "01/2031"],
  ["2031-12", "2031-12"],
  ["203112", "2031-12"],
  ["2/31", "02/31"],
  ["02/2031", "02/2031"],
  // No month: shown as it was typed, and called wrong when the field is left.
  ["13/31", "13/31"],
])("typed sign by sign, %s becomes %s", (text, shown) => {
  expect([...text].reduce((value, sign) => expiryTyped(value + sign, value), "")).toBe(shown);
});

test("the slash can be taken away again", () => {
  expect(expiryTyped("12", "12/")).toBe("12");
});
