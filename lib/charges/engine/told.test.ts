import { describe, expect, test } from "vitest";
import type { Situation } from "@/lib/charges/engine/decision";
import { onQuery } from "@/lib/charges/engine/on-query";
import { reconcile } from "@/lib/charges/engine/reconcile";
import { returnOf } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import { newId } from "@/lib/ids";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { FoundTransaction, ProviderRefund } from "@/lib/providers/provider";

const now = new Date("2026-11-23T12:00:00.000Z");

/** What is read of them here; a row of the table has more. */
const anAttempt = (changes: Partial<AttemptRow>): AttemptRow =>
  ({ id: newId(), transactionId: null, details: null, providerError: null, ...changes }) as AttemptRow;
const aCharge = (attempts: AttemptRow[], paymentType = "credit"): Charge => {
  const row = { id: newId(), status: "authorized", paymentType, amount: 100, capturedAmount: 100, refundedAmount: 0 };
  return { row: { ...row, chargedBackAmount: 0, operation: null }, attempts, splits: [] } as unknown as Charge; // As above.
};
const found = (changes: Partial<FoundTransaction>): FoundTransaction => ({
  kind: "found",
  providerTxId: "tx",
  state: "authorized",
  authorized: 100,
  captured: 100,
  refunded: 0,
  chargedBack: 0,
  currency: "BRL",
  reference: "payment",
  duplicates: [],
  refunds: [],
  payments: [],
  raw: { headers: {}, body: null },
  ...changes,
});

describe("a refund that the provider tells of", () => {
  const refund = (reference?: string): ProviderRefund => ({
    refundId: "r",
    amount: 40,
    status: "done",
    at: now.toISOString(),
    ...(reference === undefined ? {} : { reference }),
  });
  const booked = (attempts: AttemptRow[], reference?: string, paymentType?: string) =>
    reconcile(aCharge(attempts, paymentType), found({ refunds: [refund(reference)] }), now);

  test("is booked once: not again where an attempt of ours was done", () => {
    const ours = anAttempt({ kind: "refund", state: "approved", reference: "a" });
    expect(booked([ours], "a")).toMatchObject({ charge: {}, history: [] });
    const noted = anAttempt({ kind: "notice", state: "approved", reference: "n", transactionId: "r" });
    expect(booked([noted]).history).toEqual([]);
    const surplus = anAttempt({ kind: "refund", state: "declined", reference: "a", details: { surplus: "p" } });
    expect(booked([surplus], "a").history).toEqual([]);
  });

  test("is booked where nobody here asked for it, whatever reference the provider gives it", () => {
    const paid = anAttempt({ kind: "authorize", state: "approved", reference: "payment" });
    for (const reference of [undefined, "payment", "of the bank's own"]) {
      const { charge, history } = booked([paid], reference);
      expect(charge).toMatchObject({ refundedAmount: 40, amount: 60 });
      expect(history).toMatchObject([{ evidence: "r", reason: "refunded_at_provider" }]);
    }
    expect(booked([paid], undefined, "pix").history).toMatchObject([{ reason: "forced_by_payer_bank" }]);
  });

  test("is booked where it was done after it had been taken for refused", () => {
    for (const state of ["declined", "rejected", "not_sent"] as const) {
      const { charge, history } = booked([anAttempt({ kind: "refund", state, reference: "a" })], "a", "pix");
      expect(charge).toMatchObject({ refundedAmount: 40 });
      expect(history).toMatchObject([{ reason: "refunded_at_provider" }]);
    }
  });
});

test("a capture that is on its way is neither done nor gone", () => {
  const attempt = anAttempt({ kind: "capture", state: "undetermined", amount: 100, queries: 0 });
  const charge = aCharge([attempt]);
  const situation: Situation = {
    charge,
    attempt,
    now,
    alternative: undefined,
    nextQuery: now,
    keepsCvv: false,
    isReviewDue: false,
  };
  const decided = onQuery(situation, found({ state: "pending", captured: 0 }));
  expect(decided).toMatchObject({ attempt: { state: "undetermined" }, journals: [], queryAt: now });
});

test("a buyer who came back from a challenge without anything has brought nothing", () => {
  const back = (returned: string) =>
    returnOf({ attempts: [anAttempt({ requestType: "3DS_auth", details: { returned } })] });
  expect([back(""), back("x")]).toEqual([undefined, "x"]);
});
