import {
  type Decision,
  decision,
  ENDED,
  notSent,
  type ProviderError,
  providerError,
  rawOf,
  rejectedError,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import { differing } from "@/lib/charges/engine/difference";
import { type Modification, onModification } from "@/lib/charges/engine/modification";
import { lastLookAt, nextOpenQueryAt, type OpenPayment } from "@/lib/payments/query-schedule";
import type { FoundTransaction, Instant, Offer, Outcome, Voided } from "@/lib/providers/provider";

/** Pix, boleto and wallets: created at the provider, then pending until the buyer pays or the time is over. */
export function onCreateOpen(situation: Situation, outcome: Outcome<Offer>): Decision {
  switch (outcome.kind) {
    case "approved":
    case "pending":
      return outcome.data
        ? offered(situation, outcome, outcome.data)
        : undetermined(situation, { ...rawOf(outcome.raw) });
    case "declined":
      return refused(situation, providerError(outcome), { state: "declined", ...rawOf(outcome.raw) });
    case "rejected":
      return refused(situation, rejectedError(outcome.problem, outcome.detail), { state: "rejected" });
    case "not_sent":
      return notSent(situation, outcome.cause, (error, changes) => refused(situation, error, changes));
    case "mismatch":
      return decision({
        attempt: {
          state: "mismatch",
          requestStatus: "processing",
          requestStatusReason: "amount_mismatch",
          ...rawOf(outcome.raw),
          ...differing(situation.attempt, outcome),
        },
        charge: { reviewReason: "amount_mismatch", reviewSince: situation.now },
        events: ["pending"],
      });
    case "undetermined":
      return undetermined(situation, {
        requestStatus: "timeout",
        requestStatusReason: outcome.cause,
        ...rawOf(outcome.raw),
      });
  }
}

function offered(
  { charge, attempt, now }: Situation,
  outcome: Extract<Outcome<Offer>, { kind: "approved" | "pending" }>,
  offer: Offer,
): Decision {
  const { row } = charge;
  const expiresAt = new Date(offer.expiresAt);
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      requestStatusReason: null,
      transactionId: outcome.providerTxId,
      details: { [detailName(row.paymentType)]: { ...offer } },
      ...rawOf(outcome.raw),
    },
    charge: {
      ...ENDED,
      providerId: attempt.providerId,
      providerType: attempt.providerType,
      providerTxId: outcome.providerTxId,
      expiresAt,
      paymentMethod: { ...row.paymentMethod, ...whatTheBuyerNeeds(offer) },
    },
    events: row.eventVersion === 0 ? ["pending"] : [],
    jobs: [
      { kind: "charge.expire", at: expiresAt },
      { kind: "charge.watch", at: watchAt({ ...row, expiresAt }, outcome.nextEventAt, now) },
    ],
  });
}

/**
 * The provider has what nobody heard the making of. What became of it since, paid or closed, is booked by the look that
 * follows at once. Undefined where it is open and its code is not shown: making it again is the question then.
 */
export function onFoundOpen(situation: Situation, found: FoundTransaction): Decision | undefined {
  const { attempt, charge, now } = situation;
  const { providerTxId, reference, currency, offer, raw } = found;
  const wrong =
    reference !== attempt.reference
      ? ({ field: "reference", expected: attempt.reference, got: reference } as const)
      : currency !== charge.row.currency
        ? ({ field: "currency", expected: charge.row.currency, got: currency } as const)
        : offer && offer.amount !== attempt.amount
          ? ({ field: "amount", expected: String(attempt.amount), got: String(offer.amount) } as const)
          : undefined;
  if (wrong) return onCreateOpen(situation, { kind: "mismatch", ...wrong, providerTxId, raw });
  if (found.state === "declined") {
    const decline = found.decline ?? { declinedCode: "generic", retry: "never" };
    return refused(situation, providerError(decline), {
      state: "declined",
      transactionId: providerTxId,
      ...rawOf(raw),
    });
  }
  const isOpen = found.state === "pending";
  if (offer) {
    const nextEventAt = isOpen ? found.nextEventAt : now.toISOString();
    const named = nextEventAt === undefined ? {} : { nextEventAt };
    return offered(situation, { kind: "pending", providerTxId, pollAfterMs: 0, ...named, raw }, offer.data);
  }
  if (isOpen) return undefined;
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      requestStatusReason: null,
      transactionId: providerTxId,
      ...rawOf(raw),
    },
    charge: { ...ENDED, providerId: attempt.providerId, providerType: attempt.providerType, providerTxId },
    events: charge.row.eventVersion === 0 ? ["pending"] : [],
    jobs: [{ kind: "charge.watch", at: now }],
  });
}

