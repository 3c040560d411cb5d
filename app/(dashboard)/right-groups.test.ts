import { expect, test } from "vitest";
import { groupedRights } from "@/app/(dashboard)/right-groups";
import { SECTION_GROUPS } from "@/app/(dashboard)/sections";
import { messages } from "@/lib/i18n/messages";
import { OPTIONAL_RIGHTS } from "@/lib/operators/permissions";

test("the rights of a role stand by the groups of the navigation, each once", () => {
  const groups = groupedRights();
  expect(groups.map(({ group }) => group)).toEqual(Object.keys(SECTION_GROUPS));
  expect(groups.every(({ rights }) => rights.length > 0)).toBe(true);
  expect(groups.flatMap(({ rights }) => rights).toSorted()).toEqual([...OPTIONAL_RIGHTS].toSorted());
});

test("a right that charges cards or ends subscriptions says so to whoever gives it", () => {
  for (const [locale, charges, ends] of [
    ["en", /create and change.*charge.*cards/i, /cancels.*subscriptions/i],
    ["pt-BR", /criar e alterar.*cobram o cartão/i, /cancela as assinaturas/i],
  ] as const) {
    expect(messages[locale].rights.subscriptionsEdit).toMatch(charges);
    expect(messages[locale].rights.customersDelete).toMatch(ends);
  }
});
