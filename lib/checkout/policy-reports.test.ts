import { describe, expect, test } from "vitest";
import { readReports } from "@/lib/checkout/policy-reports";

const ID = "0192f1c0-1111-7aaa-8bbb-000000000001";
const told = (effectiveDirective: unknown, blockedURL?: unknown) => ({
  type: "csp-violation",
  url: `http://trilho.test/pay/${ID}/p/abcdefghijklmnopqrstuv`,
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
  ])("is noted by its directive, its link and where it came from, without paths: %s", (blockedURL, blocked) => {
    expect(read(told("script-src-elem", blockedURL))).toEqual([
      { directive: "script-src-elem", blocked, sessionId: ID },
    ]);
  });

  test.each(["", "x", "null", "{}", "[null]", "[1]", JSON.stringify([{ type: "deprecation", body: {} }])])(
    "what is no report is nothing: %s",
    (body) => expect(readReports(body)).toEqual([]),
  );

  test("no directive carries a text of its sender's, no other site counts, and no list is endless", () => {
    expect(read(told("script-src\nforged line"), told("<script>"), told(7), told("made-up-src"))).toEqual([]);
    expect(read({ ...told("img-src"), url: `https://evil.example/pay/${ID}` })).toEqual([]);
    expect(read({ ...told("img-src"), url: "http://trilho.test/pay/x" })).toEqual([]);
    expect(read(...Array.from({ length: 500 }, () => told("img-src", "inline")))).toHaveLength(10);
  });
});
