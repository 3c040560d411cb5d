import { expect, test } from "vitest";
import { mainActionOf } from "@/app/(dashboard)/dashboard/payments/[id]/main-action";

test("a refund that waits as a whole for its approval does not stand out", () => {
  const whole = { action: "refund", amount: 10_000 };
  expect(mainActionOf(["refund"], 10_000, [whole])).toBe(undefined);
  expect(mainActionOf(["refund"], 10_000, [{ ...whole, amount: 4_000 }])).toBe("refund");
  expect(mainActionOf(["refund"], 10_000, [{ ...whole, action: "hand_back" }])).toBe("refund");
  expect(mainActionOf(["capture", "cancel"], 10_000, [whole])).toBe("capture");
  expect(mainActionOf(["cancel"], 10_000, [])).toBe(undefined);
  expect(mainActionOf([], 0, [])).toBe(undefined);
});
