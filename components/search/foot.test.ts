import { expect, test } from "vitest";
import { footOf } from "@/components/search/foot";

const nothing = { found: 0, pages: 0, isPartial: false };

test("a search that is under way says so, as long as nothing of the account is shown", () => {
  expect(footOf({ ...nothing, state: "asking" })).toBe("looking");
  expect(footOf({ ...nothing, state: "asking", pages: 2 })).toBe("looking");
  expect(footOf({ ...nothing, state: "asking", found: 3 })).toBe("hint");
  expect(footOf({ ...nothing, state: "asking", isPartial: true })).toBe("stillLooking");
});

test("an answered search says that nothing was found, only where nothing was left out", () => {
  expect(footOf({ ...nothing, state: "answered" })).toBe("nothing");
  expect(footOf({ ...nothing, state: "answered", isPartial: true })).toBe("hint");
  expect(footOf({ ...nothing, state: "answered", pages: 1 })).toBe("hint");
  expect(footOf({ ...nothing, state: "failed" })).toBe("failed");
});
