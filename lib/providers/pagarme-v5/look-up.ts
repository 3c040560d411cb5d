import { foundNothing, type NothingFound, unanswered } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, brandOf, declineOf, rawCharge } from "@/lib/providers/pagarme-v5/answers";
import { holdEnd, isHeld } from "@/lib/providers/pagarme-v5/authorize";
import { type Asking, chargePath, REFERENCE, send } from "@/lib/providers/pagarme-v5/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/pagarme-v5/capabilities";
import { offerOf } from "@/lib/providers/pagarme-v5/open-payments";
import {
  charge,
  orderList,
  payableList,
  transactionList,
  type WireCharge,
  type WireTransaction,
} from "@/lib/providers/pagarme-v5/wire";
import type { CallContext, ProviderRefund, ProviderState, QueryInput, QueryResult } from "@/lib/providers/provider";
import { attributed, doneOf, type Listed, marksIn } from "@/lib/providers/refund-marks";

const PAGE = "30";

export async function query(connections: Connections, call: CallContext, input: QueryInput): Promise<QueryResult> {
  const known = input.providerTxId === undefined ? await byCode(connections, call, input) : [input.providerTxId];
  if (!Array.isArray(known)) return known;
  const charges = await Promise.all(known.map((id) => readCharge(connections, call, input, id)));
  const failed = charges.find((one): one is { kind: "nothing"; nothing: NothingFound } => one.kind === "nothing");
  if (failed) return failed.nothing;
  const found = charges.flatMap((one) => (one.kind === "charge" ? [one.charge] : []));
  const own = found.find(isLive) ?? found[0];
  if (!own) return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  const described = await describe(connections, call, own);
  if (described.kind !== "found") return described;
  return { ...described, duplicates: found.filter((one) => one !== own && isLive(one)).map(({ id }) => id) };
}

/** Holds or has money, or still may. */
const isLive = (one: WireCharge): boolean => one.status !== "failed" && one.status !== "canceled";

/** The code of an order is our reference: its charges, the oldest first. */
async function byCode(
  connections: Connections,
  call: CallContext,
  input: QueryInput,
): Promise<string[] | NothingFound> {
  const code = input.reference.providerReference;
  const read = answerOf(
    await send(connections, call, { method: "GET", path: "/orders", query: { code, size: PAGE } }),
    orderList,
  );
  if (!read.ok) return unanswered(read.outcome);
  const orders = read.value.data.filter((one) => one.code === code);
  // An order is made with its payment: one without is an answer that cannot be read, and not that nothing is there.
  if (orders.some(({ charges }) => !charges?.length)) return { kind: "unavailable" };
  return orders
    .flatMap(({ charges }) => charges ?? [])
    .sort((a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? ""))
    .map(({ id }) => id);
}

type Found = { kind: "charge"; charge: WireCharge } | { kind: "nothing"; nothing: NothingFound };

async function readCharge(connections: Connections, call: CallContext, input: QueryInput, id: string): Promise<Found> {
  const read = answerOf(await send(connections, call, { method: "GET", path: chargePath(id) }), charge);
  if (read.ok) {
    return read.value.id === id
      ? { kind: "charge", charge: read.value }
      : { kind: "nothing", nothing: { kind: "unavailable" } };
  }
  const { outcome } = read;
  const isMissing = outcome.kind === "rejected" && outcome.problem === "not_found";
  const nothing = isMissing ? foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now()) : unanswered(outcome);
  return { kind: "nothing", nothing };
}

async function describe(connections: Connections, call: CallContext, own: WireCharge): Promise<QueryResult> {
  const captured = capturedOf(own);
  const refunds = await refundsOf(connections, call, own);
  const chargedBack = own.status === "chargedback" ? await chargedBackOf(connections, call, own, captured) : 0;
  const paymentId = captured > 0 ? await paymentIdOf(connections, call, own) : own.id;
  if (!refunds || chargedBack === undefined || paymentId === undefined) return { kind: "unavailable" };
  const refunded = doneOf(refunds);
  const last = own.last_transaction;
  const brand = brandOf(last?.card?.brand);
  const paidAt = own.paid_at ?? last?.created_at ?? own.created_at;
  return {
    kind: "found",
    providerTxId: own.id,
    state: stateOf(own, {
      captured,
      refunded,
      chargedBack,
      isRefunding: refunds.some(isPending),
      now: call.clock.now(),
    }),
    authorized: isHeld(own) ? (last?.amount ?? 0) : captured > 0 ? own.amount : 0,
    captured,
    refunded,
    chargedBack,
    currency: own.currency,
    reference: referenceOf(own),
    duplicates: [],
    ...(own.status === "failed" && last && isCard(own)
      ? { decline: declineOf(last, brand, false, call.clock.now()) }
      : {}),
    refunds,
    payments:
      captured > 0 && !isCard(own)
        ? [
            {
              paymentId,
              amount: captured,
              paidAt: new Date(paidAt).toISOString(),
              surplus: false,
            },
          ]
        : [],
    ...offerOf(own, call.clock.now()),
    ...(last?.acquirer_nsu ? { nsu: last.acquirer_nsu } : {}),
    ...(last?.acquirer_auth_code ? { authCode: last.acquirer_auth_code } : {}),
    ...expiryOf(own),
    raw: rawCharge(200, own),
  };
}

