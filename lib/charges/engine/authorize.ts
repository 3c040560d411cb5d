import { capturedEvidence } from "@/lib/charges/engine/captured";
import {
  type Decision,
  decision,
  ENDED,
  type ProviderError,
  providerError,
  rawOf,
  rejectedError,
  type Situation,
  UNREACHABLE,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { differing } from "@/lib/charges/engine/difference";
import { challengeOf, isAnalysis } from "@/lib/charges/history";
import { SAFETY_SECONDS } from "@/lib/charges/holds";
import type { Charge } from "@/lib/charges/queries";
import { isAuthentication } from "@/lib/declines/decline-codes";
import { env } from "@/lib/env";
import { holdEndOf } from "@/lib/payments/refusals";
import type { CardAuth, Decline, NextAction, Outcome } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { holdMovement, holdReleaseMovement } from "@/lib/receivables/movements";
import { isAuthenticated, wasDeniedShift } from "@/lib/three-ds/liability";
import { CHALLENGE_SECONDS, termUrlOf } from "@/lib/three-ds/ticket";
import { addSeconds } from "@/lib/time";

const SHORTEST_RESEND_MS = 0;
const LONGEST_RESEND_MS = 3_000;

export function onAuthorize(situation: Situation, outcome: Outcome<CardAuth>): Decision {
  switch (outcome.kind) {
    case "approved":
      return approved(situation, {
        providerTxId: outcome.providerTxId,
        nsu: outcome.nsu,
        authCode: outcome.authCode,
        cvvChecked: outcome.data.cvvChecked,
        holdEndsAt: outcome.data.expiresAt,
        captured: outcome.data.captured,
        networkTransactionId: outcome.data.networkTransactionId,
        liabilityShift: outcome.data.liabilityShift,
        attempt: rawOf(outcome.raw),
      });
    case "declined":
      return declined(situation, outcome, { ...rawOf(outcome.raw), transactionId: outcome.providerTxId ?? null });
    case "pending":
      return pending(situation, outcome);
    case "mismatch":
      return mismatch(situation, outcome.providerTxId, {
        ...rawOf(outcome.raw),
        ...differing(situation.attempt, outcome),
      });
    case "not_sent":
      return notSent(situation, outcome);
    case "rejected":
      return refused(situation, rejectedError(outcome.problem, outcome.detail), { state: "rejected" });
    case "undetermined":
      return undetermined(situation, { requestStatusReason: outcome.cause, ...rawOf(outcome.raw) });
  }
}

interface Approval {
  providerTxId: string;
  nsu?: string | undefined;
  authCode?: string | undefined;
  cvvChecked: boolean;
  holdEndsAt?: string | undefined;
  captured: boolean;
  networkTransactionId?: string | undefined;
  /** Absent where the provider does not say. */
  liabilityShift?: boolean | undefined;
  attempt: Decision["attempt"];
}

export function approved(situation: Situation, approval: Approval): Decision {
  const { charge, attempt, now } = situation;
  const { row } = charge;
  const holdEndsAt = approval.holdEndsAt
    ? new Date(approval.holdEndsAt)
    : holdEndOf(providerFor(attempt.providerType).capabilities, charge.brand, now);
  const known = {
    providerId: attempt.providerId,
    providerType: attempt.providerType,
    providerTxId: approval.providerTxId,
  };
  const answered = decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      transactionId: approval.providerTxId,
      authorizationNsu: approval.nsu ?? null,
      authorizationCode: approval.authCode ?? null,
      providerAuthorization: { networkAuthorizationCode: approval.authCode ?? null, networkResponseCode: "00" },
      ...authenticated(charge, approval.liabilityShift),
      ...approval.attempt,
    },
    charge: { ...known, expiresAt: holdEndsAt },
    journals: [holdMovement(charge, attempt.id, attempt.amount)],
    card: { kind: "approved", cvvChecked: approval.cvvChecked },
    networkTransactionId: approval.networkTransactionId,
    deletesCvv: true,
    ...challengeEnds(charge, true),
  });
  const isDenied = wasDeniedShift(row.threeDSecure2, approval.liabilityShift);
  if (approval.captured) {
    const sold = soldAtOnce(situation, answered);
    return isDenied ? undoing(situation, sold, "refund") : sold;
  }
  if (isDenied) return undoing(situation, answered, "void");
  if (charge.analyst && !charge.attempts.some(isAnalysis)) return { ...answered, next: { do: "analyse" } };
  // The cards of a purchase are captured when all of them hold.
  if (row.capture && row.purchaseId === null) {
    return {
      ...answered,
      charge: {
        ...answered.charge,
        operation: "capture",
        operationAmount: row.amount,
        operationBy: "system",
        operationFrom: "pending",
      },
      next: { do: "attempt", kind: "capture", amount: row.amount },
    };
  }
  return {
    ...answered,
    fact: "authorize.approved",
    charge: { ...answered.charge, ...ENDED },
    events: ["pre_authorized"],
    jobs: [...answered.jobs, { kind: "charge.hold_ends", at: addSeconds(holdEndsAt, -SAFETY_SECONDS) }],
  };
}

