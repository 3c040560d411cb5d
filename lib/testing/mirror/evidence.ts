import type { Brand } from "@/lib/brazil/card-brand";
import type { ProviderEvent } from "@/lib/providers/notification";
import type {
  CallContext,
  FoundTransaction,
  ProviderRefund,
  ProviderState,
  QueryInput,
  QueryResult,
} from "@/lib/providers/provider";
import { declineOf } from "@/lib/testing/mirror/answers";
import { brandOfWire } from "@/lib/testing/mirror/brand";
import { type MirrorEvent, mirrorEvent } from "@/lib/testing/mirror/wire";

/** MIRROR can be asked nothing: what it told by itself is all there is. */
export async function queryEvidence(call: CallContext, { providerTxId }: QueryInput): Promise<QueryResult> {
  const { apiKey } = call.credentials.reveal();
  const events = (await call.evidence()).flatMap(eventOf).filter(({ account }) => account === accountOf(apiKey ?? ""));
  const isOfPayment = call.ref.operation === "authorize";
  const about = isOfPayment ? events : events.filter((event) => isAnswer(event, call.ref.providerReference));
  if (about.length === 0) return { kind: "not_found_yet" };
  const ids = [...new Set(events.flatMap(({ transactionId }) => transactionId ?? []))];
  const folded = ids.map((id) => fold(events.filter(({ transactionId }) => transactionId === id)));
  const own = folded.find((one) => one.providerTxId === providerTxId) ?? folded[0];
  if (!own || (isOfPayment && own.state === "pending" && !events.some(({ type }) => type === "PENDING"))) {
    return { kind: "not_found_yet" };
  }
  const others = folded.filter((one) => one !== own && one.state !== "voided" && one.state !== "declined");
  const decline = events.findLast((event) => event.transactionId === own.providerTxId && event.decline);
  const refused = isOfPayment ? undefined : about.findLast(({ type, success }) => type !== "REFUND" && !success);
  return {
    ...own,
    duplicates: others.map((one) => one.providerTxId),
    ...(decline ? { decline: declineOf(decline.decline, brandOf(decline), false, call.clock.now()) } : {}),
    ...(refused ? { refused: { reason: refused.reason ?? "refused" } } : {}),
  };
}

/** The account behind a key, as notifications name it. */
export const accountOf = (apiKey: string): string => `account-${apiKey.length}-${apiKey.slice(-5)}`;

/** A hold that has lapsed answers every change that was asked of it. */
const isAnswer = (event: MirrorEvent, reference: string): boolean =>
  event.reference === reference || event.type === "EXPIRE";

function eventOf({ raw }: ProviderEvent): MirrorEvent[] {
  const parsed = mirrorEvent.safeParse(raw.body);
  return parsed.success ? [parsed.data] : [];
}

const brandOf = ({ brand }: MirrorEvent): Brand => brandOfWire(brand ?? "");

/** The state after all that was told, in whatever order it came. */
function fold(events: readonly MirrorEvent[]): FoundTransaction {
  const first = events.find(({ type }) => type === "PAYMENT") ?? events[0];
  if (!first) throw new Error("nothing was told of this transaction");
  const done = (type: MirrorEvent["type"]) => events.filter((event) => event.type === type && event.success);
  const payment = events.find(({ type }) => type === "PAYMENT");
  const lost = events.find(
    (event) => event.type === "CAPTURE" && !event.success && done("CAPTURE").some(isOfSame(event)),
  );
  const [capture] = lost ? [] : done("CAPTURE");
  const captured = capture?.amount ?? (payment?.captured ? payment.amount : 0);
  const refunds = refundsOf(events);
  const refunded = refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);
  const disputes = done("CHARGEBACK").length - done("CHARGEBACK_REVERSED").length;
  const chargedBack = disputes > 0 ? (done("CHARGEBACK").at(-1)?.amount ?? 0) : 0;
  return {
    kind: "found",
    providerTxId: first.transactionId ?? "",
    state: stateOf({
      isDeclined: payment?.success === false,
      isPending: payment === undefined && capture === undefined,
      isCanceled: done("CANCELLATION").length > 0,
      isExpired: done("EXPIRE").length > 0 && captured === 0,
      captured,
      refunded,
      isRefunding: refunds.some(({ status }) => status === "pending"),
      chargedBack,
    }),
    authorized: payment?.success ? payment.amount : 0,
    captured,
    refunded,
    chargedBack,
    currency: first.currency,
    reference: first.paymentReference ?? first.reference,
    duplicates: [],
    refunds,
    ...(lost ? { captureFailed: { captureId: lost.reference, reason: lost.reason ?? lost.type } } : {}),
    payments: [],
    ...(payment?.nsu ? { nsu: payment.nsu } : {}),
    ...(payment?.authCode ? { authCode: payment.authCode } : {}),
    ...(payment?.expiresAt ? { expiresAt: payment.expiresAt } : {}),
    raw: { headers: {}, body: { events: events.map(({ type, success }) => ({ type, success })) } },
  };
}

const isOfSame =
  ({ reference }: MirrorEvent) =>
  (other: MirrorEvent): boolean =>
    other.reference === reference;

interface Told {
  isDeclined: boolean;
  isPending: boolean;
  isCanceled: boolean;
  isExpired: boolean;
  captured: number;
  refunded: number;
  isRefunding: boolean;
  chargedBack: number;
}

function stateOf(told: Told): ProviderState {
  if (told.isCanceled) return "voided";
  if (told.isExpired) return "expired";
  if (told.isDeclined) return "declined";
  if (told.chargedBack > 0) return "charged_back";
  if (told.captured > 0 && told.refunded >= told.captured) return "refunded";
  if (told.isRefunding) return "refund_pending";
  if (told.captured > 0) return "authorized";
  return told.isPending ? "pending" : "pre_authorized";
}

/** The last word on each refund. */
function refundsOf(events: readonly MirrorEvent[]): ProviderRefund[] {
  const refunds = new Map<string, ProviderRefund>();
  for (const event of events.filter(({ type }) => type === "REFUND")) {
    const refundId = event.refundId ?? event.reference;
    const isLate = event.isPending && refunds.has(refundId);
    if (isLate) continue;
    refunds.set(refundId, {
      refundId,
      reference: event.reference,
      amount: event.amount,
      status: event.isPending ? "pending" : event.success ? "done" : "failed",
      at: event.createdAt,
    });
  }
  return [...refunds.values()];
}
