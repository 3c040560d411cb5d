import { capturedEvidence } from "@/lib/charges/engine/captured";
import {
  type Decision,
  decision,
  ENDED,
  type ProviderError,
  rawOf,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { confirmedElsewhere, type Modification, onModification } from "@/lib/charges/engine/modification";
import type { Cents } from "@/lib/money";
import type { CardCapture, Outcome } from "@/lib/providers/provider";
import { holdReleaseMovement } from "@/lib/receivables/movements";

export const onCapture = (situation: Situation, outcome: Outcome<CardCapture>): Decision =>
  onModification(situation, outcome, CAPTURE);

const CAPTURE: Modification<CardCapture> = {
  approved: (situation, { amount, raw, nextEventAt }) => done(situation, amount, rawOf(raw), nextEventAt),
  done: (situation, changes) => done(situation, situation.attempt.amount, changes),
  declined: refused,
  rejected: (_, error) => confirmedElsewhere({ providerError: error, requestStatusReason: error.message }),
  received: undetermined,
  undetermined,
  mismatch: ({ now }, changes) =>
    decision({
      attempt: {
        state: "mismatch",
        requestStatus: "processing",
        requestStatusReason: "amount_mismatch",
        ...changes,
      },
      charge: { reviewReason: "amount_mismatch", reviewSince: now },
    }),
};

/** The rest of a hold captured in part is released with it; a second capture does not exist. */
export function done(
  { charge, attempt }: Situation,
  amount: Cents,
  changes: Decision["attempt"],
  nextEventAt?: string,
): Decision {
  const { row } = charge;
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      providerError: null,
      requestStatusReason: null,
      ...changes,
    },
    fact: "capture.captured",
    charge: { ...ENDED, amount, capturedAmount: amount, expiresAt: null },
    events: ["authorized"],
    journals: [
      holdReleaseMovement(charge, attempt.id, row.amount),
      capturedEvidence(charge, attempt.providerType, attempt.id, amount),
    ],
    jobs: [
      { kind: "charge.hold_ends", at: null },
      // A look that is already due stays: it was news that asked for it.
      ...(nextEventAt ? [{ kind: "charge.watch", at: new Date(nextEventAt) } as const] : []),
    ],
  });
}

/** A client's capture leaves the hold; a charge that asked capture true releases it and ends voided. */
export function refused({ charge, attempt }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  const { row } = charge;
  const attemptChanges = { state: "declined", requestStatus: "failed", providerError: error, ...changes } as const;
  if (row.operationBy === "system") {
    return decision({
      attempt: attemptChanges,
      charge: { operation: "void", operationAmount: row.amount },
      next: {
        do: "attempt",
        kind: "void",
        amount: row.amount,
        ...(row.providerTxId ? { transactionId: row.providerTxId } : {}),
      },
    });
  }
  const isShown = row.status === "capture_pending";
  return decision({
    attempt: { ...attemptChanges, amount: attempt.amount },
    ...(isShown ? { fact: "capture.refused", events: ["pre_authorized"] } : {}),
    charge: { ...ENDED },
  });
}

/** The hold had lapsed or was reversed by the provider. */
export function holdGone({ charge, attempt }: Situation, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: {
      state: "declined",
      requestStatus: "failed",
      requestStatusReason: "hold_gone",
      providerError: {
        message: "the authorisation is no longer held",
        declinedCode: "transaction_not_allowed",
        retryable: false,
        networkDeniedReason: null,
        networkDeniedMessage: null,
      },
      ...changes,
    },
    fact: "capture.hold_gone",
    charge: { ...ENDED, expiresAt: null },
    events: ["voided"],
    journals: [holdReleaseMovement(charge, attempt.id, charge.row.amount)],
    jobs: [{ kind: "charge.hold_ends", at: null }],
  });
}

export function undetermined(situation: Situation, changes: Decision["attempt"], at?: Date): Decision {
  const { status } = situation.charge.row;
  const decided = undeterminedOutcome(
    situation,
    changes,
    status === "capture_pending" ? {} : { fact: "capture.undetermined", events: ["capture_pending"] },
  );
  return at ? { ...decided, queryAt: at } : decided;
}
