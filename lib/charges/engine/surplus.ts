import { isHandedBack as wasHandedBack } from "@/lib/charges/by-people";
import {
  type Decision,
  decision,
  ENDED,
  type ProviderError,
  rawOf,
  rejectedError,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { type Modification, onModification } from "@/lib/charges/engine/modification";
import { evidenceAt, isNoted, type Reconciliation } from "@/lib/charges/engine/reconciliation";
import type { Charge } from "@/lib/charges/queries";
import type { Cents } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import { WATCH_DELAYS_SECONDS } from "@/lib/payments/query-schedule";
import type { FoundTransaction, Outcome, ProviderPayment, ProviderRefund, Refunded } from "@/lib/providers/provider";
import { givenBackMovement } from "@/lib/receivables/movements";
import { addSeconds } from "@/lib/time";

/**
 * Money that came twice or too late goes back under an attempt of its own. It is no refund of the sale: the charge
 * keeps its amounts, and the books keep it apart until it is gone.
 */
export const SURPLUS = "surplus_payment";
/** Money for what was closed for good, at a provider that cannot send it back. */
export const LATE = "paid_after_cancellation";
/** The event of each such payment when it is kept apart, and when it went back. */
export const KEPT_APART = "extra_payment";
export const WENT_BACK = "extra_payment_returned";

/** The payment that came too late, when a row of the history tells of one. */
export const lateOf = ({ requestStatusReason, transactionId }: AttemptRow): string | undefined =>
  requestStatusReason === LATE && transactionId ? transactionId : undefined;

/** The payment that an attempt gives back, when it is one of these. */
export function surplusOf({ details }: AttemptRow): string | undefined {
  const payment = details?.surplus;
  return typeof payment === "string" ? payment : undefined;
}

export const onSurplusRefund = (situation: Situation, outcome: Outcome<Refunded>): Decision =>
  onModification(situation, outcome, SURPLUS_REFUND);

const SURPLUS_REFUND: Modification<Refunded> = {
  approved: (situation, { data, raw, nextEventAt }) =>
    data.status === "pending" ? accepted(situation, rawOf(raw), nextEventAt) : undefined,
  done: gone,
  declined: kept,
  received: (situation, changes, at) => waits(situation, changes, at?.toISOString()),
  // Why it is sent back stays on the attempt.
  undetermined: (situation, { requestStatusReason: _cause, ...changes }) => waits(situation, changes),
  mismatch: (situation, changes) => waits(situation, { requestStatus: "timeout", ...changes }),
};

/** Undefined when the answer says nothing of this refund. */
export function foundSurplusRefund(situation: Situation, found: FoundTransaction): Decision | undefined {
  const { attempt } = situation;
  const ours = found.refunds.find(({ reference }) => reference === attempt.reference);
  const seen = rawOf(found.raw);
  switch (ours?.status) {
    case "done":
      return gone(situation, seen);
    case "pending":
      return waits(situation, seen, found.nextEventAt);
    case "failed":
      return kept(situation, rejectedError("invalid_state", "the provider refused the refund"), seen);
    default:
      return attempt.providerError ? kept(situation, attempt.providerError, seen) : undefined;
  }
}

/** Why it is sent back stays its reason: that the provider took it is told beside it. */
const accepted = (situation: Situation, changes: Decision["attempt"], nextEventAt?: string): Decision =>
  waits(situation, { ...changes, details: { ...situation.attempt.details, isAccepted: true } }, nextEventAt);

export const waits = (situation: Situation, changes: Decision["attempt"], nextEventAt?: string): Decision => {
  const decided = undeterminedOutcome(situation, changes, {});
  const at = nextEventAt ? new Date(nextEventAt) : undefined;
  return at && at > situation.now ? { ...decided, queryAt: at } : decided;
};

function gone({ charge, attempt, now }: Situation, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { state: "approved", requestStatus: "success", providerError: null, ...changes },
    charge: { ...ENDED },
    events: [WENT_BACK],
    journals: [givenBackMovement(charge, attempt.id, attempt.amount)],
    // Another payment may have come meanwhile.
    jobs: [{ kind: "charge.watch", at: now }],
  });
}

/** It stays where the books keep it apart: the look that follows says when it is tried again. */
export function kept({ now }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { state: "declined", requestStatus: "failed", providerError: error, ...changes },
    charge: { ...ENDED },
    jobs: [{ kind: "charge.watch", at: now }],
  });
}

const NOT_GIVEN_BACK: readonly AttemptRow["state"][] = ["declined", "rejected", "not_sent"];

