import { type Decision, rejectedError } from "@/lib/charges/engine/decision";
import { evidenceAt, isNoted, RETURNS, type Reconciliation } from "@/lib/charges/engine/reconciliation";
import { KEPT_APART, surplusOf } from "@/lib/charges/engine/surplus";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { FoundTransaction, ProviderRefund } from "@/lib/providers/provider";
import { refundMovement, refundReversed, unownedMovement } from "@/lib/receivables/movements";

/** What a provider told as done, and what failed there after all: each is taken back once, by evidence of its own. */

const GAVE_BACK: readonly Charge["row"]["status"][] = ["authorized", "voided", "charged_back"];
const FAILED_THERE = "failed_at_provider";
const CAPTURE_LOST = "capture_failed_at_provider";

/** A refund that the books have, and that failed; undefined when there is none. */
export function refundUndone(
  charge: Charge,
  found: FoundTransaction,
  base: Reconciliation,
): Reconciliation | undefined {
  for (const refund of found.refunds.filter(({ status }) => status === "failed")) {
    const booked = charge.attempts.find((attempt) => isDone(attempt) && tellsOf(attempt, refund));
    if (booked && surplusOf(booked)) return surplusKept(charge, booked, base);
    if (!booked || !GAVE_BACK.includes(charge.row.status)) continue;
    return charge.attempts.some(isLostCapture) ? withoutMoney(booked, base) : takenBack(charge, refund, booked, base);
  }
  return undefined;
}

const isDone = ({ state, requestStatusReason }: AttemptRow): boolean =>
  state === "approved" && requestStatusReason !== FAILED_THERE;

const tellsOf = (attempt: AttemptRow, { reference, refundId }: ProviderRefund): boolean =>
  attempt.kind === "notice"
    ? attempt.transactionId === refundId && attempt.requestType === "void"
    : RETURNS.includes(attempt.kind) && attempt.reference === reference;

/** The buyer has not got it: the amount is the merchant's again, and can be refunded anew. */
function takenBack(
  charge: Charge,
  { refundId }: ProviderRefund,
  booked: AttemptRow,
  base: Reconciliation,
): Reconciliation {
  const { row } = charge;
  const refundedAmount = row.refundedAmount - booked.amount;
  const evidence = booked.kind === "notice" ? evidenceAt(charge, refundId) : booked.id;
  return {
    ...base,
    ...(row.status === "voided" ? { fact: "refund.reversed" } : {}),
    charge: {
      refundedAmount,
      ...(row.status === "charged_back" ? {} : { amount: row.capturedAmount - refundedAmount }),
    },
    events: ["revert_void"],
    journals: [refundReversed(charge, evidence, booked.amount)],
    closes: [failed(booked, { requestType: "revert_void", requestStatusReason: FAILED_THERE })],
  };
}

/** Of the sale nothing is touched: the money is kept apart again, as before it was sent back, for an operator. */
const surplusKept = (charge: Charge, booked: AttemptRow, base: Reconciliation): Reconciliation => ({
  ...base,
  events: [KEPT_APART],
  journals: [unownedMovement(charge, `${booked.id}:failed`, booked.amount)],
  closes: [failed(booked, { requestType: "revert_void" })],
});

/** The sale was taken back whole, with what this had given back of it: no money moves, and the row says what happened. */
const withoutMoney = (booked: AttemptRow, base: Reconciliation): Reconciliation => ({
  ...base,
  closes: [{ id: booked.id, changes: { requestStatus: "failed", requestStatusReason: FAILED_THERE, providerError } }],
});

const providerError = rejectedError("invalid_state", "the provider could not give the money back");

const failed = ({ id }: AttemptRow, changes: Decision["attempt"]): Decision["closes"][number] => ({
  id,
  changes: { state: "reversed", requestStatus: "failed", providerError, ...changes },
});

const isLostCapture = ({ kind, requestStatusReason }: AttemptRow): boolean =>
  kind === "notice" && requestStatusReason === CAPTURE_LOST;

/** The money never came: what was booked of it goes the way of a refund, and nothing goes to the buyer. */
export function captureLost(
  charge: Charge,
  { captureFailed, captured }: FoundTransaction,
  base: Reconciliation,
): Reconciliation | undefined {
  const { row } = charge;
  const amount = row.capturedAmount - row.refundedAmount;
  if (!captureFailed || captured > 0 || amount <= 0 || isNoted(charge, captureFailed.captureId)) return undefined;
  const { captureId } = captureFailed;
  return {
    ...base,
    fact: "refund.done",
    charge: { refundedAmount: row.capturedAmount },
    events: ["voided"],
    journals: [refundMovement(charge, evidenceAt(charge, captureId), amount)],
    history: [{ requestType: "void", amount, evidence: captureId, reason: CAPTURE_LOST }],
  };
}