/** The next look at what waits for its buyer: by the schedule, or sooner when the provider names a moment. */
export function watchAt(open: OpenPayment, named: Instant | undefined, now: Date): Date | null {
  const scheduled = nextOpenQueryAt(open, now);
  const told = named === undefined ? undefined : new Date(named);
  if (scheduled === undefined || told === undefined) return scheduled ?? told ?? null;
  return told < scheduled ? told : scheduled;
}

/**
 * A closed one is looked at once more after its own end, or sooner when the provider names a moment: the only news of money
 * on it may be lost.
 */
export function watchClosedAt(closed: OpenPayment, named: Instant | undefined, now: Date): Date | null {
  const told = named === undefined ? undefined : new Date(named);
  const last = lastLookAt(closed, now);
  if (last === undefined || told === undefined) return last ?? told ?? null;
  return told < last ? told : last;
}

const detailName = (paymentType: string): string =>
  ["pix", "boleto", "nupay", "drip"].includes(paymentType) ? paymentType : "wallet";

/** Addresses of pictures are made where they are answered: they depend on where this installation lives. */
function whatTheBuyerNeeds(offer: Offer): Record<string, unknown> {
  if ("txid" in offer) return { ...(offer.brCode ? { qrCodeData: offer.brCode } : {}), txid: offer.txid };
  if ("barcode" in offer) {
    const { line, barcode, brCode } = offer;
    return { barcodeData: line, barcode, ...(brCode ? { qrCodeData: brCode } : {}) };
  }
  return {
    paymentUrl: offer.paymentUrl,
    checkoutId: offer.checkoutId,
    ...(offer.qrCode ? { qrCodeData: offer.qrCode } : {}),
  };
}

function refused({ attempt }: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { requestStatus: "failed", providerError: error, ...changes },
    fact: "authorize.refused",
    charge: { ...ENDED, providerId: attempt.providerId, providerType: attempt.providerType },
    events: ["failed"],
  });
}

function undetermined(situation: Situation, changes: Decision["attempt"]): Decision {
  return undeterminedOutcome(situation, changes, {
    events: situation.charge.row.eventVersion === 0 ? ["pending"] : [],
  });
}

/** Closing what nobody has paid: done only when a following query shows it. */
export const onCancelOpen = (situation: Situation, outcome: Outcome<Voided>): Decision =>
  onModification(situation, outcome, CLOSE);

/** Refused, or not understood: whether it was paid in the meantime is the provider's to say. */
const asked = (situation: Situation, requestStatusReason: string): Decision => ({
  ...undeterminedOutcome(situation, { requestStatusReason }, {}),
  next: { do: "confirm" },
});

const CLOSE: Modification<Voided> = {
  done: closed,
  declined: (situation, error, changes) =>
    situation.isReplayed ? stillOpen(situation, error, changes) : asked(situation, "declined"),
  rejected: (situation) => asked(situation, "rejected"),
  unreached: stillOpen,
  received: (situation) => asked(situation, "pending"),
  undetermined: (situation, changes) => undeterminedOutcome(situation, changes, {}),
  mismatch: (situation) => asked(situation, "mismatch"),
};

export function closed({ charge, now }: Situation, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: {
      state: "approved",
      requestStatus: "success",
      providerError: null,
      requestStatusReason: null,
      ...changes,
    },
    fact: "open.closed",
    charge: { ...ENDED },
    events: ["canceled"],
    jobs: [
      { kind: "charge.expire", at: null },
      { kind: "charge.watch", at: watchClosedAt(charge.row, undefined, now) },
    ],
  });
}

export function stillOpen(_: Situation, error: ProviderError, changes: Decision["attempt"]): Decision {
  return decision({
    attempt: { state: "declined", requestStatus: "failed", providerError: error, ...changes },
    charge: { ...ENDED },
  });
}
