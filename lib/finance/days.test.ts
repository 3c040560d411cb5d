import { expect, test } from "vitest";
import { dayIn } from "@/lib/finance/days";

test("an address names a day of the calendar, or none", () => {
  expect(dayIn("2026-11-23")).toBe("2026-11-23");
  for (const text of ["2026-02-30", "9999-12-31", "0000-01-01", "2026-11", "2026-11-23T10:00", "", undefined]) {
    expect(dayIn(text), String(text)).toBeUndefined();
  }
});
