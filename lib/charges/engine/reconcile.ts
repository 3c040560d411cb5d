import { captured } from "@/lib/charges/engine/captured";
import { type Decision, rejectedError } from "@/lib/charges/engine/decision";
import { watchAt, watchClosedAt } from "@/lib/charges/engine/pending-payment";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { FORCED_BY_BANK, REFUNDED_THERE } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { FoundTransaction, ProviderPayment, ProviderRefund } from "@/lib/providers/provider";
import {
  chargebackWon,
  chargedBack,
  forciblyRefunded,
  refunded,
  refundReversed,
  released,
  unowned,
} from "@/lib/receivables/movements";

export interface Reconciliation extends Omit<Decision, "attempt" | "next" | "deletesCvv" | "closes"> {
  /** Rows of the history that did not end as they said. */
  closes?: Decision["closes"];
  /** Pix money that came too late or twice goes back at once, in full. */
  sendBack: ProviderPayment[];
}

const nothing = (found: FoundTransaction): Reconciliation => ({
  charge: {},
  events: [],
  journals: [],
  jobs: [{ kind: "charge.watch", at: found.nextEventAt ? new Date(found.nextEventAt) : null }],
  history: [],
  sendBack: [],
});

/** What a provider names is unique at it, and evidence in the books over all of them. */
export const evidenceAt = ({ row }: Charge, providersId: string): string => `${row.id}:${providersId}`;

/** Nobody pays by a card's details once it is over. */
const lastLook = ({ row }: Charge, found: FoundTransaction, now: Date): Reconciliation["jobs"] =>
  row.cardId === null
    ? [{ kind: "charge.watch", at: watchClosedAt(row, found.nextEventAt, now) }]
    : nothing(found).jobs;

/** What changed at the provider by itself, compared with a charge that waits for no answer. */
export function reconcile(charge: Charge, found: FoundTransaction, now: Date): Reconciliation {
  const base = nothing(found);
  const undone = firstUndone(charge, found);
  if (undone) return refundUndone(charge, undone, { ...base, jobs: [{ kind: "charge.watch", at: now }] });
  switch (charge.row.status) {
    case "pending":
      return whilePending(charge, found, base, now);
    case "pre_authorized":
      return whileHeld(charge, found, base);
    case "authorized":
      return whileCaptured(charge, found, base);
    case "charged_back":
      return whileChargedBack(charge, found, base);
    case "canceled":
    case "voided":
    case "failed":
      return late(charge, found, { ...base, jobs: lastLook(charge, found, now) });
    default:
      return base;
  }
}

/** A Pix is known to its payer by the end-to-end identifier. */
const pixNote = (paymentType: string, endToEndId: string) => (paymentType === "pix" ? { details: { endToEndId } } : {});

function whilePending(charge: Charge, found: FoundTransaction, base: Reconciliation, now: Date): Reconciliation {
  const { row } = charge;
  const owned = found.payments.filter((payment) => !payment.surplus);
  const paid = owned.reduce((sum, payment) => sum + payment.amount, 0);
  if (paid > 0) {
    const first = owned[0]?.paymentId ?? found.providerTxId;
    return {
      ...base,
      fact: "payment.received",
      // A boleto or Pix may be paid with another value: it is recorded as paid (spec/contract.md 8.5).
      charge: { amount: paid, capturedAmount: paid, expiresAt: null },
      events: ["authorized"],
      journals: [captured(charge, row.providerType, evidenceAt(charge, first), paid)],
      jobs: [...base.jobs, { kind: "charge.expire", at: null }],
      history: [{ requestType: "authorization", amount: paid, evidence: first, ...pixNote(row.paymentType, first) }],
      sendBack: surplusIn(charge, found),
    };
  }
  if (found.state === "declined") {
    return {
      ...base,
      fact: "authorize.refused",
      charge: { expiresAt: null, declineCode: found.decline?.declinedCode ?? "generic" },
      events: ["failed"],
      jobs: [...base.jobs, { kind: "charge.expire", at: null }],
      history: [
        { requestType: "authorization", amount: row.amount, evidence: `${row.id}:declined`, requestStatus: "failed" },
      ],
    };
  }
  if (found.state === "canceled" || found.state === "expired" || found.state === "voided") {
    return {
      ...base,
      fact: "open.closed",
      events: ["canceled"],
      jobs: [...lastLook(charge, found, now), { kind: "charge.expire", at: null }],
      history: [{ requestType: "void", amount: row.amount, evidence: `${row.id}:closed`, reason: found.state }],
    };
  }
  if (row.cardId !== null) return base;
  // Nobody has paid yet: a notification may be lost, so the next question has its date.
  return { ...base, jobs: [{ kind: "charge.watch", at: watchAt(row, found.nextEventAt, now) }] };
}

