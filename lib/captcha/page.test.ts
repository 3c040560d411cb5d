import { describe, expect, test } from "vitest";
import { solutionOf, solveChallenge } from "@/components/checkout/captcha/solver";
import { checkSolution, newChallenge } from "@/lib/captcha/challenge";
import { formOf } from "@/lib/checkout/form";
import { newId } from "@/lib/ids";

describe("what the page's own solver finds", () => {
  test("comes whole through the page's form, and is right", () => {
    const sessionId = newId();
    const puzzle = newChallenge({ sessionId, level: "normal" });
    const number = solveChallenge(puzzle) ?? -1;
    const body = new URLSearchParams({ captcha: solutionOf(puzzle, number) }).toString();
    expect(checkSolution(formOf(body).get("captcha") ?? "", sessionId)).toMatchObject({ level: "normal" });
  });
});