function referenceOf({ metadata, order }: WireCharge): string {
  const told = metadata?.[REFERENCE];
  return typeof told === "string" ? told : (order?.code ?? "");
}

export const isCard = ({ payment_method: method }: WireCharge): boolean => method !== "pix" && method !== "boleto";

const TAKEN: ReadonlySet<WireCharge["status"]> = new Set(["paid", "overpaid", "underpaid", "chargedback"]);

/** What was taken: of a payment that was given back whole, its status says no more, but its amount does. */
export const capturedOf = ({ status, paid_amount: paid }: WireCharge): number =>
  TAKEN.has(status) || status === "canceled" ? (paid ?? 0) : 0;

function expiryOf(own: WireCharge): { expiresAt?: string } {
  if (isHeld(own)) return { expiresAt: holdEnd(own).toISOString() };
  const end = own.last_transaction?.expires_at;
  return own.payment_method === "pix" && end ? { expiresAt: new Date(end).toISOString() } : {};
}

interface Told {
  captured: number;
  refunded: number;
  chargedBack: number;
  isRefunding: boolean;
  now: Date;
}

function stateOf(own: WireCharge, { captured, refunded, chargedBack, isRefunding, now }: Told): ProviderState {
  if (captured > 0) {
    if (chargedBack > 0) return "charged_back";
    if (refunded >= captured) return "refunded";
    return isRefunding ? "refund_pending" : "authorized";
  }
  const end = own.last_transaction?.expires_at;
  switch (own.status) {
    case "failed":
      return isCard(own) ? "declined" : "expired";
    case "canceled":
      if (isCard(own)) return isCancel(own.last_transaction) ? "voided" : "expired";
      return "canceled";
    case "pending":
      if (isHeld(own)) return "pre_authorized";
      return own.payment_method === "pix" && end && now >= new Date(end) ? "expired" : "pending";
    default:
      return "pending";
  }
}

const CANCEL = "cancel";
const isCancel = (last: WireCharge["last_transaction"]): boolean => last?.operation_type === CANCEL;

const REFUND_STATUS: Readonly<Record<string, ProviderRefund["status"]>> = {
  refunded: "done",
  partial_refunded: "done",
  voided: "done",
  partial_void: "done",
  waiting_cancellation: "pending",
  pending_refund: "pending",
  error_on_refunding: "failed",
  error_on_voiding: "failed",
  with_error: "failed",
  failed: "failed",
};
const isPending = ({ status }: ProviderRefund): boolean => status === "pending";

/** One name for one payment at all times: once a Pix is given back, the newest transaction is that of the refund. */
async function paymentIdOf(connections: Connections, call: Asking, own: WireCharge): Promise<string | undefined> {
  const { last_transaction: last } = own;
  if (own.payment_method !== "pix" || !isCancel(last)) return last?.end_to_end_id ?? own.id;
  const all = await transactionsOf(connections, call, own);
  return all && (all.find((one) => !isCancel(one) && one.end_to_end_id)?.end_to_end_id ?? own.id);
}

async function transactionsOf(
  connections: Connections,
  call: Asking,
  { id }: WireCharge,
): Promise<WireTransaction[] | undefined> {
  const request = { method: "GET", path: chargePath(id, "transactions"), query: { size: "100" } } as const;
  const read = answerOf(await send(connections, call, request), transactionList);
  return read.ok ? read.value.data : undefined;
}

/**
 * Every refund of a payment that was taken, each with the reference of who asked for it. Undefined when the provider did
 * not answer, or when its list and its sum disagree.
 */
export async function refundsOf(
  connections: Connections,
  call: Asking,
  own: WireCharge,
): Promise<ProviderRefund[] | undefined> {
  const marks = marksIn(own.metadata ?? {});
  const captured = capturedOf(own);
  const returned = own.canceled_amount ?? 0;
  if (captured === 0 || (marks.length === 0 && returned === 0 && own.pending_cancellation !== true)) return [];
  const all = await transactionsOf(connections, call, own);
  if (!all) return undefined;
  const listed = all
    .filter((one) => isCancel(one))
    .sort((a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? ""))
    .map(refundOf);
  // What a partial capture gave up may stand in the sum too.
  const done = doneOf(listed);
  return done === returned || done + (own.amount - captured) === returned ? attributed(listed, marks) : undefined;
}

const refundOf = (one: WireTransaction): Listed => ({
  refundId: one.id,
  amount: one.amount ?? 0,
  status: REFUND_STATUS[one.status ?? ""] ?? "pending",
  at: new Date(one.created_at ?? 0).toISOString(),
});

/** Its receivables say how much a dispute took; where it keeps none, the whole sale. */
async function chargedBackOf(
  connections: Connections,
  call: Asking,
  own: WireCharge,
  captured: number,
): Promise<number | undefined> {
  const query = { charge_id: own.id, size: "1000" };
  const read = answerOf(await send(connections, call, { method: "GET", path: "/payables", query }), payableList);
  if (!read.ok) return undefined;
  const taken = read.value.data.filter(({ type }) => type === "chargeback");
  return taken.length === 0 ? captured : taken.reduce((sum, { amount }) => sum + Math.abs(amount), 0);
}
