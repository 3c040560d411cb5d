import { describe, expect, test } from "vitest";
import type { AnalysisInput } from "@/lib/providers/antifraud";
import { sandboxAntifraud } from "@/lib/providers/sandbox/antifraud";

const now = new Date("2026-11-24T15:00:00.000Z");
const call = {
  clientId: "c",
  providerId: "p",
  chargeId: "charge",
  options: { delaySeconds: 30 },
  clock: { now: () => now },
};
const analyse = (input: Partial<AnalysisInput>) =>
  sandboxAntifraud.analyse(call, { chargeId: "charge", amount: 100, ...input });

describe("the simulated analyst", () => {
  test.each([
    [undefined, "approved"],
    ["", "approved"],
    ["111.111.111-20", "pending"],
    ["1", "approved"],
    ["12", "failed"],
    ["3", "reproved"],
    ["9", "reproved"],
  ] as const)("an identity of %j is %s", async (identity, status) => {
    expect((await analyse(identity === undefined ? {} : { identity })).status).toBe(status);
  });

  test("a failure is a time-out or an error, by the charge", async () => {
    const failures = await Promise.all(
      ["a", "b", "c", "d", "e", "f", "g", "h"].map(
        async (chargeId) => (await analyse({ identity: "2", chargeId })).failure,
      ),
    );
    expect(new Set(failures)).toEqual(new Set(["timeout", "processing_error"]));
  });

  test("a pending analysis of the table ends by itself after the delay, another one does not", async () => {
    const at = "2026-11-24T15:00:30.000Z";
    expect(await analyse({ outcomeCode: "410" })).toEqual({ status: "pending", resolves: { at, status: "approved" } });
    expect(await analyse({ outcomeCode: "411" })).toEqual({ status: "pending", resolves: { at, status: "reproved" } });
    expect(await analyse({ identity: "0" })).toEqual({ status: "pending" });
  });

  test("the denied document comes first", async () => {
    expect((await analyse({ buyerDocument: "111.111.111-11", outcomeCode: "410", identity: "1" })).status).toBe(
      "reproved",
    );
  });
});
