import { describe, expect, test } from "vitest";
import { type AskedIntent, capabilityRefusal, type Facts, holdEndOf, returnedBy } from "@/lib/payments/refusals";
import type { Capabilities } from "@/lib/providers/provider";

const CARD = {
  authOnly: true,
  saleOnly: [],
  maxInstallments: 12,
  partialCapture: "once",
  partialRefund: true,
  voidAfterCapture: "same_day",
  captureWindowDays: { default: 15, mastercard: 7 },
  threeDS2: "none",
  brands: { credit: ["visa"], debit: ["visa"], voucher: [] },
  zeroAmount: [],
  recurrence: true,
  authenticated: [],
} as const;
const ABLE: Capabilities = {
  card: CARD,
  pix: { minExpirySec: 1, maxExpirySec: 86_400, refundWindowDays: 90, installments: false },
  mandates: false,
  boleto: { minDays: 0, maxDays: 30, overUnderPayment: true, refund: false },
  wallets: false,
  split: { modes: ["amount"], onCapture: true, onRefund: true, maxRecipients: 10 },
  idempotency: { kind: "none" },
  lookup: "strong_by_reference",
  lateWindowSec: 60,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "hmac", containsState: false },
  verified: { offlineContract: null, liveSandbox: null },
};

const NOW = new Date("2026-11-24T15:00:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const HELD: Facts = {
  paymentType: "credit",
  isCard: true,
  isSplit: false,
  amount: 100_00,
  captured: 0,
  refunded: 0,
  holdEndsAt: new Date("2026-11-30T15:00:00.000Z"),
  capturedAt: NOW,
  now: NOW,
};
const PAID: Facts = { ...HELD, captured: 100_00, holdEndsAt: null };
const PIX: Facts = { ...PAID, paymentType: "pix", isCard: false };

const codeOf = (intent: AskedIntent, facts: Facts, capabilities: Partial<Capabilities> = {}) =>
  capabilityRefusal(intent, { ...ABLE, ...capabilities }, facts)?.businessCode;
const capture = (amount: number): AskedIntent => ({ do: "capture", amount });
const release = (amount: number): AskedIntent => ({ do: "void", amount });
const refund = (amount: number, chosenParts = false): AskedIntent => ({ do: "refund", amount, chosenParts });
const card = (changes: object) => ({ card: { ...CARD, ...changes } });
const split = (changes: object) => ({ split: { ...ABLE.split, ...changes } }) as Partial<Capabilities>;

describe("a capture", () => {
  test.each([
    ["of all that is held", 100_00, HELD, {}, undefined],
    ["of a part", 99_99, HELD, {}, undefined],
    ["of a part of a split payment", 99_99, { ...HELD, isSplit: true }, {}, undefined],
    ["of a cent more", 100_01, HELD, {}, "amount_exceeds_remaining"],
    ["in the last second of the hold", 100_00, { ...HELD, now: new Date("2026-11-30T14:59:59.000Z") }, {}, undefined],
    [
      "when the hold has ended",
      100_00,
      { ...HELD, now: new Date("2026-11-30T15:00:00.000Z") },
      {},
      "charge_invalid_state",
    ],
    ["of all, where parts are not captured", 100_00, HELD, card({ partialCapture: "none" }), undefined],
    ["of a part, where parts are not captured", 99_99, HELD, card({ partialCapture: "none" }), "charge_invalid_state"],
    [
      "of all of a split payment, divided beforehand",
      100_00,
      { ...HELD, isSplit: true },
      split({ onCapture: false }),
      undefined,
    ],
    ["of a part of one", 99_99, { ...HELD, isSplit: true }, split({ onCapture: false }), "split_not_supported"],
    ["of a part without a split", 99_99, HELD, split({ onCapture: false }), undefined],
  ] as const)("%s", (_, amount, facts, capabilities, code) => {
    expect(codeOf(capture(amount), facts, capabilities)).toBe(code);
  });
});

