import { createFormatter } from "next-intl";
import { expect, test } from "vitest";
import { exactText, preciseText } from "@/app/(dashboard)/dashboard/payments/[id]/times";

const AT = new Date("2026-11-29T17:03:23.046Z");

test.each([
  ["en", "Nov 29, 5:03:23 PM", "Nov 29, 5:03:23.046 PM"],
  ["pt-BR", "29 de nov., 17:03:23", "29 de nov., 17:03:23,046"],
] as const)("the timeline of a payment has the clock of the rest of its page, in %s", (locale, exact, precise) => {
  const words = { format: createFormatter({ locale, timeZone: "UTC" }), money: String };
  expect(exactText(words, AT).replaceAll(/\s/g, " ")).toBe(exact);
  expect(preciseText(words, AT).replaceAll(/\s/g, " ")).toBe(precise);
});
