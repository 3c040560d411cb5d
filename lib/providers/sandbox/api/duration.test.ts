import { describe, expect, test } from "vitest";
import { after, parseDuration } from "@/lib/providers/sandbox/api/duration";

const from = (text: string, duration: string): string | undefined => {
  const parsed = parseDuration(duration);
  return parsed && after(new Date(text), parsed).toISOString();
};

describe("an ISO 8601 duration", () => {
  test.each([
    ["P31D", "2027-01-01T00:00:00.000Z"],
    ["P1W", "2026-12-08T00:00:00.000Z"],
    ["PT36H", "2026-12-02T12:00:00.000Z"],
    ["PT90M", "2026-12-01T01:30:00.000Z"],
    ["PT0.5S", "2026-12-01T00:00:00.500Z"],
    ["P1Y2M3DT4H5M6S", "2028-02-04T04:05:06.000Z"],
    ["P0D", "2026-12-01T00:00:00.000Z"],
  ])("%s after the first of December is %s", (duration, expected) => {
    expect(from("2026-12-01T00:00:00Z", duration)).toBe(expected);
  });

  test("of months ends on the last day of a month that is shorter", () => {
    expect(from("2027-01-31T10:00:00Z", "P1M")).toBe("2027-02-28T10:00:00.000Z");
    expect(from("2027-12-31T10:00:00Z", "P2M")).toBe("2028-02-29T10:00:00.000Z");
    expect(from("2028-02-29T10:00:00Z", "P1Y")).toBe("2029-02-28T10:00:00.000Z");
  });

  test.each([
    "",
    "P",
    "PT",
    "P1DT",
    "1D",
    "P1H",
    "PT1D",
    "-P1D",
    "P-1D",
    "P1.5D",
    "p1d",
    "PT1S ",
    `P${"1".repeat(50)}D`,
  ])("%j is none", (text) => expect(parseDuration(text)).toBeUndefined());
});
