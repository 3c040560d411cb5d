import { expect, test } from "vitest";
import { shownPhone } from "@/lib/brazil/phone";

test.each([
  ["+5511988887777", "(11) 98888-7777"],
  ["+551133334444", "(11) 3333-4444"],
  ["+351912345678", "+351912345678"],
  ["11987654321", "11987654321"],
  ["", ""],
])("%s is shown as %s", (phone, shown) => {
  expect(shownPhone(phone)).toBe(shown);
});
