import {
  type Decision,
  decision,
  ENDED,
  type ProviderError,
  rawOf,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { instantSaid, type Modification, onModification } from "@/lib/charges/engine/modification";
import { ACCEPTED } from "@/lib/charges/history";
import { chosenParts } from "@/lib/charges/parts";
import type { Outcome, Refunded, Voided } from "@/lib/providers/provider";
import { refundMovement } from "@/lib/receivables/movements";

/** Money captured goes back, in part or whole: done only when a following query shows it. */
export const onRefund = (situation: Situation, outcome: Outcome<Refunded | Voided>): Decision =>
  onModification(situation, outcome, situation.attempt.kind === "void" ? RETURN_BY_VOID : RETURN_BY_REFUND);

const RETURN_BY_REFUND: Modification<Refunded | Voided> = {
  approved: (situation, { data, raw, nextEventAt }) =>
    "status" in data && data.status === "pending"
      ? accepted(situation, rawOf(raw), instantSaid(nextEventAt))
      : undefined,
  done,
  declined: refused,
  received: accepted,
  undetermined,
  mismatch: (situation, changes) =>
    undetermined(situation, { requestStatusReason: "mismatch", ...changes }, situation.now),
};

const RETURN_BY_VOID: Modification<Refunded | Voided> = {
  ...RETURN_BY_REFUND,
  declined: asRefund,
  rejected: asRefund,
  unreached: refused,
};

/** The void of captured money was refused as already settled: a refund takes its place. */
function asRefund({ charge }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { state: "declined", requestStatus: "failed", providerError: error, ...changes },
    next: { do: "attempt", kind: "refund", amount: charge.row.operationAmount ?? charge.row.amount },
  });
}

/** The provider took it and will say later how it ended. */
function accepted(situation: Situation, changes: Decision["attempt"], at: Date | undefined): Decision {
  return undetermined(situation, { requestType: "refund_pending", requestStatusReason: ACCEPTED, ...changes }, at);
}

export function done({ charge, attempt }: Situation, changes: Decision["attempt"]): Decision {
  const { row } = charge;
  const refundedAmount = row.refundedAmount + attempt.amount;
  const isWhole = refundedAmount >= row.capturedAmount;
  const isShown = row.status === "refund_pending";
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      requestType: "void",
      providerError: null,
      requestStatusReason: null,
      ...changes,
    },
    ...(isWhole ? { fact: "refund.done" } : isShown ? { fact: "refund.part_done" } : {}),
    // A full void leaves the last value (spec/contract.md 8.4).
    charge: { ...ENDED, refundedAmount, ...(isWhole ? {} : { amount: row.capturedAmount - refundedAmount }) },
    events: [isWhole ? "voided" : "partially_voided"],
    journals: [
      refundMovement(charge, attempt.id, attempt.amount, { at: attempt.createdAt, rules: chosenParts(attempt) }),
    ],
  });
}

/** Refused: the charge is what it was. After an earlier acceptance the refusal gives the amount back: revert_void. */
export function refused({ charge, attempt }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  const isShown = charge.row.status === "refund_pending";
  const wasAccepted = attempt.requestStatusReason === ACCEPTED;
  return decision({
    attempt: {
      state: "declined",
      requestStatus: "failed",
      providerError: error,
      ...(wasAccepted ? { requestType: "revert_void" } : {}),
      ...changes,
    },
    ...(isShown ? { fact: "refund.refused", events: [wasAccepted ? "revert_void" : "authorized"] } : {}),
    charge: { ...ENDED },
  });
}

export function undetermined(situation: Situation, changes: Decision["attempt"], at?: Date): Decision {
  const isShown = situation.charge.row.status === "refund_pending";
  const decided = undeterminedOutcome(
    situation,
    changes,
    isShown ? {} : { fact: "refund.undetermined", events: ["refund_pending"] },
  );
  return at ? { ...decided, queryAt: at } : decided;
}
