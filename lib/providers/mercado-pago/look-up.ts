import { foundNothing, type NothingFound, unanswered } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, declineOf, rawPayment } from "@/lib/providers/mercado-pago/answers";
import { holdEnd } from "@/lib/providers/mercado-pago/authorize";
import { paymentPath, send } from "@/lib/providers/mercado-pago/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/mercado-pago/capabilities";
import { BOLETO, offerOf, PIX } from "@/lib/providers/mercado-pago/open-payments";
import { payment, paymentList, type WirePayment, type WireRefund } from "@/lib/providers/mercado-pago/wire";
import type { CallContext, ProviderRefund, ProviderState, QueryInput, QueryResult } from "@/lib/providers/provider";
import { attributed, doneOf, type Listed, marksIn } from "@/lib/providers/refund-marks";

export async function query(connections: Connections, call: CallContext, input: QueryInput): Promise<QueryResult> {
  const found =
    input.providerTxId === undefined
      ? await byReference(connections, call, input)
      : await byId(connections, call, input, input.providerTxId);
  if (!Array.isArray(found)) return found;
  const own = found.find(isLive) ?? found[0];
  if (!own) return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  const described = describe(own, call.clock.now());
  if (described.kind !== "found") return described;
  return { ...described, duplicates: found.filter((one) => one !== own && isLive(one)).map(({ id }) => id) };
}

const isLive = ({ status }: WirePayment): boolean => status !== "rejected" && status !== "cancelled";

/** Our reference is its external reference: all of them, the oldest first. */
async function byReference(
  connections: Connections,
  call: CallContext,
  input: QueryInput,
): Promise<WirePayment[] | NothingFound> {
  const { providerReference } = input.reference;
  const asked = { external_reference: providerReference, sort: "date_created", criteria: "asc" };
  const path = "/v1/payments/search";
  const read = answerOf(await send(connections, call, { method: "GET", path, query: asked }), paymentList);
  if (!read.ok) return unanswered(read.outcome);
  return read.value.results
    .filter((one) => one.external_reference === providerReference)
    .sort((a, b) => a.date_created.localeCompare(b.date_created));
}

async function byId(
  connections: Connections,
  call: CallContext,
  input: QueryInput,
  id: string,
): Promise<WirePayment[] | NothingFound> {
  const read = answerOf(await send(connections, call, { method: "GET", path: paymentPath(id) }), payment);
  if (read.ok) return read.value.id === id ? [read.value] : { kind: "unavailable" };
  const { outcome } = read;
  const isMissing = outcome.kind === "rejected" && outcome.problem === "not_found";
  return isMissing ? foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now()) : unanswered(outcome);
}

function describe(own: WirePayment, now: Date): QueryResult {
  const captured = capturedOf(own);
  const refunds = refundsOf(own);
  if (!refunds) return { kind: "unavailable" };
  const refunded = doneOf(refunds);
  const chargedBack = isDisputed(own) ? captured - refunded : 0;
  const isRefunding = refunds.some(({ status }) => status === "pending");
  return {
    kind: "found",
    providerTxId: own.id,
    state: stateOf(own, { captured, refunded, chargedBack, isRefunding, now }),
    authorized: own.status === "authorized" || captured > 0 ? own.transaction_amount : 0,
    captured,
    refunded,
    chargedBack,
    currency: own.currency_id,
    reference: own.external_reference ?? "",
    duplicates: [],
    ...(own.status === "rejected" ? { decline: declineOf(own.status_detail ?? "") } : {}),
    refunds,
    payments:
      captured > 0 && !isCard(own)
        ? [
            {
              paymentId: own.id,
              amount: captured,
              paidAt: new Date(own.date_approved ?? own.date_created).toISOString(),
              surplus: false,
            },
          ]
        : [],
    ...offerOf(own, now),
    ...(own.authorization_code ? { authCode: own.authorization_code } : {}),
    ...(own.status === "authorized" ? { expiresAt: holdEnd(own).toISOString() } : {}),
    raw: rawPayment(200, own),
  };
}

const OPEN_TYPES: readonly unknown[] = ["bank_transfer", "ticket"];
const OPEN_METHODS: readonly string[] = [PIX, BOLETO];

export const isCard = ({ payment_type_id: type, payment_method_id: method }: WirePayment): boolean =>
  !OPEN_METHODS.includes(method) && !OPEN_TYPES.includes(type);

/** A dispute that was won leaves the status as it is: its detail says that the money came back. */
const isDisputed = ({ status, status_detail: detail }: WirePayment): boolean =>
  status === "charged_back" && detail !== "reimbursed";

const TAKEN: ReadonlySet<WirePayment["status"]> = new Set(["approved", "in_mediation", "refunded", "charged_back"]);

export const capturedOf = (own: WirePayment): number => (TAKEN.has(own.status) ? own.transaction_amount : 0);

interface Told {
  captured: number;
  refunded: number;
  chargedBack: number;
  isRefunding: boolean;
  now: Date;
}

function stateOf(own: WirePayment, { captured, refunded, chargedBack, isRefunding, now }: Told): ProviderState {
  if (captured > 0) {
    if (chargedBack > 0) return "charged_back";
    if (refunded >= captured) return "refunded";
    return isRefunding ? "refund_pending" : "authorized";
  }
  switch (own.status) {
    case "rejected":
      return isCard(own) ? "declined" : "canceled";
    case "cancelled":
      if (own.status_detail === "expired") return "expired";
      return isCard(own) ? "voided" : "canceled";
    case "authorized":
      return "pre_authorized";
    default: {
      const end = own.payment_method_id === PIX ? own.date_of_expiration : null;
      return end && now >= new Date(end) ? "expired" : "pending";
    }
  }
}

const REFUND_STATUS: Readonly<Record<string, ProviderRefund["status"]>> = {
  approved: "done",
  rejected: "failed",
  cancelled: "failed",
};

/** Each with the reference of who asked for it; undefined where the list and the sum disagree. */
export function refundsOf(own: WirePayment): ProviderRefund[] | undefined {
  const listed = (own.refunds ?? [])
    .toSorted((a, b) => (a.date_created ?? "").localeCompare(b.date_created ?? ""))
    .map(refundOf);
  if (doneOf(listed) !== (own.transaction_amount_refunded ?? 0)) return undefined;
  return attributed(listed, marksIn(own.metadata ?? {}));
}

export const refundOf = ({ id, amount, status, date_created: at }: WireRefund): Listed => ({
  refundId: id,
  amount,
  status: REFUND_STATUS[status ?? ""] ?? "pending",
  at: new Date(at ?? 0).toISOString(),
});