function whileHeld(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  if (found.captured > 0) return capturedThere(charge, found, base);
  if (found.state !== "voided" && found.state !== "expired" && found.state !== "canceled") return base;
  return {
    ...base,
    fact: "hold.ended",
    charge: { expiresAt: null },
    events: ["voided"],
    journals: [released(charge, `${row.id}:hold`, row.amount)],
    jobs: [...base.jobs, { kind: "charge.hold_ends", at: null }],
    history: [{ requestType: "void", amount: row.amount, evidence: `${row.id}:hold`, reason: found.state }],
  };
}

/** Captured at the provider by somebody else, in its own console for example. */
function capturedThere(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  const evidence = `${row.id}:captured`;
  return {
    ...base,
    fact: "capture.captured",
    charge: { amount: found.captured, capturedAmount: found.captured, expiresAt: null },
    events: ["authorized"],
    journals: [released(charge, evidence, row.amount), captured(charge, row.providerType, evidence, found.captured)],
    jobs: [...base.jobs, { kind: "charge.hold_ends", at: null }],
    history: [{ requestType: "capture", amount: found.captured, evidence, reason: "captured_at_provider" }],
  };
}

function whileCaptured(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  const forced = firstForced(charge, found);
  if (forced) return forcedRefund(charge, forced, base);
  if (isCaptureLost(charge, found)) return captureLost(charge, found.captureFailed, base);
  if (found.chargedBack > row.chargedBackAmount) {
    const disputed = found.chargedBack - row.chargedBackAmount;
    const stage = `${row.id}:chargeback:${row.eventVersion}`;
    return {
      ...base,
      fact: "chargeback.confirmed",
      charge: { isDispute: true, chargedBackAmount: found.chargedBack },
      events: ["dispute", "charged_back"],
      journals: [chargedBack(charge, stage, disputed)],
      history: [{ requestType: "charge_back", amount: disputed, evidence: stage }],
    };
  }
  return { ...base, sendBack: surplusIn(charge, found) };
}

function whileChargedBack(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  if (found.chargedBack > 0) return base;
  const stage = `${row.id}:chargeback_won:${row.eventVersion}`;
  return {
    ...base,
    fact: "chargeback.reversed",
    // A refund may have failed after all during the dispute: what is left is counted again.
    charge: { isDispute: false, chargedBackAmount: 0, amount: row.capturedAmount - row.refundedAmount },
    events: ["dispute_closed", "authorized"],
    journals: [chargebackWon(charge, stage, row.chargedBackAmount)],
    history: [{ requestType: "dispute_closed", amount: row.chargedBackAmount, evidence: stage }],
  };
}

/** Money for what is closed for good: Pix goes back, a boleto's is kept apart for the operator. */
function late(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  if (row.paymentType === "pix") return { ...base, sendBack: surplusIn(charge, found) };
  const unclaimed = found.payments.filter((payment) => !isNoted(charge, payment.paymentId));
  return {
    ...base,
    journals: unclaimed.map((payment) => unowned(charge, evidenceAt(charge, payment.paymentId), payment.amount)),
    history: unclaimed.map((payment) => ({
      requestType: "authorization",
      amount: payment.amount,
      evidence: payment.paymentId,
      requestStatus: "failed",
      reason: "paid_after_cancellation",
    })),
  };
}

const surplusIn = (charge: Charge, found: FoundTransaction): ProviderPayment[] =>
  found.payments.filter(
    (payment) => (payment.surplus || charge.row.status === "canceled") && !isNoted(charge, payment.paymentId),
  );

const isNoted = (charge: Charge, evidence: string): boolean =>
  charge.attempts.some((attempt) => attempt.kind === "notice" && attempt.transactionId === evidence);

/**
 * A refund that the books do not have: the payer's bank took a Pix back (MED), it was made in the provider's console, or it
 * was done after all when we had taken it for refused.
 */
const firstForced = (charge: Charge, found: FoundTransaction): ProviderRefund | undefined =>
  found.refunds.find(
    (refund) => refund.status === "done" && !isBooked(charge, refund) && !isNoted(charge, refund.refundId),
  );

const REFUSED: readonly AttemptRow["state"][] = ["declined", "rejected", "not_sent", "reversed"];

/** Some providers give a refund of their console a reference as well: it is ours only if an attempt to refund has it. */
const isBooked = (charge: Charge, refund: ProviderRefund): boolean => {
  const asked = askedBy(charge, refund);
  return asked !== undefined && (!REFUSED.includes(asked.state) || surplusOf(asked) !== undefined);
};

