import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AnalysisInput } from "@/lib/providers/antifraud";
import { sandboxAntifraud } from "@/lib/providers/sandbox/antifraud";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";

const now = new Date("2026-11-24T15:00:00.000Z");
const call = {
  clientId: randomUUID(),
  providerId: randomUUID(),
  chargeId: randomUUID(),
  options: { delaySeconds: 30 },
  clock: { now: () => now },
};
const shown = (pan: string) => ({ brand: "visa", bin: pan.slice(0, 8), last4: pan.slice(-4) });
const analyse = (input: Partial<AnalysisInput>, scenario?: string) =>
  sandboxAntifraud.analyse(scenario === undefined ? call : { ...call, simulation: { scenario } }, {
    chargeId: "charge",
    amount: 100,
    card: shown("4111111111111111"),
    ...input,
  });

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
    expect(await analyse({}, "outcome=410")).toEqual({ status: "pending", resolves: { at, status: "approved" } });
    expect(await analyse({}, "outcome=411")).toEqual({ status: "pending", resolves: { at, status: "reproved" } });
    expect(await analyse({ identity: "0" })).toEqual({ status: "pending" });
  });

  test("before the charge it knows those cards of every brand by what is shown of them, and no other", async () => {
    for (const brand of SANDBOX_BRANDS) {
      for (const outcome of SANDBOX_OUTCOMES) {
        const { resolves } = await analyse({ card: shown(sandboxPan(outcome, brand)) });
        const ends = { antifraud_review_approve: "approved", antifraud_review_deny: "reproved" };
        expect(resolves?.status, `${outcome} ${brand}`).toBe(
          Object.entries(ends).find(([name]) => name === outcome)?.[1],
        );
      }
    }
  });

  test("the denied document comes first", async () => {
    expect((await analyse({ buyerDocument: "111.111.111-11", identity: "1" }, "outcome=410")).status).toBe("reproved");
  });
});
