import { expect, test } from "vitest";
import { typedStanding } from "@/components/charges/typed-standing";

const ALONE = 10_000_00;

test("more than there is needs nobody's approval: it cannot be done at all", () => {
  expect(typedStanding(500_00, 333_00, ALONE)).toBe("too_much");
  expect(typedStanding(20_000_00, 333_00, ALONE)).toBe("too_much");
  expect(typedStanding(333_01, 333_00, undefined)).toBe("too_much");
});

test("a second person is asked above what one person decides, up to all there is", () => {
  expect(typedStanding(333_00, 333_00, ALONE)).toBe("alone");
  expect(typedStanding(ALONE, 15_000_00, ALONE)).toBe("alone");
  expect(typedStanding(ALONE + 1, 15_000_00, ALONE)).toBe("approval");
  expect(typedStanding(undefined, 15_000_00, ALONE)).toBe("alone");
});

test("what has no amount to type is asked for or not as a whole", () => {
  expect(typedStanding(undefined, undefined, 0)).toBe("approval");
  expect(typedStanding(undefined, undefined, undefined)).toBe("alone");
});
