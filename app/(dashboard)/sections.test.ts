import { describe, expect, test } from "vitest";
import { PAGES } from "@/app/(dashboard)/access.table";
import { SECTION_GROUPS, SECTIONS, sectionsFor } from "@/app/(dashboard)/sections";
import type { AttentionKind } from "@/lib/insights/attention";
import type { WaitingForPeople } from "@/lib/insights/waiting";

describe("the navigation", () => {
  test("shows a section to exactly those for whom its page opens", () => {
    const opens = SECTIONS.map(({ href, right }) => [href, right ?? "own"]);
    // Home tells somebody without an account what to do next.
    expect(opens).toEqual(SECTIONS.map(({ name, href }) => [href, name === "home" ? "own" : PAGES[href]]));
  });

  test("has one address and one letter for each section, and no group of another name", () => {
    for (const each of [SECTIONS.map(({ href }) => href), SECTIONS.map(({ letter }) => letter)]) {
      expect(new Set(each).size).toBe(SECTIONS.length);
    }
    const groups = Object.keys(SECTION_GROUPS);
    const inOrder = SECTIONS.map(({ group }) => groups.indexOf(group));
    expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other));
    // `g a` switches accounts.
    expect(SECTIONS.map(({ letter }) => String(letter))).not.toContain("a");
  });

  test("counts beside the reviews every kind that their page lists", () => {
    const kinds = {
      charge: "charges_in_review",
      purchase: "purchases_in_review",
      proposed: "second_person",
      not_returned: "not_returned",
      kept_apart: "kept_apart",
      unanswered: "unanswered",
    } satisfies Record<WaitingForPeople["kind"], AttentionKind>;
    const counted = SECTIONS.flatMap((section) => (section.name === "reviews" ? section.waiting : []));
    expect([...counted].sort()).toEqual(Object.values(kinds).sort());
  });

  test("keeps the simulator to sandbox accounts, and what a role lacks away from it", () => {
    const names = (mode: "sandbox" | "live") => sectionsFor({ role: "viewer", mode }).map(({ name }) => name);
    expect(names("live")).not.toContain("keys");
    const owner = (mode: "sandbox" | "live") => sectionsFor({ role: "owner", mode }).map(({ name }) => name);
    expect(owner("sandbox")).toContain("sandbox");
    expect(owner("live")).not.toContain("sandbox");
  });
});
