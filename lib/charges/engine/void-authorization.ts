import { announces } from "@/lib/charges/engine/authorize";
import { capturedEvidence as taken } from "@/lib/charges/engine/captured";
import {
  type Decision,
  decision,
  ENDED,
  type ProviderError,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { type Modification, onModification } from "@/lib/charges/engine/modification";
import { deniedShift } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { Cents } from "@/lib/money";
import type { Outcome, Voided } from "@/lib/providers/provider";
import { holdReleaseMovement } from "@/lib/receivables/movements";

/** How often the system tries to release a hold before people must look (spec/purchases.md row S15). */
export const SYSTEM_VOIDS = 5;

/** Void of a hold: done only when a following query shows it. */
export const onVoid = (situation: Situation, outcome: Outcome<Voided>): Decision =>
  onModification(situation, outcome, VOID);

const VOID: Modification<Voided> = {
  done,
  declined: refused,
  received: undetermined,
  undetermined,
  mismatch: (situation, changes) =>
    undetermined(situation, { requestStatusReason: "mismatch", ...changes }, situation.now),
};

export function done({ charge, attempt }: Situation, changes: Decision["attempt"]): Decision {
  const refusal = isNotTold(charge) ? deniedShift(charge) : undefined;
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      providerError: null,
      requestStatusReason: null,
      ...changes,
    },
    fact: refusal ? "authorize.refused" : "void.voided",
    charge: {
      ...ENDED,
      expiresAt: null,
      ...(refusal ? { declineCode: refusal.providerError?.declinedCode ?? null } : {}),
    },
    events: [refusal ? "failed" : "voided"],
    journals: [holdReleaseMovement(charge, attempt.id, charge.row.amount)],
    jobs: [{ kind: "charge.hold_ends", at: null }],
  });
}

/** Nobody has heard of a hold yet: what is released now was never offered. */
const isNotTold = ({ row }: Charge): boolean => row.status === "pending";

export function refused(situation: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  const { charge, attempt, now } = situation;
  const { row } = charge;
  const attemptChanges = { state: "declined", requestStatus: "failed", providerError: error, ...changes } as const;
  const isShown = row.status === "refund_pending";
  if (row.operationBy !== "system") {
    return decision({
      attempt: attemptChanges,
      ...(isShown ? { fact: "void.refused", events: ["pre_authorized"] } : {}),
      charge: { ...ENDED },
    });
  }
  if (attempt.sequence < SYSTEM_VOIDS) {
    return decision({
      attempt: attemptChanges,
      next: {
        do: "attempt",
        kind: "void",
        amount: row.amount,
        ...(attempt.transactionId ? { transactionId: attempt.transactionId } : {}),
      },
    });
  }
  return decision({
    attempt: attemptChanges,
    charge: { reviewReason: "reconciliation_failed", reviewSince: now },
  });
}

/** Released before anybody was told of it, for want of liability shift. A hold that ends is no such refusal. */
const isUnwanted = (charge: Charge): boolean =>
  charge.row.operationBy === "system" && deniedShift(charge) !== undefined;

/** What was to be released had been captured: the money is real. What nobody wanted is given back at once. */
export function foundCaptured(situation: Situation, captured: Cents, changes: Decision["attempt"]): Decision {
  const { charge, attempt, now } = situation;
  const { row } = charge;
  if (captured !== row.amount) {
    return decision({
      attempt: { state: "mismatch", ...changes },
      charge: { reviewReason: "amount_mismatch", reviewSince: now },
    });
  }
  return decision({
    attempt: { state: "declined", requestStatus: "failed", requestStatusReason: "captured", ...changes },
    fact: isNotTold(charge) ? "capture.captured" : "void.found_captured",
    charge: { ...(isUnwanted(charge) ? givingBack(captured) : ENDED), capturedAmount: captured, expiresAt: null },
    events: ["authorized"],
    journals: [
      holdReleaseMovement(charge, attempt.id, row.amount),
      taken(charge, attempt.providerType, attempt.id, captured),
    ],
    jobs: [{ kind: "charge.hold_ends", at: null }],
    ...(isUnwanted(charge) ? { next: { do: "attempt", kind: "refund", amount: captured } } : {}),
  });
}

const givingBack = (amount: Cents) =>
  ({
    operation: "refund",
    operationAmount: amount,
    operationBy: "system",
    operationFrom: "authorized",
  }) as const;

export function undetermined(situation: Situation, changes: Decision["attempt"], at?: Date): Decision {
  const { charge } = situation;
  const isShown = charge.row.status === "refund_pending";
  const isUndone = isNotTold(charge) && deniedShift(charge) !== undefined;
  const waits = isUndone ? { events: announces(charge) } : { fact: "void.undetermined", events: ["refund_pending"] };
  const decided = undeterminedOutcome(situation, changes, isShown ? {} : waits);
  return at ? { ...decided, queryAt: at } : decided;
}
