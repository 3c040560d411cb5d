import { composeBoleto } from "@/lib/brazil/boleto";
import type { Entry, EntryRefund, Told } from "@/lib/testing/providers/kit/books";

/** Stripe's objects, as its document has them. */

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** What a stand-in of Stripe keeps of a payment besides the books. */
export interface Kept {
  metadata: Record<string, string>;
  holder?: Record<string, unknown> | undefined;
  dueOn?: string;
  isLive?: boolean;
  hasCvv?: boolean;
}
export const keptOf = (entry: Entry): Kept => entry.kept as unknown as Kept; // Guarantee: the stand-in enters nothing else.

const STATUS: Record<Entry["state"], string> = {
  created: "requires_payment_method",
  pending: "processing",
  challenge: "requires_action",
  held: "requires_capture",
  captured: "succeeded",
  declined: "requires_payment_method",
  canceled: "canceled",
  expired: "canceled",
};

const statusOf = (entry: Entry): string => {
  if (entry.method !== "boleto") return STATUS[entry.state];
  if (entry.state === "expired") return "requires_payment_method";
  return entry.state === "pending" ? "requires_action" : STATUS[entry.state];
};

export const chargeIdOf = (entry: Entry): string => entry.id.replace(/^pi_/, "ch_");

export const intentOf = (entry: Entry, isExpanded = false): Record<string, unknown> => ({
  id: entry.id,
  object: "payment_intent",
  amount: entry.amount,
  amount_capturable: entry.state === "held" ? entry.held : 0,
  amount_received: entry.captured,
  canceled_at: entry.state === "canceled" ? seconds(entry.createdAt) : null,
  cancellation_reason: entry.state === "expired" && entry.method !== "boleto" ? "automatic" : null,
  capture_method: entry.capture ? "automatic" : "manual",
  confirmation_method: "automatic",
  created: seconds(entry.createdAt),
  currency: entry.currency.toLowerCase(),
  last_payment_error: lastErrorOf(entry),
  latest_charge: hasCharge(entry) ? (isExpanded ? chargeOf(entry) : chargeIdOf(entry)) : null,
  livemode: keptOf(entry).isLive === true,
  metadata: keptOf(entry).metadata,
  next_action: nextActionOf(entry),
  payment_method_types: [entry.method === "boleto" ? "boleto" : "card"],
  status: statusOf(entry),
});

const hasCharge = ({ state, held, captured }: Entry): boolean => held > 0 || captured > 0 || state === "declined";

function nextActionOf(entry: Entry): Record<string, unknown> | null {
  const { dueOn } = keptOf(entry);
  if (entry.method !== "boleto" || entry.state !== "pending" || dueOn === undefined) return null;
  const amount = entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;
  const { line } = composeBoleto({ bank: "000", dueOn, amount, freeField: "0".repeat(25) });
  return {
    type: "boleto_display_details",
    boleto_display_details: {
      number: line,
      expires_at: entry.expiresAt ? seconds(entry.expiresAt) : null,
      hosted_voucher_url: `https://payments.stripe.example/${entry.id}`,
      pdf: `https://payments.stripe.example/${entry.id}/pdf`,
    },
  };
}

/** Stripe's name of a refusal, with the network's where the card met one. */
export function errorOf(entry: Entry): Record<string, unknown> {
  const { networkCode, adviceCode } = entry.decline ?? { networkCode: "05" };
  return {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
    charge: chargeIdOf(entry),
    network_decline_code: networkCode,
    ...(adviceCode ? { network_advice_code: adviceCode } : {}),
  };
}

function lastErrorOf(entry: Entry): Record<string, unknown> | null {
  if (entry.method === "boleto" && entry.state === "expired") {
    return { type: "invalid_request_error", code: "payment_intent_payment_attempt_expired", message: "Expired." };
  }
  if (entry.state !== "declined") return null;
  return {
    ...errorOf(entry),
    payment_method: {
      id: entry.id.replace(/^pi_/, "pm_"),
      object: "payment_method",
      billing_details: {},
      created: seconds(entry.createdAt),
      livemode: false,
      type: "card",
      card: { brand: entry.brand, exp_month: 12, exp_year: 2031, funding: "credit", last4: "0000" },
    },
  };
}

