import { expect, test } from "vitest";
import { groupedRights } from "@/app/(dashboard)/right-groups";
import { SECTION_GROUPS } from "@/app/(dashboard)/sections";
import { OPTIONAL_RIGHTS } from "@/lib/operators/permissions";

test("the rights of a role stand by the groups of the navigation, each once", () => {
  const groups = groupedRights();
  expect(groups.map(({ group }) => group)).toEqual(Object.keys(SECTION_GROUPS));
  expect(groups.every(({ rights }) => rights.length > 0)).toBe(true);
  expect(groups.flatMap(({ rights }) => rights).toSorted()).toEqual([...OPTIONAL_RIGHTS].toSorted());
});
