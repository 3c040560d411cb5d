import { capturedEvidence } from "@/lib/charges/engine/captured";
import type { HistoryEntry } from "@/lib/charges/engine/decision";
import { watchAt, watchClosedAt } from "@/lib/charges/engine/pending-payment";
import { evidenceAt, isNoted, RETURNS, type Reconciliation } from "@/lib/charges/engine/reconciliation";
import { isOfSurplus, KEPT_APART, LATE, surplusGone, surplusOf, toGiveBack } from "@/lib/charges/engine/surplus";
import { captureLost, refundUndone } from "@/lib/charges/engine/undone";
import { FORCED_BY_BANK, REFUNDED_THERE } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import { shownReason } from "@/lib/providers/dispute-reason";
import type { FoundTransaction, ProviderRefund } from "@/lib/providers/provider";
import {
  chargebackMovement,
  chargebackWonMovement,
  forciblyRefunded,
  holdReleaseMovement,
  refundMovement,
  unownedMovement,
} from "@/lib/receivables/movements";

const nothing = (found: FoundTransaction): Reconciliation => ({
  charge: {},
  events: [],
  journals: [],
  jobs: [{ kind: "charge.watch", at: found.nextEventAt ? new Date(found.nextEventAt) : null }],
  history: [],
  sendBack: [],
});

/** Nobody pays by a card's details once it is over. */
const lastLook = ({ row }: Charge, found: FoundTransaction, now: Date): Reconciliation["jobs"] =>
  row.cardId === null
    ? [{ kind: "charge.watch", at: watchClosedAt(row, found.nextEventAt, now) }]
    : nothing(found).jobs;

/**
 * What changed at the provider by itself, compared with a charge that waits for no answer. `isAsked`: a person asks, who
 * may have mended what stood in the way.
 */
export function reconcile(charge: Charge, found: FoundTransaction, now: Date, isAsked = false): Reconciliation {
  const base = nothing(found);
  const again = { ...base, jobs: [{ kind: "charge.watch", at: now }] } satisfies Reconciliation;
  const undone = refundUndone(charge, found, again) ?? surplusGone(charge, found, again);
  if (undone) return undone;
  const giving = (seen: Reconciliation) => givingBack(charge, found, now, isAsked, seen);
  switch (charge.row.status) {
    case "pending":
      return whilePending(charge, found, base, now);
    case "pre_authorized":
      return whileHeld(charge, found, base);
    case "authorized":
      return giving(whileCaptured(charge, found, base));
    case "charged_back":
      return giving(whileChargedBack(charge, found, base));
    case "canceled":
    case "voided":
    case "failed": {
      const closed = { ...base, jobs: lastLook(charge, found, now) };
      return charge.row.paymentType === "pix" ? giving(closed) : late(charge, found, closed);
    }
    default:
      return base;
  }
}

/** Pix money on top goes back; what could not go has the next look when it is tried again. */
function givingBack(
  charge: Charge,
  found: FoundTransaction,
  now: Date,
  isAsked: boolean,
  base: Reconciliation,
): Reconciliation {
  const { payments: sendBack, nextAt } = toGiveBack(charge, found, now, isAsked);
  const planned = base.jobs.find(({ kind }) => kind === "charge.watch")?.at;
  if (!nextAt || (planned && planned < nextAt)) return { ...base, sendBack };
  const others = base.jobs.filter(({ kind }) => kind !== "charge.watch");
  return { ...base, sendBack, jobs: [...others, { kind: "charge.watch", at: nextAt }] };
}

/** A Pix is known to its payer by the end-to-end identifier. */
const pixNote = (paymentType: string, endToEndId: string) => (paymentType === "pix" ? { details: { endToEndId } } : {});

/** Operators read it on the dispute; the API tells of no details of this name. */
const reasonNote = ({ disputeReason: told }: FoundTransaction): Pick<HistoryEntry, "details"> => {
  const disputeReason = shownReason(told);
  return disputeReason === undefined ? {} : { details: { disputeReason } };
};

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
      journals: [capturedEvidence(charge, row.providerType, evidenceAt(charge, first), paid)],
      jobs: [...base.jobs, { kind: "charge.expire", at: null }],
      history: [{ requestType: "authorization", amount: paid, evidence: first, ...pixNote(row.paymentType, first) }],
      sendBack: toGiveBack(charge, found, now, false).payments,
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
    journals: [holdReleaseMovement(charge, `${row.id}:hold`, row.amount)],
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
    journals: [
      holdReleaseMovement(charge, evidence, row.amount),
      capturedEvidence(charge, row.providerType, evidence, found.captured),
    ],
    jobs: [...base.jobs, { kind: "charge.hold_ends", at: null }],
    history: [{ requestType: "capture", amount: found.captured, evidence, reason: "captured_at_provider" }],
  };
}

function whileCaptured(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const { row } = charge;
  const forced = firstForced(charge, found);
  if (forced) return forcedRefund(charge, forced, base);
  const lost = captureLost(charge, found, base);
  if (lost) return lost;
  if (found.chargedBack > row.chargedBackAmount) {
    const disputed = found.chargedBack - row.chargedBackAmount;
    const stage = `${row.id}:chargeback:${row.eventVersion}`;
    return {
      ...base,
      fact: "chargeback.confirmed",
      charge: { isDispute: true, chargedBackAmount: found.chargedBack },
      events: ["dispute", "charged_back"],
      journals: [chargebackMovement(charge, stage, disputed)],
      history: [{ requestType: "charge_back", amount: disputed, evidence: stage, ...reasonNote(found) }],
    };
  }
  return base;
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
    journals: [chargebackWonMovement(charge, stage, row.chargedBackAmount)],
    history: [{ requestType: "dispute_closed", amount: row.chargedBackAmount, evidence: stage }],
  };
}

/** Money for what is closed for good: a boleto's is kept apart for the operator. */
function late(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation {
  const unclaimed = found.payments.filter((payment) => !isNoted(charge, payment.paymentId));
  return {
    ...base,
    events: unclaimed.map(() => KEPT_APART),
    journals: unclaimed.map((payment) =>
      unownedMovement(charge, evidenceAt(charge, payment.paymentId), payment.amount),
    ),
    history: unclaimed.map((payment) => ({
      requestType: "authorization",
      amount: payment.amount,
      evidence: payment.paymentId,
      requestStatus: "failed",
      reason: LATE,
    })),
  };
}

/**
 * A refund that the books do not have: the payer's bank took a Pix back (MED), it was made in the provider's console, or it
 * was done after all when we had taken it for refused.
 */
const firstForced = (charge: Charge, found: FoundTransaction): ProviderRefund | undefined =>
  found.refunds.find(
    (refund) =>
      refund.status === "done" &&
      !isOfSurplus(charge, refund, found) &&
      !isBooked(charge, refund) &&
      !isNoted(charge, refund.refundId),
  );

const REFUSED: readonly AttemptRow["state"][] = ["declined", "rejected", "not_sent", "reversed"];

/** Some providers give a refund of their console a reference as well: it is ours only if an attempt to refund has it. */
const isBooked = (charge: Charge, refund: ProviderRefund): boolean => {
  const asked = askedBy(charge, refund);
  return asked !== undefined && (!REFUSED.includes(asked.state) || surplusOf(asked) !== undefined);
};

const askedBy = ({ attempts }: Charge, { reference }: ProviderRefund): AttemptRow | undefined =>
  attempts.find((attempt) => RETURNS.includes(attempt.kind) && attempt.reference === reference);

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
    journals: [(isForced ? forciblyRefunded : refundMovement)(charge, evidenceAt(charge, refund.refundId), amount)],
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
