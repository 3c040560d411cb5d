import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { foundNothing, type NothingFound, unanswered } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type {
  CallContext,
  FoundOffer,
  ProviderRefund,
  ProviderState,
  QueryInput,
  QueryResult,
} from "@/lib/providers/provider";
import { readSlip, slipDueOn } from "@/lib/providers/slip";
import { answerOf, brandOf, declineOf, rawIntent } from "@/lib/providers/stripe/answers";
import { intentPath, REFERENCE, send } from "@/lib/providers/stripe/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/stripe/capabilities";
import {
  disputeList,
  type Intent,
  intent,
  refundList,
  type WireCharge,
  type WireDispute,
  type WireRefund,
} from "@/lib/providers/stripe/wire";

/** Disputes that have taken money: an inquiry has not, and a won one has given it back. */
const TAKES_MONEY: ReadonlySet<string> = new Set(["needs_response", "under_review", "lost"]);
const PAGE = 100;
const MOST_PAGES = 20;

type Found = { kind: "found"; intent: Intent } | NothingFound;

/** Only the id leads to a payment: the one that is known, or those that its own notifications named. */
export async function query(connections: Connections, call: CallContext, input: QueryInput): Promise<QueryResult> {
  const told = (await call.evidence()).flatMap(({ providerTxId }) => providerTxId ?? []);
  const ids = [...new Set(input.providerTxId === undefined ? told : [input.providerTxId, ...told])];
  const asked = await Promise.all(ids.map((id) => ask(connections, call, input, id)));
  const [first, ...others] = asked;
  if (!first) return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  const own = asked.find((one) => one.kind === "found") ?? first;
  if (own.kind !== "found") return own;
  // It was made and never confirmed: nothing was asked of the card, and only its confirmation could still arrive.
  if (own.intent.status === "requires_payment_method" && !own.intent.last_payment_error) {
    return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  }
  const found = await describe(connections, call, own.intent);
  if (found.kind !== "found") return found;
  const extra = others.flatMap((one) =>
    one.kind === "found" && one !== own && isLive(one.intent) ? [one.intent.id] : [],
  );
  return { ...found, duplicates: extra };
}

const isLive = ({ status }: Intent): boolean =>
  status === "requires_capture" || status === "succeeded" || status === "processing";

async function ask(connections: Connections, call: CallContext, input: QueryInput, id: string): Promise<Found> {
  const exchange = await send(connections, call, {
    method: "GET",
    path: intentPath(id),
    fields: { expand: ["latest_charge.refunds"] },
  });
  const read = answerOf(exchange, intent);
  if (read.ok) return read.value.id === id ? { kind: "found", intent: read.value } : { kind: "unavailable" };
  if (read.outcome.kind === "rejected" && read.outcome.problem === "not_found") {
    return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  }
  return unanswered(read.outcome);
}

async function describe(connections: Connections, call: CallContext, own: Intent): Promise<QueryResult> {
  const charge = own.latest_charge ?? undefined;
  const wire = charge ? await refundsOf(connections, call, own.id, charge) : [];
  const disputes = charge?.disputed ? await disputesOf(connections, call, own.id) : [];
  if (!wire || !disputes) return { kind: "unavailable" };
  const chargedBack = disputes.reduce((sum, { amount }) => sum + amount, 0);
  const reason = disputes[0]?.reason;
  const refunds = wire.filter(isAsked(charge)).map(refundOf);
  const refunded = refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);
  const captured = own.status === "succeeded" ? own.amount_received : 0;
  const card = charge?.payment_method_details?.card;
  const error = own.last_payment_error;
  const isDeclined = own.status === "requires_payment_method";
  const isBoleto = own.payment_method_types.includes("boleto");
  return {
    kind: "found",
    providerTxId: own.id,
    state: stateOf(own, { captured, refunded, chargedBack, isRefunding: refunds.some(isPending), isBoleto }),
    authorized: own.status === "requires_capture" ? own.amount_capturable : captured > 0 ? own.amount : 0,
    captured,
    refunded,
    chargedBack,
    ...(reason ? { disputeReason: reason } : {}),
    currency: own.currency.toUpperCase(),
    reference: own.metadata[REFERENCE] ?? "",
    duplicates: [],
    ...(isDeclined && error
      ? { decline: declineOf(error, brandOf(error.payment_method?.card?.brand), false, call.clock.now()) }
      : {}),
    refunds,
    payments: isBoleto && captured > 0 && charge ? [paymentOf(charge, captured)] : [],
    ...slipOf(own, call.clock.now()),
    ...(card?.authorization_code ? { authCode: card.authorization_code } : {}),
    ...(card?.capture_before ? { expiresAt: new Date(card.capture_before * 1000).toISOString() } : {}),
    raw: rawIntent(200, own),
  };
}

