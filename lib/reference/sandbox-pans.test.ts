import { describe, expect, test } from "vitest";
import {
  declinedCodeOfOutcome,
  outcomeOfPan,
  SANDBOX_BRANDS,
  SANDBOX_OUTCOMES,
  sandboxCode,
  sandboxPan,
} from "@/lib/reference/sandbox-pans";

describe("the simulator's card numbers", () => {
  test("are 54 outcomes for 6 brands, every number standing for one of them", () => {
    const pans = SANDBOX_OUTCOMES.flatMap((outcome) => SANDBOX_BRANDS.map((brand) => sandboxPan(outcome, brand)));
    expect(SANDBOX_OUTCOMES).toHaveLength(54);
    expect(new Set(pans).size).toBe(324);
    for (const outcome of SANDBOX_OUTCOMES) {
      for (const brand of SANDBOX_BRANDS) {
        expect(outcomeOfPan(sandboxPan(outcome, brand))).toEqual({ code: sandboxCode(outcome), outcome, brand });
      }
    }
  });

  test("say nothing about any other number", () => {
    for (const pan of ["4111111111111111", "4242424242424242", "4111 2200 0000 0002", ""]) {
      expect(outcomeOfPan(pan)).toBeUndefined();
    }
  });

  test("name the 24 declines in alphabetical order from 101", () => {
    const declines = SANDBOX_OUTCOMES.flatMap((outcome) => declinedCodeOfOutcome(outcome) ?? []);
    expect(declines).toHaveLength(24);
    expect(declines).toEqual([...declines].sort());
    expect(outcomeOfPan("4111221060000007")?.outcome).toBe("decline:insufficient_funds");
    expect(declinedCodeOfOutcome("pending_then_declined")).toBeUndefined();
  });
});