/** The provider captured with the authorisation: there is no hold left to decide about. */
function soldAtOnce({ charge, attempt }: Situation, answered: Decision): Decision {
  return {
    ...answered,
    fact: "capture.captured",
    charge: { ...answered.charge, ...ENDED, capturedAmount: attempt.amount, expiresAt: null },
    events: ["authorized"],
    journals: [
      ...answered.journals,
      holdReleaseMovement(charge, attempt.id, attempt.amount),
      capturedEvidence(charge, attempt.providerType, attempt.id, attempt.amount),
    ],
  };
}

/** Without a challenge the issuer knew the buyer by the data alone; what the provider says of the risk is kept either way. */
function authenticated({ row, attempts }: Charge, liabilityShift: boolean | undefined): Decision["attempt"] {
  const challenge = challengeOf({ attempts });
  if (!row.threeDSecure2 || (challenge && liabilityShift === undefined)) return {};
  const isKnown = challenge !== undefined || isAuthenticated(row.threeDSecure2);
  return {
    details: { threeds: { authenticated: isKnown, ...(liabilityShift === undefined ? {} : { liabilityShift }) } },
  };
}

/** Approved, and the risk is the shop's, which it asked not to bear: what was taken is given back before it is told. */
function undoing({ charge, attempt }: Situation, answered: Decision, kind: "void" | "refund"): Decision {
  return {
    ...answered,
    attempt: { ...answered.attempt, requestStatusReason: NO_SHIFT, providerError: withoutShift },
    charge: {
      ...answered.charge,
      operation: kind,
      operationAmount: attempt.amount,
      operationBy: "system",
      operationFrom: kind === "void" ? charge.row.status : "authorized",
    },
    next: { do: "attempt", kind, amount: attempt.amount },
  };
}

const NO_SHIFT = "no_liability_shift";
const withoutShift: ProviderError = {
  message: "no liability shift",
  declinedCode: "authentication_error",
  retryable: false,
  networkDeniedReason: null,
  networkDeniedMessage: null,
};

/** The answer of the payment is the answer of the challenge. */
function challengeEnds(charge: Charge, isPassed: boolean): Pick<Decision, "closes" | "jobs"> {
  const challenge = challengeOf(charge);
  if (!challenge) return { closes: [], jobs: [] };
  const changes = {
    requestStatus: isPassed ? "success" : "failed",
    details: { threeds: { authenticated: isPassed } },
  };
  return { closes: [{ id: challenge.id, changes }], jobs: [{ kind: "charge.expire", at: null }] };
}

/** The shop needs the issuer to carry the risk, and nothing it sent can make it: the payment is not even tried. */
export const onMissingShift = (situation: Situation): Decision => ({
  ...refused(situation, withoutShift, { state: "not_sent", requestStatusReason: NO_SHIFT }),
  card: undefined,
});

/** Another provider only after a decline that allows it (spec/providers.md rule 10); otherwise the charge has failed. */
export function declined(situation: Situation, decline: Decline, attempt: Decision["attempt"]): Decision {
  const error = providerError(decline);
  if (situation.alternative && error.retryable) {
    return decision({
      attempt: { state: "declined", requestStatus: "failed", providerError: error, ...attempt },
      card: { kind: "declined", code: decline.declinedCode },
      counted: decline,
      next: { do: "attempt", kind: "authorize", amount: situation.attempt.amount, provider: situation.alternative },
    });
  }
  const refusal = refused(situation, error, { state: "declined", ...attempt });
  // A buyer the bank could not tell never came to an authorisation: no network counts it against the card.
  return isAuthentication(decline.declinedCode) ? refusal : { ...refusal, counted: decline };
}

function refused({ charge, attempt }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { requestStatus: "failed", providerError: error, ...changes },
    fact: "authorize.refused",
    charge: { ...ENDED, providerId: attempt.providerId, providerType: attempt.providerType, expiresAt: null },
    events: ["failed"],
    card: { kind: "declined", code: error.declinedCode },
    deletesCvv: true,
    ...challengeEnds(charge, false),
  });
}