export interface ToGiveBack {
  /** Goes back now. */
  payments: ProviderPayment[];
  /** When the next one is tried again. */
  nextAt: Date | undefined;
}

/**
 * Payments on top that are still here. What could not be given back, because the bank was away or the account empty, is
 * tried again for nine days, and after them whenever an operator asks.
 */
export function toGiveBack(
  charge: Charge,
  { payments, refunds }: FoundTransaction,
  now: Date,
  isAsked: boolean,
): ToGiveBack {
  const due: ToGiveBack = { payments: [], nextAt: undefined };
  for (const payment of payments.filter((one) => isOnTop(charge, one))) {
    if (!isNoted(charge, payment.paymentId)) due.payments.push(payment);
    else {
      const at = againAt(charge, payment, refunds);
      if (at !== undefined && (isAsked || at <= now)) due.payments.push(payment);
      else if (at && at !== NEVER && !(due.nextAt && due.nextAt < at)) due.nextAt = at;
    }
  }
  return due;
}

/** A charge that took nothing and is over takes nothing any more. */
const isOnTop = ({ row }: Charge, { surplus }: ProviderPayment): boolean =>
  surplus || row.status === "canceled" || row.status === "failed";

const NEVER = new Date(8.64e15);

/** Undefined while one of its returns may still be done. */
function againAt(
  { attempts }: Charge,
  { paymentId }: ProviderPayment,
  refunds: readonly ProviderRefund[],
): Date | undefined {
  const tries = attempts.filter((attempt) => surplusOf(attempt) === paymentId);
  const isOver = ({ state, reference }: AttemptRow): boolean =>
    state === "reversed" ||
    (NOT_GIVEN_BACK.includes(state) &&
      !refunds.some((refund) => refund.reference === reference && refund.status !== "failed"));
  if (tries.length === 0 || !tries.every(isOver)) return undefined;
  const delay = WATCH_DELAYS_SECONDS[tries.length - 1];
  const last = Math.max(...tries.map(({ updatedAt }) => updatedAt.getTime()));
  return delay === undefined ? NEVER : addSeconds(new Date(last), delay);
}

/** A return that is done without our knowing: one that was taken for refused, or one of the provider's console. */
export function surplusGone(charge: Charge, found: FoundTransaction, base: Reconciliation): Reconciliation | undefined {
  for (const refund of found.refunds.filter(({ status }) => status === "done")) {
    const ours = charge.attempts.find(({ kind, reference }) => kind === "refund" && reference === refund.reference);
    if (ours && surplusOf(ours) && NOT_GIVEN_BACK.includes(ours.state)) {
      const changes = { state: "approved", requestStatus: "success", providerError: null } as const;
      const left = leftBooks(charge, surplusOf(ours), ours.id, ours.amount);
      return { ...base, ...left, closes: [{ id: ours.id, changes }] };
    }
    const isElsewhere = !ours && isOfSurplus(charge, refund, found) && !isNoted(charge, refund.refundId);
    const gone = isElsewhere ? goneThere(charge, refund, base) : undefined;
    if (gone) return gone;
  }
  return undefined;
}

/** Not of the sale, whoever asked for it. */
export const isOfSurplus = (charge: Charge, { paymentId }: ProviderRefund, { payments }: FoundTransaction): boolean =>
  payments.some((payment) => payment.paymentId === paymentId && isOnTop(charge, payment));

/** The books let it go when people said so: a return that the provider shows later is most likely that very one. */
const isHandedBack = ({ attempts }: Charge, payment: string | undefined): boolean =>
  attempts.some((row) => wasHandedBack(row) && surplusOf(row) === payment);

const leftBooks = (
  charge: Charge,
  payment: string | undefined,
  evidence: string,
  amount: Cents,
): Pick<Reconciliation, "journals" | "events"> =>
  isHandedBack(charge, payment)
    ? { journals: [], events: [] }
    : { journals: [givenBackMovement(charge, evidence, amount)], events: [WENT_BACK] };

/** Once the payment itself is noted: what never came cannot go. */
function goneThere(
  charge: Charge,
  { paymentId = "", refundId, amount }: ProviderRefund,
  base: Reconciliation,
): Reconciliation | undefined {
  if (!isNoted(charge, paymentId)) return undefined;
  return {
    ...base,
    ...leftBooks(charge, paymentId, evidenceAt(charge, refundId), amount),
    history: [{ requestType: "void", amount, evidence: refundId, reason: SURPLUS, details: { surplus: paymentId } }],
  };
}