export function chargeOf(entry: Entry): Record<string, unknown> {
  const isCard = entry.method !== "boleto";
  const isCaptured = entry.captured > 0;
  const released = isCaptured ? Math.max(0, entry.held - entry.captured) : 0;
  const returned = entry.refunds.filter(({ status }) => status !== "failed").reduce((sum, one) => sum + one.amount, 0);
  const refunds = entry.refunds.map((one) => refundOf(entry, one));
  return {
    id: chargeIdOf(entry),
    object: "charge",
    amount: entry.held || entry.amount,
    amount_captured: entry.captured,
    amount_refunded: released + returned,
    billing_details: {},
    captured: isCaptured,
    created: seconds(entry.createdAt),
    currency: entry.currency.toLowerCase(),
    disputed: entry.chargedBack > 0,
    livemode: false,
    metadata: keptOf(entry).metadata,
    paid: entry.state !== "declined",
    payment_intent: entry.id,
    payment_method_details: isCard
      ? {
          type: "card",
          card: {
            brand: entry.brand,
            country: "BR",
            exp_month: 12,
            exp_year: 2031,
            funding: "credit",
            last4: "0000",
            checks: { cvc_check: keptOf(entry).hasCvv ? "pass" : "unchecked" },
            network_transaction_id: `ntx${entry.id.slice(-12)}`,
            authorization_code: entry.id.slice(-6),
            ...(entry.expiresAt ? { capture_before: seconds(entry.expiresAt) } : {}),
          },
        }
      : { type: "boleto", boleto: { tax_id: "00000000000" } },
    refunded: isCaptured && returned >= entry.captured,
    refunds: {
      object: "list",
      url: `/v1/charges/${chargeIdOf(entry)}/refunds`,
      has_more: false,
      // What a partial capture gave up stands among the refunds, as the worst that may be.
      data: [...refunds, ...(released > 0 ? [releaseOf(entry, released)] : [])],
    },
    status: entry.state === "declined" ? "failed" : "succeeded",
  };
}

const REFUND_STATUS = { pending: "pending", done: "succeeded", failed: "failed" } as const;

export const refundOf = (entry: Entry, refund: EntryRefund): Record<string, unknown> => ({
  id: refund.id,
  object: "refund",
  amount: refund.amount,
  charge: chargeIdOf(entry),
  created: seconds(refund.at),
  currency: entry.currency.toLowerCase(),
  metadata: refund.reference === "" ? {} : { reference: refund.reference },
  payment_intent: entry.id,
  status: REFUND_STATUS[refund.status],
});

const releaseOf = (entry: Entry, amount: number) => ({
  ...refundOf(entry, {
    id: `re_released_${entry.id}`,
    reference: "",
    amount,
    status: "done",
    at: entry.createdAt,
  }),
});

/** The newest first; an inquiry is among them that has taken nothing. */
export const disputesOf = (entry: Entry): Record<string, unknown>[] =>
  entry.chargedBack > 0
    ? [
        { ...disputeOf(entry), id: entry.id.replace(/^pi_/, "dp_asked_"), reason: "general", status: "warning_closed" },
        disputeOf(entry),
      ]
    : [];

export const DISPUTE_REASON = "product_unacceptable";

export const disputeOf = (entry: Entry): Record<string, unknown> => ({
  id: entry.id.replace(/^pi_/, "dp_"),
  object: "dispute",
  amount: entry.chargedBack,
  balance_transactions: [],
  charge: chargeIdOf(entry),
  created: seconds(entry.createdAt),
  currency: entry.currency.toLowerCase(),
  evidence: {},
  evidence_details: { has_evidence: false, past_due: false, submission_count: 0 },
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: entry.id,
  reason: DISPUTE_REASON,
  status: entry.wasDisputeWon ? "won" : "needs_response",
});

const EVENT_OF: Partial<Record<Told["happening"], (told: Told) => [type: string, object: unknown]>> = {
  authorized: ({ entry }) => [
    entry.capture ? "payment_intent.succeeded" : "payment_intent.amount_capturable_updated",
    intentOf(entry),
  ],
  pending: ({ entry }) => [
    entry.method === "boleto" ? "payment_intent.requires_action" : "payment_intent.processing",
    intentOf(entry),
  ],
  declined: ({ entry }) => ["payment_intent.payment_failed", intentOf(entry)],
  captured: ({ entry }) => ["charge.captured", chargeOf(entry)],
  canceled: ({ entry }) => ["payment_intent.canceled", intentOf(entry)],
  expired: ({ entry }) => [
    entry.method === "boleto" ? "payment_intent.payment_failed" : "payment_intent.canceled",
    intentOf(entry),
  ],
  paid: ({ entry }) => ["payment_intent.succeeded", intentOf(entry)],
  refund_done: ({ entry }) => ["charge.refunded", chargeOf(entry)],
  refund_failed: ({ entry, refund }) => ["charge.refund.updated", refund ? refundOf(entry, refund) : {}],
  disputed: ({ entry }) => ["charge.dispute.created", disputeOf(entry)],
  dispute_won: ({ entry }) => ["charge.dispute.closed", disputeOf(entry)],
};

/** The event that Stripe sends of something that happened; undefined where it sends none that anybody waits for. */
export function eventOf(id: string, told: Told): Record<string, unknown> | undefined {
  const made = EVENT_OF[told.happening]?.(told);
  if (!made) return undefined;
  const [type, object] = made;
  return eventWith(id, type, object, told.at);
}

export const eventWith = (id: string, type: string, object: unknown, at: Date): Record<string, unknown> => ({
  id,
  object: "event",
  api_version: "2023-08-16",
  created: seconds(at),
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: null,
  type,
});