/** A slip that waits is shown whole; its due date is on its line. */
function slipOf({ amount, next_action: next }: Intent, now: Date): { offer?: FoundOffer } {
  const shown = next?.boleto_display_details;
  if (!shown) return {};
  const dueDate = slipDueOn(shown.number, saoPauloDay(now));
  const slip = dueDate && readSlip(shown.number, { amount, dueDate });
  if (!dueDate || !slip || slip.kind !== "slip") return {};
  const { line, barcode } = slip;
  const expiresAt = new Date(shown.expires_at * 1000).toISOString();
  return {
    offer: { amount, data: { line, barcode, dueDate, expiresAt, ...(shown.pdf ? { pdfUrl: shown.pdf } : {}) } },
  };
}

interface Sums {
  captured: number;
  refunded: number;
  chargedBack: number;
  isRefunding: boolean;
  isBoleto: boolean;
}

function stateOf(own: Intent, { captured, refunded, chargedBack, isRefunding, isBoleto }: Sums): ProviderState {
  switch (own.status) {
    case "canceled":
      // A hold that nobody captured in time, or a slip that nobody paid.
      if (own.cancellation_reason === "automatic") return "expired";
      return isBoleto ? "canceled" : "voided";
    case "requires_payment_method":
      return isBoleto ? "expired" : "declined";
    case "requires_capture":
      return "pre_authorized";
    case "succeeded":
      if (chargedBack > 0) return "charged_back";
      if (captured > 0 && refunded >= captured) return "refunded";
      return isRefunding ? "refund_pending" : "authorized";
    default:
      return "pending";
  }
}

/** The charge shows its newest refunds; the list has them all. Undefined when it did not answer. */
async function refundsOf(
  connections: Connections,
  call: CallContext,
  intentId: string,
  { refunds }: WireCharge,
): Promise<WireRefund[] | undefined> {
  if (refunds && !refunds.has_more) return refunds.data;
  const all: WireRefund[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const fields = { payment_intent: intentId, limit: PAGE, starting_after: all.at(-1)?.id };
    const read = answerOf(await send(connections, call, { method: "GET", path: "/v1/refunds", fields }), refundList);
    if (!read.ok) return undefined;
    all.push(...read.value.data);
    if (!read.value.has_more) return all;
  }
  return undefined;
}

/** What a partial capture released may stand among the refunds: nobody asked for it, and no money went back. */
const isAsked =
  (charge: WireCharge | undefined) =>
  ({ metadata, amount }: WireRefund): boolean => {
    const released = charge?.captured ? charge.amount - charge.amount_captured : 0;
    return released === 0 || amount !== released || metadata?.[REFERENCE] !== undefined;
  };

/** The newest first. Undefined when the list did not answer. */
async function disputesOf(
  connections: Connections,
  call: CallContext,
  intentId: string,
): Promise<WireDispute[] | undefined> {
  const fields = { payment_intent: intentId, limit: PAGE };
  const read = answerOf(await send(connections, call, { method: "GET", path: "/v1/disputes", fields }), disputeList);
  if (!read.ok) return undefined;
  return read.value.data.filter(({ status }) => TAKES_MONEY.has(status));
}

const STATUS: Readonly<Record<string, ProviderRefund["status"]>> = {
  succeeded: "done",
  failed: "failed",
  canceled: "failed",
};

const refundOf = (wire: WireRefund): ProviderRefund => ({
  refundId: wire.id,
  ...(wire.metadata?.[REFERENCE] ? { reference: wire.metadata[REFERENCE] } : {}),
  amount: wire.amount,
  status: STATUS[wire.status ?? ""] ?? "pending",
  at: new Date(wire.created * 1000).toISOString(),
});
const isPending = ({ status }: ProviderRefund): boolean => status === "pending";

const paymentOf = (charge: WireCharge, amount: number) => ({
  paymentId: charge.id,
  amount,
  paidAt: new Date(charge.created * 1000).toISOString(),
  surplus: false,
});
