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
import type { AttemptRow } from "@/lib/payments/attempts";
import type { FoundTransaction, Outcome, Refunded } from "@/lib/providers/provider";
import { givenBackMovement } from "@/lib/receivables/movements";

/**
 * Money that came twice or too late goes back under an attempt of its own. It is no refund of the sale: the charge
 * keeps its amounts, and the books keep it apart until it is gone.
 */
export const SURPLUS = "surplus_payment";

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
  declined: (_, error, changes) => kept(error, changes),
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
      return kept(rejectedError("invalid_state", "the provider refused the refund"), seen);
    default:
      return attempt.providerError ? kept(attempt.providerError, seen) : undefined;
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
    journals: [givenBackMovement(charge, attempt.id, attempt.amount)],
    // Another payment may have come meanwhile.
    jobs: [{ kind: "charge.watch", at: now }],
  });
}

/** It stays where the books keep it apart, for an operator. */
export const kept = (error: ProviderError, changes: Decision["attempt"]): Decision =>
  decision({
    attempt: { state: "declined", requestStatus: "failed", providerError: error, ...changes },
    charge: { ...ENDED },
  });
