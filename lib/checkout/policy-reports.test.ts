import { describe, expect, test } from "vitest";
import { noteReports, readReports } from "@/lib/checkout/policy-reports";

const told = (effectiveDirective: unknown, blockedURL?: unknown) => ({
  type: "csp-violation",
  url: "https://pay.example/0192f1c0-1111-7aaa-8bbb-000000000001/p/abcdefghijklmnopqrstuv",
  body: { effectiveDirective, blockedURL, sample: "alert(1)" },
});
const read = (...reports: unknown[]) => readReports(JSON.stringify(reports));

describe("what browsers tell of the policy", () => {
  test.each([
    ["inline", "inline"],
    ["https://evil.example/x.js?card=4111", "https://evil.example"],
    ["data:text/html,4111", "data:"],
    ["no address", "other"],
    [undefined, "other"],
  ])("is noted by its directive and where it came from, without paths: %s", (blockedURL, blocked) => {
    expect(read(told("script-src-elem", blockedURL))).toEqual([{ directive: "script-src-elem", blocked }]);
  });

  test.each(["", "x", "null", "{}", "[null]", "[1]", JSON.stringify([{ type: "deprecation", body: {} }])])(
    "what is no report is nothing: %s",
    (body) => expect(readReports(body)).toEqual([]),
  );

  test("no directive carries a text of its sender's into the log, and no list is endless", () => {
    expect(read(told("script-src\nforged line"), told("<script>"), told(7))).toEqual([]);
    expect(read(...Array.from({ length: 500 }, () => told("img-src", "inline")))).toHaveLength(10);
  });

  test("a flood fills no log: thirty lines a minute", () => {
    const ten = read(...Array.from({ length: 10 }, () => told("img-src", "inline")));
    const at = new Date("2026-01-01T00:00:00Z");
    const noted = Array.from({ length: 5 }, () => noteReports(ten, at));
    expect(noted).toEqual([10, 10, 10, 0, 0]);
    expect(noteReports(ten, new Date("2026-01-01T00:01:00Z"))).toBe(10);
  });
});
