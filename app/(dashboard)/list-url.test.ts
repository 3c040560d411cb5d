import { expect, test } from "vitest";
import { oneOf, severalOf } from "@/app/(dashboard)/list-url";

test("a parameter is read once, trimmed, and without the sign that no text may hold", () => {
  expect(oneOf({ q: " \0ana " }, "q")).toBe("ana");
  expect(oneOf({ q: ["ana", "bia"] }, "q")).toBe("ana");
  expect(oneOf({ q: "\0" }, "q")).toBeUndefined();
  expect(oneOf({}, "q")).toBeUndefined();
  expect(severalOf({ status: ["fai\0led", "voided"] }, "status")).toEqual(["failed", "voided"]);
});
