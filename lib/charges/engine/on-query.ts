import * as authorize from "@/lib/charges/engine/authorize";
import * as capture from "@/lib/charges/engine/capture";
import * as orphan from "@/lib/charges/engine/dangling-authorization";
import {
  type Decision,
  decision,
  type ProviderError,
  rawOf,
  rejectedError,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { type AmountDifference, differing } from "@/lib/charges/engine/difference";
import * as open from "@/lib/charges/engine/pending-payment";
import * as refund from "@/lib/charges/engine/refund";
import * as surplus from "@/lib/charges/engine/surplus";
import * as release from "@/lib/charges/engine/void-authorization";
import { ACCEPTED } from "@/lib/charges/history";
import { AGREEING_ANSWERS_SECONDS } from "@/lib/payments/query-schedule";
import type { FoundTransaction, QueryResult } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

/** What a query says of an attempt without an outcome. Only positive evidence moves money; absence must be said twice. */
export function onQuery(situation: Situation, result: QueryResult): Decision {
  switch (result.kind) {
    case "found":
      return alone(
        watching(BY_KIND[situation.attempt.kind]?.(situation, result) ?? askAgain(situation), situation, result),
        situation,
        result,
      );
    case "not_found_definitive":
      return absent(situation);
    case "not_found_yet":
    case "unavailable":
      return askAgain(situation);
  }
}

const askAgain = (situation: Situation, at?: Date): Decision =>
  stillUnknown(situation, { requestStatusReason: situation.attempt.requestStatusReason }, at);

/** What is asked about may not have been unknown before: a confirming query that finds nothing out makes it so. */
function stillUnknown(situation: Situation, changes: Decision["attempt"], at?: Date): Decision {
  const { charge, attempt } = situation;
  const isOfCaptured = charge.row.operation === "refund";
  switch (attempt.kind) {
    case "capture":
      return capture.undetermined(situation, changes, at);
    case "void":
      if (orphan.isDangling(attempt)) break;
      return isOfCaptured ? refund.undetermined(situation, changes, at) : release.undetermined(situation, changes, at);
    case "refund": {
      if (!surplus.surplusOf(attempt)) return refund.undetermined(situation, changes, at);
      const decided = surplus.waits(situation, changes);
      return at ? { ...decided, queryAt: at } : decided;
    }
    default:
  }
  const decided = undeterminedOutcome(situation, changes, { events: charge.row.eventVersion === 0 ? ["pending"] : [] });
  return at ? { ...decided, queryAt: at } : decided;
}

/** A pending answer names the moment it changes: asking before it is of no use. */
const later = (situation: Situation, found: FoundTransaction): Decision => {
  const at = found.nextEventAt ? new Date(found.nextEventAt) : undefined;
  return askAgain(situation, at && at > situation.now ? at : undefined);
};

const CHANGES: readonly Situation["attempt"]["kind"][] = ["capture", "void", "refund"];

/** Once our own question has its answer, what the provider expects next is looked at when it comes. */
function watching(decided: Decision, { attempt }: Situation, { nextEventAt }: FoundTransaction): Decision {
  const isSettled = decided.queryAt === undefined && decided.next.do === "nothing";
  const isWatched = decided.jobs.some(({ kind }) => kind === "charge.watch");
  if (!isSettled || isWatched || nextEventAt === undefined || !CHANGES.includes(attempt.kind)) return decided;
  return { ...decided, jobs: [...decided.jobs, { kind: "charge.watch", at: new Date(nextEventAt) }] };
}

/** A provider that took one reference twice holds one too many: it is released once this charge is at rest. */
const alone = (decided: Decision, { now }: Situation, { duplicates }: FoundTransaction): Decision =>
  duplicates.length === 0 ? decided : { ...decided, jobs: [...decided.jobs, { kind: "orphan.watch", at: now }] };

type OnFound = (situation: Situation, found: FoundTransaction) => Decision;

const BY_KIND: Partial<Record<Situation["attempt"]["kind"], OnFound>> = {
  authorize: foundAuthorization,
  capture: foundCapture,
  void: foundVoid,
  refund: foundRefund,
  cancel_open: foundClosing,
  pix: foundOpen,
  boleto: foundOpen,
  wallet: foundOpen,
};

function foundAuthorization(situation: Situation, found: FoundTransaction): Decision {
  const { attempt, charge } = situation;
  const seen = { transactionId: found.providerTxId, ...rawOf(found.raw) };
  switch (found.state) {
    case "pre_authorized":
    case "authorized":
      if (
        found.authorized !== attempt.amount ||
        found.currency !== charge.row.currency ||
        found.reference !== attempt.reference
      ) {
        return authorize.mismatch(situation, found.providerTxId, {
          ...rawOf(found.raw),
          ...differing(attempt, differenceOf(situation, found)),
        });
      }
      return authorize.approved(situation, {
        providerTxId: found.providerTxId,
        nsu: found.nsu,
        authCode: found.authCode,
        cvvChecked: false,
        holdEndsAt: found.expiresAt,
        captured: found.state === "authorized",
        liabilityShift: found.liabilityShift,
        attempt: { requestStatusReason: null, ...rawOf(found.raw) },
      });
    case "declined":
      return authorize.declined(situation, found.decline ?? { declinedCode: "generic", retry: "never" }, seen);
    case "pending":
      return later(situation, found);
    default:
      // Some providers undo an authorisation by themselves after a timeout: reversed is evidence at any time.
      return uncounted(
        authorize.declined(
          { ...situation, alternative: undefined },
          { declinedCode: "timeout", retry: "never", reason: "reversed by the provider" },
          { ...seen, state: "reversed" },
        ),
      );
  }
}

/** No issuer refused it: the networks count nothing against the card. */
const uncounted = ({ counted: _none, ...decision }: Decision): Decision => decision;

const amounts = (expected: number, got: number): AmountDifference => ({
  field: "amount",
  expected: String(expected),
  got: String(got),
});

function differenceOf({ attempt, charge }: Situation, found: FoundTransaction): AmountDifference {
  const { reference, currency, authorized } = found;
  if (reference !== attempt.reference) return { field: "reference", expected: attempt.reference, got: reference };
  if (currency !== charge.row.currency) return { field: "currency", expected: charge.row.currency, got: currency };
  return amounts(attempt.amount, authorized);
}

function foundCapture(situation: Situation, found: FoundTransaction): Decision {
  const { attempt } = situation;
  const seen = rawOf(found.raw);
  if (found.refused) return capture.refused(situation, rejectedError("invalid_state", found.refused.reason), seen);
  if (found.captured > 0) {
    return found.captured === attempt.amount
      ? capture.done(situation, found.captured, seen, found.nextEventAt)
      : decision({
          attempt: {
            state: "mismatch",
            ...seen,
            ...differing(attempt, amounts(attempt.amount, found.captured)),
          },
          charge: { reviewReason: "amount_mismatch", reviewSince: situation.now },
        });
  }
  if (found.state === "pre_authorized") {
    // A definitive refusal before needs no second opinion: the hold is still open.
    const error = attempt.providerError;
    if (isRefusal(error)) return capture.refused(situation, error, seen);
    return agreedTwice(situation) ?? capture.refused(situation, rejectedError("invalid_request", "not captured"), seen);
  }
  // On its way, it is neither captured nor gone.
  return found.state === "pending" ? later(situation, found) : capture.holdGone(situation, seen);
}

function foundVoid(situation: Situation, found: FoundTransaction): Decision {
  const { charge, attempt } = situation;
  if (orphan.isDangling(attempt)) return orphan.foundDangling(situation, found);
  const seen = rawOf(found.raw);
  const isOfCaptured = charge.row.operation === "refund";
  if (found.refused) {
    const error = rejectedError("invalid_state", found.refused.reason);
    return isOfCaptured ? refund.refused(situation, error, seen) : release.refused(situation, error, seen);
  }
  if (isOfCaptured) {
    if (found.state === "voided" || found.refunded >= charge.row.capturedAmount) return refund.done(situation, seen);
    return agreedTwice(situation) ?? refund.refused(situation, rejectedError("invalid_state", "not voided"), seen);
  }
  switch (found.state) {
    case "voided":
    case "canceled":
    case "expired":
    case "refunded":
    case "declined":
      return release.done(situation, seen);
    case "pre_authorized": {
      const error = attempt.providerError;
      if (isRefusal(error)) return release.refused(situation, error, seen);
      return agreedTwice(situation) ?? release.refused(situation, rejectedError("invalid_state", "still held"), seen);
    }
    case "authorized":
      // A first look may come before the provider shows the void that it took. A hold that is known shows it first.
      return charge.row.status === "refund_pending" ||
        (charge.row.status === "pending" && attempt.state === "undetermined")
        ? release.foundCaptured(situation, found.captured, seen)
        : askAgain(situation);
    default:
      return askAgain(situation);
  }
}

function foundRefund(situation: Situation, found: FoundTransaction): Decision {
  const { attempt } = situation;
  const seen = rawOf(found.raw);
  if (surplus.surplusOf(attempt)) {
    const missing = rejectedError("invalid_state", "not given back");
    return (
      surplus.foundSurplusRefund(situation, found) ?? agreedTwice(situation) ?? surplus.kept(situation, missing, seen)
    );
  }
  const ours = found.refunds.find((candidate) => candidate.reference === attempt.reference);
  switch (ours?.status) {
    case "done":
      return ours.amount === attempt.amount
        ? refund.done(situation, seen)
        : decision({
            attempt: { state: "mismatch", ...seen },
            charge: { reviewReason: "amount_mismatch", reviewSince: situation.now },
          });
    case "pending": {
      const waiting = refund.undetermined(situation, {
        requestType: "refund_pending",
        requestStatusReason: ACCEPTED,
      });
      const at = found.nextEventAt ? new Date(found.nextEventAt) : undefined;
      return at && at > situation.now ? { ...waiting, queryAt: at } : waiting;
    }
    case "failed":
      return refund.refused(situation, rejectedError("invalid_state", "the provider refused the refund"), seen);
    default: {
      const error = attempt.providerError;
      if (isRefusal(error)) return refund.refused(situation, error, seen);
      return agreedTwice(situation) ?? refund.refused(situation, rejectedError("invalid_state", "not refunded"), seen);
    }
  }
}

function foundOpen(situation: Situation, found: FoundTransaction): Decision {
  return open.onFoundOpen(situation, found) ?? later(situation, found);
}

function foundClosing(situation: Situation, found: FoundTransaction): Decision {
  const seen = rawOf(found.raw);
  if (found.state === "canceled" || found.state === "expired" || found.state === "voided")
    return open.closed(situation, seen);
  if (found.payments.some((payment) => !payment.surplus)) {
    return open.stillOpen(situation, rejectedError("invalid_state", "it was paid"), seen);
  }
  return agreedTwice(situation) ?? open.stillOpen(situation, rejectedError("invalid_state", "still open"), seen);
}

const isRefusal = (error: ProviderError | null): error is ProviderError => error !== null;

/**
 * "Still in the earlier state" counts once the late window has passed and two answers a minute apart agree; it then
 * allows one resend with the same reference. Undefined: it was resent already and the answer stands.
 */
function agreedTwice(situation: Situation): Decision | undefined {
  const { attempt, now } = situation;
  if (situation.isEarly) return askAgain(situation);
  if (attempt.absentSince === null) {
    const soonest = addSeconds(now, AGREEING_ANSWERS_SECONDS);
    return stillUnknown(situation, { absentSince: now }, soonest);
  }
  if (now < addSeconds(attempt.absentSince, AGREEING_ANSWERS_SECONDS)) {
    return askAgain(situation, addSeconds(attempt.absentSince, AGREEING_ANSWERS_SECONDS));
  }
  if (attempt.resent) return undefined;
  return decision({
    attempt: { state: "not_sent", absentSince: null, resent: true },
    next: { do: "resend", afterMs: 0 },
  });
}

/** Our word for what a provider knows nothing of. */
export const NOT_FOUND_THERE = "not found at the provider";

/** Not found, definitively, twice: the payment failed, and is watched until a hold could no longer exist. */
function absent(situation: Situation): Decision {
  const { attempt, now } = situation;
  const agrees = attempt.absentSince && now >= addSeconds(attempt.absentSince, AGREEING_ANSWERS_SECONDS);
  if (!agrees) {
    const since = attempt.absentSince ?? now;
    return stillUnknown(situation, { absentSince: since }, addSeconds(since, AGREEING_ANSWERS_SECONDS));
  }
  if (CREATIONS.includes(attempt.kind)) return neverMade(situation);
  if (attempt.kind !== "authorize") return agreedTwice(situation) ?? askAgain(situation);
  const failed = authorize.declined(
    { ...situation, alternative: undefined },
    { declinedCode: "timeout", retry: "never", reason: NOT_FOUND_THERE },
    { state: "absent" },
  );
  return {
    ...uncounted(failed),
    card: undefined,
    jobs: [...failed.jobs, { kind: "orphan.watch", at: addSeconds(now, DANGLING_STEP_SECONDS) }],
  };
}

const CREATIONS: readonly Situation["attempt"]["kind"][] = ["pix", "boleto", "wallet"];

/** Nobody was ever shown a code to pay. */
const neverMade = (situation: Situation): Decision =>
  open.onCreateOpen(situation, {
    kind: "declined",
    declinedCode: "timeout",
    retry: "never",
    reason: NOT_FOUND_THERE,
    raw: { headers: {}, body: null },
  });

/** How often a given-up authorisation is looked for until its hold could have expired. */
export const DANGLING_STEP_SECONDS = 6 * 3_600;
