import { expect, test } from "vitest";
import { ChargeBusy, LeaseLost } from "@/lib/charges/engine/lease";
import { whenFree } from "@/lib/providers/sandbox/api/tools";

test.each([
  ["somebody has the charge", new ChargeBusy()],
  ["a worker wrote the same news in between", new LeaseLost()],
])("looks again when %s", async (_when, thrown) => {
  const looks: string[] = [];
  const seen = await whenFree(async () => {
    looks.push("look");
    if (looks.length === 1) throw thrown;
    return "seen";
  });
  expect([seen, looks.length]).toEqual(["seen", 2]);
});

test("anything else is told at once", async () => {
  const broken = new Error("broken");
  await expect(whenFree(() => Promise.reject(broken))).rejects.toBe(broken);
});