/** The issuer is thinking, or the buyer is at a challenge: an outcome not yet known, asked about when it is due. */
function pending(situation: Situation, outcome: Extract<Outcome<CardAuth>, { kind: "pending" }>): Decision {
  const { now, charge, attempt } = situation;
  const at = outcome.nextEventAt ? new Date(outcome.nextEventAt) : addSeconds(now, outcome.pollAfterMs / 1000);
  const decided = decision({
    attempt: {
      state: "undetermined",
      requestStatus: "processing",
      transactionId: outcome.providerTxId,
      ...rawOf(outcome.raw),
    },
    charge: {
      providerId: attempt.providerId,
      providerType: attempt.providerType,
      providerTxId: outcome.providerTxId,
    },
    events: announces(charge),
    queryAt: at > now ? at : situation.nextQuery,
    deletesCvv: !situation.keepsCvv,
  });
  return outcome.nextAction ? challenged(situation, decided, outcome.nextAction) : decided;
}

/** The buyer's browser goes to the page of the issuer and comes back with a ticket (spec/contract.md 8.7). */
function challenged({ charge, attempt, now }: Situation, decided: Decision, action: NextAction): Decision {
  const { row } = charge;
  const { type, url, fields, kept } = action;
  const termUrl = termUrlOf(env().BASE_URL, row.id, attempt.id);
  const response =
    type === "device"
      ? { deviceUrl: url, fields, termUrl }
      : {
          url,
          ...(action.method ? { method: action.method } : {}),
          ...(fields ? { fields } : {}),
          md: row.id,
          paReq: Buffer.from(attempt.reference).toString("base64url"),
          termUrl,
        };
  const authData = {
    action: "REDIRECT",
    providerType: attempt.providerType,
    responseType: "AUTHENTICATION",
    response,
  };
  const details = { threeds: { authenticated: false }, step: type, ...(kept ? { kept } : {}) };
  const threeDSecure2 = { ...row.threeDSecure2, authData };
  const asked = challengeOf(charge);
  if (asked) {
    // One authentication in several steps: the way back is open once more, and its time is that of the first.
    return {
      ...decided,
      charge: { ...decided.charge, threeDSecure2 },
      closes: [{ id: asked.id, changes: { requestStatusReason: null, details } }],
    };
  }
  const endsAt = addSeconds(now, CHALLENGE_SECONDS);
  return {
    ...decided,
    charge: { ...decided.charge, threeDSecure2, expiresAt: endsAt },
    history: [
      {
        requestType: "3DS_auth",
        amount: attempt.amount,
        evidence: attempt.id,
        requestStatus: "processing",
        details,
      },
    ],
    jobs: [{ kind: "charge.expire", at: endsAt }],
  };
}

/** Nobody finished the challenge in its time. */
export const challengeMissed = (situation: Situation): Decision =>
  declined(
    { ...situation, alternative: undefined },
    { declinedCode: "failed_authentication", retry: "never", reason: "the challenge was not finished in time" },
    { state: "absent" },
  );

/** Approved for something else than was asked: nothing moves any more until an operator looks. */
export function mismatch(
  situation: Situation,
  transactionId: string | undefined,
  changes: Decision["attempt"],
): Decision {
  const { charge, attempt, now } = situation;
  return decision({
    attempt: {
      state: "mismatch",
      requestStatus: "processing",
      requestStatusReason: "amount_mismatch",
      transactionId: transactionId ?? attempt.transactionId,
      ...changes,
    },
    charge: {
      reviewReason: "amount_mismatch",
      reviewSince: now,
      providerId: attempt.providerId,
      providerType: attempt.providerType,
      providerTxId: transactionId ?? null,
    },
    events: announces(charge),
    deletesCvv: true,
  });
}

/** It provably never left: once more as it is, then elsewhere, then the charge has failed without a payment. */
function notSent(
  situation: Situation,
  { cause, retryAfterMs }: Extract<Outcome<CardAuth>, { kind: "not_sent" }>,
): Decision {
  const { attempt, alternative } = situation;
  const wait = retryAfterMs ?? SHORTEST_RESEND_MS;
  if (!attempt.resent && cause !== "circuit_open" && wait <= LONGEST_RESEND_MS) {
    return decision({
      attempt: { state: "not_sent", requestStatusReason: cause, resent: true },
      next: { do: "resend", afterMs: wait },
    });
  }
  const changes = { state: "not_sent", requestStatus: "failed", requestStatusReason: cause } as const;
  if (alternative) {
    return decision({
      attempt: { ...changes, providerError: UNREACHABLE },
      next: { do: "attempt", kind: "authorize", amount: attempt.amount, provider: alternative },
    });
  }
  return { ...refused(situation, UNREACHABLE, changes), card: undefined };
}

export function undetermined(situation: Situation, changes: Decision["attempt"]): Decision {
  const { charge, attempt } = situation;
  return undeterminedOutcome(
    situation,
    { requestStatus: "timeout", ...changes },
    {
      charge: { providerId: attempt.providerId, providerType: attempt.providerType },
      events: announces(charge),
      deletesCvv: !situation.keepsCvv,
    },
  );
}

/** The first sign of life of a charge that its own call could not finish. */
export const announces = ({ row }: Charge): string[] => (row.eventVersion === 0 ? ["pending"] : []);
