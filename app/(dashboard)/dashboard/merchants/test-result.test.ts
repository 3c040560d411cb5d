import { expect, test } from "vitest";
import { testResult } from "@/app/(dashboard)/dashboard/merchants/test-result";

test.each(["enabled", "found", "not_found_final"])(
  "the code %s of a provider that answered is no word to show",
  (words) => {
    expect(testResult(true, words).said).toBe("plain");
  },
);

test("what a provider says in its own words is shown", () => {
  expect(testResult(true, "Loja do Centro").said).toBe("well");
  expect(testResult(false, "unauthenticated").said).toBe("badly");
});
