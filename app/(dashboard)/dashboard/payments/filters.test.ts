import { expect, test } from "vitest";
import { filterProblems, paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";

test.each([
  [{ min: "abc" }, { min: "amount" }],
  [{ min: "10", max: "12,5x" }, { max: "amount" }],
  [{ min: "100", max: "50,00" }, { max: "belowLeast" }],
  [{ from: "2026-11-30", to: "2026-11-01" }, { to: "beforeStart" }],
  [{ link: "vestido" }, { link: "link" }],
  [{ metadata: "campaign" }, { metadata: "metadata" }],
  [{ min: "10", max: "10", from: "2026-11-01", to: "2026-11-01", metadata: "campaign=natal" }, {}],
  [{ min: " " }, {}],
  [{ min: "12,345", max: "1.000" }, { min: "amount" }],
])("of the filters %j, those that cannot be meant are told in their fields", (given, problems) => {
  expect(filterProblems(given, "pt-BR")).toEqual(problems);
});

test.each([
  ["pt-BR", undefined, 100_000],
  ["en", 1_234_500, undefined],
])("an amount that somebody who reads %s can mean in two ways narrows nothing", (locale, minAmount, maxAmount) => {
  expect(paymentFilters({ min: "12,345", max: "1.000" }, "2026-11-30", locale)).toMatchObject({ minAmount, maxAmount });
});