const askedBy = ({ attempts }: Charge, { reference }: ProviderRefund): AttemptRow | undefined =>
  attempts.find((attempt) => RETURNS.includes(attempt.kind) && attempt.reference === reference);

const RETURNS: readonly AttemptRow["kind"][] = ["refund", "void"];

function forcedRefund(charge: Charge, refund: ProviderRefund, base: Reconciliation): Reconciliation {
  const { row } = charge;
  const amount = Math.min(refund.amount, row.capturedAmount - row.refundedAmount);
  const refundedAmount = row.refundedAmount + amount;
  const isWhole = refundedAmount >= row.capturedAmount;
  const isForced = row.paymentType === "pix" && askedBy(charge, refund) === undefined;
  return {
    ...base,
    ...(isWhole ? { fact: "refund.done" } : {}),
    charge: { refundedAmount, ...(isWhole ? {} : { amount: row.capturedAmount - refundedAmount }) },
    events: [isWhole ? "voided" : "partially_voided"],
    journals: [(isForced ? forciblyRefunded : refunded)(charge, evidenceAt(charge, refund.refundId), amount)],
    history: [
      {
        requestType: "void",
        amount,
        evidence: refund.refundId,
        reason: isForced ? FORCED_BY_BANK : REFUNDED_THERE,
      },
    ],
  };
}

const GAVE_BACK: readonly Charge["row"]["status"][] = ["authorized", "voided", "charged_back"];

interface Undone {
  refund: ProviderRefund;
  /** The attempt, or the news, that it was booked by. */
  row: AttemptRow;
}

/** A refund that the books have, and that failed at the provider after all. */
function firstUndone(charge: Charge, found: FoundTransaction): Undone | undefined {
  if (!GAVE_BACK.includes(charge.row.status)) return undefined;
  for (const refund of found.refunds.filter(({ status }) => status === "failed")) {
    const row = charge.attempts.find((attempt) => attempt.state === "approved" && tellsOf(attempt, refund));
    if (row) return { refund, row };
  }
  return undefined;
}

const tellsOf = (attempt: AttemptRow, { reference, refundId }: ProviderRefund): boolean =>
  attempt.kind === "notice"
    ? attempt.transactionId === refundId && attempt.requestType === "void"
    : RETURNS.includes(attempt.kind) && attempt.reference === reference && surplusOf(attempt) === undefined;

/** The buyer has not got it: the amount is the merchant's again, and can be refunded anew. */
function refundUndone(charge: Charge, { refund, row: booked }: Undone, base: Reconciliation): Reconciliation {
  const { row } = charge;
  const refundedAmount = row.refundedAmount - booked.amount;
  const evidence = booked.kind === "notice" ? evidenceAt(charge, refund.refundId) : booked.id;
  const isOver = row.status === "voided";
  return {
    ...base,
    ...(isOver ? { fact: "refund.reversed" } : {}),
    charge: {
      refundedAmount,
      ...(row.status === "charged_back" ? {} : { amount: row.capturedAmount - refundedAmount }),
    },
    events: ["revert_void"],
    journals: [refundReversed(charge, evidence, booked.amount)],
    closes: [
      {
        id: booked.id,
        changes: {
          state: "reversed",
          requestType: "revert_void",
          requestStatus: "failed",
          requestStatusReason: "failed_at_provider",
          providerError: rejectedError("invalid_state", "the provider could not give the money back"),
        },
      },
    ],
  };
}

const CAPTURE_LOST = "capture_failed_at_provider";

const isCaptureLost = (charge: Charge, found: FoundTransaction): found is CaptureLost =>
  found.captureFailed !== undefined &&
  found.captured === 0 &&
  charge.row.capturedAmount > charge.row.refundedAmount &&
  !isNoted(charge, found.captureFailed.captureId);
type CaptureLost = FoundTransaction & { captureFailed: { captureId: string } };

/** The money never came: what was booked of it goes the way of a refund, and nothing goes to the buyer. */
function captureLost(
  charge: Charge,
  { captureId }: CaptureLost["captureFailed"],
  base: Reconciliation,
): Reconciliation {
  const { row } = charge;
  const amount = row.capturedAmount - row.refundedAmount;
  return {
    ...base,
    fact: "refund.done",
    charge: { refundedAmount: row.capturedAmount },
    events: ["voided"],
    journals: [refunded(charge, evidenceAt(charge, captureId), amount)],
    history: [{ requestType: "void", amount, evidence: captureId, reason: CAPTURE_LOST }],
  };
}
