import { describe, expect, test } from "vitest";
import type { Brand } from "@/lib/brazil/card-brand";
import { DECLINED_CODES, type DeclinedCode } from "@/lib/declines/decline-codes";
import { declineFrom } from "@/lib/providers/sandbox/answers";
import { networkAnswer } from "@/lib/providers/sandbox/declines";
import { findOutcome, OUTCOME_ROWS } from "@/lib/providers/sandbox/outcomes";
import { inProcessTransport } from "@/lib/providers/sandbox/transport";
import {
  aCall,
  again,
  aPayment,
  cancel,
  capture,
  captured,
  expectKind,
  found,
  held,
  impatient,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { brokenInProcess, sandboxRig } from "@/lib/testing/provider-conformance/sandbox-rig";

const BRANDS: readonly Brand[] = ["visa", "elo", "mastercard", "hipercard", "amex", "diners"];
const NOW = new Date("2026-11-24T15:00:00.000Z");
const DAY = 86_400;

/** Where a brand's class differs from the code's own (spec/sandbox.md section 4). */
const CLASSES: Partial<Record<DeclinedCode, Partial<Record<Brand, string>>>> = {
  fraud_suspect: { mastercard: "never", hipercard: "never" },
  security_violation: { elo: "never" },
  transaction_not_allowed: { mastercard: "later", hipercard: "later" },
  try_again: { elo: "now" },
};

describe("the outcome table", () => {
  test("has 54 rows, 24 of them the declined codes in alphabetical order from 101", () => {
    expect(OUTCOME_ROWS).toHaveLength(54);
    const declines = OUTCOME_ROWS.filter(({ code }) => code.startsWith("1"));
    expect(declines.map(({ declinedCode }) => declinedCode)).toEqual([...DECLINED_CODES].sort());
    expect(declines.map(({ code }) => Number(code))).toEqual(Array.from({ length: 24 }, (_, index) => 101 + index));
    expect(findOutcome("210")).toBe(findOutcome("timeout_authorised_at_provider"));
  });

  test.each(BRANDS)("every network answer of %s comes back as the code it was sent for", (brand) => {
    for (const code of DECLINED_CODES) {
      const { code: networkCode, advice, retry } = networkAnswer(brand, code);
      const wire = {
        declinedCode: code,
        ...(networkCode ? { networkCode } : {}),
        ...(advice ? { adviceCode: advice } : {}),
        ...(retry ? { retry } : {}),
      };
      const read = declineFrom(wire, brand, false, NOW);
      expect(read.declinedCode, `${brand} ${code}`).toBe(code);
      const special = CLASSES[code]?.[brand];
      if (special) expect(read.retry, `${brand} ${code}`).toBe(special);
    }
  });
});

const rig = sandboxRig(inProcessTransport(), brokenInProcess);

const pay = async (outcome: string, changes = {}) => {
  const call = aCall(rig, "authorize");
  const result = await rig.provider.authorize(impatient(call), aPayment(rig, { card: rig.card(outcome), ...changes }));
  return { call, result };
};

describe("what the outcomes do", () => {
  test("200 and 201 are decided after the delay, 202 never", async () => {
    const approved = await pay("pending_then_approved", { capture: true });
    const declined = await pay("pending_then_declined");
    const never = await pay("pending_forever");
    for (const { result } of [approved, declined, never]) expectKind(result, "pending");
    rig.clock.advance(5);
    expect(await found(rig, approved.call)).toMatchObject({ state: "authorized", captured: 100_00 });
    expect(await found(rig, declined.call)).toMatchObject({ state: "declined", decline: { declinedCode: "generic" } });
    rig.clock.advance(100 * DAY);
    expect((await found(rig, never.call)).state).toBe("pending");
  });

  test("213 and 215 leave nothing behind the first time and are approved the second", async () => {
    for (const outcome of ["connection_reset_before_send", "http429_retry_after"]) {
      const { call, result } = await pay(outcome);
      expectKind(result, "not_sent");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(0);
      expectKind(await rig.provider.authorize(again(call), aPayment(rig, { card: rig.card(outcome) })), "approved");
    }
  });

  test("300 refuses the capture and leaves the hold open; 303 refuses a part of it; 304 lets it lapse", async () => {
    const refused = await held(rig, "capture_refused");
    expectKind(await capture(rig, refused, 100_00), "declined");
    expect((await found(rig, refused.call)).state).toBe("pre_authorized");
    expectKind(await cancel(rig, refused), "approved");
    const whole = await held(rig, "partial_capture_unsupported");
    expect(expectKind(await capture(rig, whole, 50_00), "rejected").problem).toBe("unsupported");
    expectKind(await capture(rig, whole, 100_00), "approved");
    const lapsing = await held(rig, "authorisation_expired");
    expectKind(await capture(rig, lapsing, 100_00), "rejected");
    expect((await found(rig, lapsing.call)).state).toBe("expired");
  });

  test("310 voids a hold; 311 voids without an answer", async () => {
    expectKind(await cancel(rig, await held(rig, "void_refused_settled")), "approved");
    const silent = await held(rig, "void_timeout_voided");
    const call = impatient(aCall(rig, "void", { chargeId: silent.call.chargeId }));
    const input = { providerTxId: silent.providerTxId, state: "pre_authorized" as const, amount: 100_00 };
    expectKind(await rig.provider.void(call, input), "undetermined");
    expect((await found(rig, silent.call)).state).toBe("voided");
    expectKind(await rig.provider.void(again(call), input), "approved");
  });

  test("a captured sale is voided on its day in São Paulo, and the ledger knows it as given back", async () => {
    const payment = await captured(rig);
    expect(expectKind(await cancel(rig, payment, "authorized"), "approved").data.voided).toBe(100_00);
    expect(await found(rig, payment.call)).toMatchObject({ state: "refunded", refunded: 100_00 });
    expectKind(await refund(rig, payment, 1), "rejected");
  });

  test("a CVV ending in 0 is validated, another is not, and neither declines", async () => {
    for (const [cvv, cvvChecked] of [
      ["120", true],
      ["121", false],
      [undefined, false],
    ] as const) {
      const { cvv: _none, ...card } = rig.card("approve");
      const { result } = await pay("approve", { amount: 0, card: cvv === undefined ? card : { ...card, cvv } });
      expect(expectKind(result, "approved").data.cvvChecked).toBe(cvvChecked);
    }
  });
});