describe("a void of a hold", () => {
  test.each([
    [100_00, {}, undefined],
    [99_99, {}, "charge_invalid_state"],
    [100_01, {}, "amount_exceeds_remaining"],
    [100_00, { cancelSpacingSec: 5 }, undefined],
  ] as const)("of %d where %j: %s", (amount, capabilities, code) => {
    expect(codeOf(release(amount), HELD, capabilities)).toBe(code);
  });

  test("waits where the provider would take two for two, and says for how long", () => {
    const facts = { ...HELD, voidAskedAt: new Date(NOW.getTime() - 1_500) };
    const refusal = capabilityRefusal(release(100_00), { ...ABLE, cancelSpacingSec: 5 }, facts);
    expect([refusal?.businessCode, refusal?.retryAfterSeconds]).toEqual(["charge_operation_in_progress", 4]);
    expect(codeOf(release(100_00), { ...HELD, voidAskedAt: daysAgo(1) }, { cancelSpacingSec: 5 })).toBeUndefined();
  });
});

describe("a refund", () => {
  test.each([
    ["of all", 100_00, PAID, {}, undefined],
    ["of a part", 1, PAID, {}, undefined],
    ["of the rest", 60_00, { ...PAID, refunded: 40_00 }, {}, undefined],
    ["of a cent more than the rest", 60_01, { ...PAID, refunded: 40_00 }, {}, "amount_exceeds_remaining"],
    ["of a part, where cards are refunded in full", 1, PAID, card({ partialRefund: false }), "refund_not_supported"],
    ["of all, where cards are refunded in full", 100_00, PAID, card({ partialRefund: false }), undefined],
    ["of a boleto", 100_00, { ...PIX, paymentType: "boleto" }, {}, "refund_not_supported"],
    [
      "of a boleto, where that is possible",
      100_00,
      { ...PIX, paymentType: "boleto" },
      { boleto: { minDays: 0, maxDays: 9, overUnderPayment: false, refund: true } },
      undefined,
    ],
    ["of a Pix on its last day", 1, { ...PIX, capturedAt: daysAgo(90) }, {}, undefined],
    ["of a Pix later", 1, { ...PIX, capturedAt: new Date(daysAgo(90).getTime() - 1) }, {}, "refund_window_expired"],
    [
      "of a Pix within the provider's own window",
      1,
      { ...PIX, capturedAt: daysAgo(8) },
      { pix: { minExpirySec: 1, maxExpirySec: 2, refundWindowDays: 7, installments: false } },
      "refund_window_expired",
    ],
  ] as const)("%s", (_, amount, facts, capabilities, code) => {
    expect(codeOf(refund(amount), facts, capabilities)).toBe(code);
  });

  test("names whose part goes back only where the provider takes that", () => {
    const facts = { ...PAID, isSplit: true };
    expect(codeOf(refund(50_00, true), facts)).toBeUndefined();
    expect(codeOf(refund(50_00, true), facts, split({ onRefund: false }))).toBe("split_not_supported");
    expect(codeOf(refund(50_00), facts, split({ onRefund: false }))).toBeUndefined();
  });

  test("is a void on the day of the capture in São Paulo, in full, where the provider has that", () => {
    // Midnight in São Paulo is 03:00 UTC.
    const capturedAt = new Date("2026-11-24T03:00:00.000Z");
    expect(returnedBy(ABLE, 100_00, { ...PAID, capturedAt })).toBe("void");
    expect(returnedBy(ABLE, 100_00, { ...PAID, capturedAt: new Date("2026-11-24T02:59:59.999Z") })).toBe("refund");
    expect(returnedBy(ABLE, 99_99, { ...PAID, capturedAt })).toBe("refund");
    expect(returnedBy({ ...ABLE, card: { ...CARD, voidAfterCapture: "never" } }, 100_00, PAID)).toBe("refund");
    expect(returnedBy(ABLE, 100_00, PIX)).toBe("refund");
  });
});

test.each([
  ["visa", "2026-12-09T15:00:00.000Z"],
  ["mastercard", "2026-12-01T15:00:00.000Z"],
  [undefined, "2026-12-09T15:00:00.000Z"],
  ["default", "2026-12-09T15:00:00.000Z"],
])("a hold of %s lasts as long as the provider's window of its brand", (brand, end) => {
  expect(holdEndOf(ABLE, brand, NOW).toISOString()).toBe(end);
});
