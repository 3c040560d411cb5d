import { describe, expect, test } from "vitest";
import { decide } from "@/lib/providers/sandbox/decide";
import { parseScenario, stepOf } from "@/lib/providers/sandbox/scenario";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

describe("the scenario header", () => {
  test("reads every key", () => {
    const text =
      "outcome=210; latency=2500;fault=http_status;status=503;retryAfter=4;step=capture;times=0;slot=2;provider=1";
    expect(parseScenario(text)).toEqual({
      ok: true,
      value: {
        outcome: "210",
        latencyMs: 2500,
        fault: "http_status",
        status: 503,
        retryAfterSeconds: 4,
        step: "capture",
        times: 0,
        slot: 2,
        provider: 1,
      },
    });
  });

  test("reads outcomes by name, applies once and to the authorisation unless told otherwise", () => {
    const parsed = parseScenario("outcome=decline:insufficient_funds");
    expect(parsed).toEqual({ ok: true, value: { outcome: "106", times: 1 } });
    expect(parsed.ok && stepOf(parsed.value)).toBe("authorize");
    const webhook = parseScenario("fault=bad_signature");
    expect(webhook.ok && stepOf(webhook.value)).toBe("webhook");
  });

  test.each([
    "",
    "  ;",
    "outcome",
    "outcome=999",
    "outcome=toString",
    "colour=red",
    "__proto__=1",
    "fault=meteor",
    "latency=-1",
    "latency=1.5",
    "latency=abc",
    "status=500",
    "fault=http_status;status=200",
    "retryAfter=2",
    "step=ship",
    "times=1e3",
    "slot=3",
    "provider=0",
    "latency=1;latency=2",
    `outcome=${"0".repeat(600)}`,
  ])("refuses %j", (text) => {
    expect(parseScenario(text).ok).toBe(false);
  });
});

describe("which rule decides", () => {
  const untabled = (last: string) => `411111111111111${last}`;
  const ask = (changes: Partial<Parameters<typeof decide>[0]> = {}) =>
    decide({ pan: untabled("1"), attemptId: "a", threeDS: false, analysisFollows: false, ...changes });

  test.each([
    ["0", "000", undefined],
    ["1", "000", undefined],
    ["2", "106", "insufficient_funds"],
    ["3", "102", "expired_card"],
    ["4", "000", undefined],
    ["5", "119", "restricted_card"],
    ["6", "212", "issuer_not_available"],
    ["7", "115", "lost_card"],
    ["9", "200", undefined],
  ] as const)("a number ending in %s is outcome %s", (last, code, declinedCode) => {
    const decision = ask({ pan: untabled(last) });
    expect(decision.code).toBe(code);
    expect(decision.declinedCode).toBe(declinedCode);
  });

  test("a number ending in 8 follows the attempt, always the same way", () => {
    // The first byte of SHA-256 is even for "a" and odd for "e".
    expect(ask({ pan: untabled("8"), attemptId: "a" }).code).toBe("000");
    expect(ask({ pan: untabled("8"), attemptId: "e" }).code).toBe("210");
  });

  test("the table comes before switches and digits, the scenario before the table", () => {
    const tabled = sandboxPan("approve");
    expect(ask({ pan: tabled, cvv: "600" }).code).toBe("000");
    expect(ask({ pan: tabled, outcome: "115" })).toMatchObject({ code: "115", declinedCode: "lost_card" });
  });

  test("CVV, then document, then e-mail switch numbers outside the table", () => {
    const all = { cvv: "610", buyerDocument: "11111111111", buyerEmail: "ana+slow@example.com" };
    expect(ask(all).declinedCode).toBe("invalid_cvv");
    expect(ask({ ...all, cvv: "100" }).declinedCode).toBe("fraud_suspect");
    expect(ask({ ...all, cvv: "100", analysisFollows: true })).toEqual({ code: "000", latencyMs: 3000 });
    expect(ask({ buyerEmail: all.buyerEmail, pan: untabled("2") })).toMatchObject({
      declinedCode: "insufficient_funds",
      latencyMs: 3000,
    });
  });

  test("challenges need 3-D Secure", () => {
    expect(ask({ pan: sandboxPan("3ds_challenge_ok") }).declinedCode).toBe("authentication_error");
    expect(ask({ pan: sandboxPan("3ds_challenge_ok"), threeDS: true }).declinedCode).toBeUndefined();
    expect(ask({ pan: sandboxPan("3ds_challenge_failed"), threeDS: true }).declinedCode).toBe("failed_authentication");
  });
});
