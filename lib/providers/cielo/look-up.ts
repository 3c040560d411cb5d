import { foundNothing, type NothingFound, type Read, unanswered } from "@/lib/providers/answers";
import { answerOf, brandOf, declineOf, rawSale } from "@/lib/providers/cielo/answers";
import { salePath, send } from "@/lib/providers/cielo/call";
import { holdEnd, LATE_WINDOW_SECONDS, MOST_PIX_SECONDS } from "@/lib/providers/cielo/capabilities";
import { instantOf, stampOf } from "@/lib/providers/cielo/dates";
import type { Family } from "@/lib/providers/cielo/family";
import { offerOf } from "@/lib/providers/cielo/offers";
import { refundsOf } from "@/lib/providers/cielo/refunds";
import { STATUS } from "@/lib/providers/cielo/status";
import { sale, saleList, type WirePayment, type WireSale } from "@/lib/providers/cielo/wire";
import type { Connections } from "@/lib/providers/connections";
import type { CallContext, ProviderState, QueryInput, QueryResult } from "@/lib/providers/provider";
import { doneOf } from "@/lib/providers/refund-marks";
import { addSeconds } from "@/lib/time";

export async function query(
  family: Family,
  connections: Connections,
  call: CallContext,
  input: QueryInput,
): Promise<QueryResult> {
  const found =
    input.providerTxId === undefined
      ? await byReference(family, connections, call, input)
      : await byId(family, connections, call, input, input.providerTxId);
  if (!Array.isArray(found)) return found;
  const own = found.find(isLive) ?? found[0];
  if (!own) return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  const described = describe(own, input, call.clock.now());
  if (described.kind !== "found") return described;
  const others = found.filter((one) => one !== own && isLive(one));
  return { ...described, duplicates: others.map(({ Payment }) => Payment.PaymentId) };
}

const DEAD: readonly number[] = [STATUS.denied, STATUS.aborted, STATUS.voided, STATUS.refunded];
const isLive = ({ Payment }: WireSale): boolean => !DEAD.includes(Payment.Status);

export async function saleAt(
  family: Family,
  connections: Connections,
  call: CallContext,
  id: string,
): Promise<Read<WireSale>> {
  const read = answerOf(await send(connections, call, { method: "GET", path: salePath(family, id) }), sale);
  if (!read.ok || read.value.Payment.PaymentId === id) return read;
  return { ok: false, outcome: { kind: "undetermined", cause: "unparseable" } };
}

/** An order's number leads to the ids of all its payments, and each of them to its payment: the oldest first. */
async function byReference(
  family: Family,
  connections: Connections,
  call: CallContext,
  { reference }: QueryInput,
): Promise<WireSale[] | NothingFound> {
  const { providerReference: merchantOrderId } = reference;
  const asked = { method: "GET", path: family.sales, query: { merchantOrderId } } as const;
  const listed = answerOf(await send(connections, call, asked), saleList);
  if (!listed.ok) return isMissing(listed) ? [] : unanswered(listed.outcome);
  const ids = (listed.value?.Payments ?? listed.value?.Payment ?? []).map(({ PaymentId }) => PaymentId);
  const sales: WireSale[] = [];
  for (const id of ids) {
    const read = await saleAt(family, connections, call, id);
    // One that is named and cannot be read is not none.
    if (!read.ok) return unanswered(read.outcome);
    // Nor is one that was listed for this order and says that it is of another.
    if (read.value.MerchantOrderId !== merchantOrderId) return { kind: "unavailable" };
    sales.push(read.value);
  }
  return sales.sort((a, b) => (a.Payment.ReceivedDate ?? "").localeCompare(b.Payment.ReceivedDate ?? ""));
}

async function byId(
  family: Family,
  connections: Connections,
  call: CallContext,
  input: QueryInput,
  id: string,
): Promise<WireSale[] | NothingFound> {
  const read = await saleAt(family, connections, call, id);
  if (read.ok) return [read.value];
  return isMissing(read) ? foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now()) : unanswered(read.outcome);
}

const isMissing = (read: Extract<Read<unknown>, { ok: false }>): boolean =>
  read.outcome.kind === "rejected" && read.outcome.problem === "not_found";

function describe(own: WireSale, { refunds: known = [] }: QueryInput, now: Date): QueryResult {
  const { Payment: paid } = own;
  const captured = capturedOf(paid);
  const refunds = captured > 0 ? refundsOf(paid, known) : [];
  if (!refunds) return { kind: "unavailable" };
  const refunded = doneOf(refunds);
  const disputes = paid.Chargebacks ?? [];
  const disputed = disputes.reduce((sum, { Amount }) => sum + Amount, 0);
  const chargedBack = Math.min(disputed, captured - refunded);
  const reason = disputes.toSorted((a, b) => (a.Date ?? "").localeCompare(b.Date ?? "")).at(-1)?.ReasonMessage;
  const isRefunding = refunds.some(({ status }) => status === "pending");
  const state = captured > 0 ? takenState({ captured, refunded, chargedBack, isRefunding }) : openState(paid, now);
  const holdEndsAt = state === "pre_authorized" ? holdEndOf(paid) : undefined;
  const isHeld = state === "pre_authorized" || state === "expired" || state === "voided";
  return {
    kind: "found",
    providerTxId: paid.PaymentId,
    state,
    authorized: captured > 0 || (isCard(paid) && isHeld) ? paid.Amount : 0,
    captured,
    refunded,
    chargedBack,
    ...(chargedBack > 0 && reason ? { disputeReason: reason } : {}),
    currency: paid.Currency ?? "BRL",
    reference: own.MerchantOrderId,
    duplicates: [],
    ...(state === "declined" ? { decline: declineOf(paid, brandOf(paid.CreditCard?.Brand), false, now) } : {}),
    refunds,
    payments:
      captured > 0 && !isCard(paid)
        ? [
            {
              paymentId: paid.EndToEndId || paid.PaymentId,
              amount: captured,
              paidAt: stampOf(paid.CapturedDate ?? paid.ReceivedDate),
              surplus: false,
            },
          ]
        : [],
    ...offerOf(paid, now),
    ...(paid.ProofOfSale ? { nsu: paid.ProofOfSale } : {}),
    ...(paid.AuthorizationCode ? { authCode: paid.AuthorizationCode } : {}),
    ...(holdEndsAt ? { expiresAt: holdEndsAt.toISOString() } : {}),
    raw: rawSale(200, own),
  };
}

export const isCard = ({ Type }: WirePayment): boolean => Type !== PIX && Type !== BOLETO;
export const PIX = "Pix";
export const BOLETO = "Boleto";

function holdEndOf(paid: WirePayment): Date | undefined {
  const begunAt = instantOf(paid.ReceivedDate);
  return begunAt && holdEnd(brandOf(paid.CreditCard?.Brand), begunAt);
}

/** What was taken once, whatever went back since. */
export function capturedOf({ Status, CapturedAmount, Amount }: WirePayment): number {
  if (Status === STATUS.paid || Status === STATUS.refunded) return CapturedAmount ?? Amount;
  return Status === STATUS.voided ? (CapturedAmount ?? 0) : 0;
}

interface Taken {
  captured: number;
  refunded: number;
  chargedBack: number;
  isRefunding: boolean;
}

function takenState({ captured, refunded, chargedBack, isRefunding }: Taken): ProviderState {
  if (chargedBack > 0) return "charged_back";
  if (refunded >= captured) return "refunded";
  return isRefunding ? "refund_pending" : "authorized";
}

/** What nobody can tell the beginning of is not over. */
function openState(paid: WirePayment, now: Date): ProviderState {
  const begunAt = instantOf(paid.ReceivedDate);
  const isPast = (end: Date | undefined): boolean => end !== undefined && now >= end;
  switch (paid.Status) {
    case STATUS.authorized:
      if (!isCard(paid)) return "pending";
      return isPast(holdEndOf(paid)) ? "expired" : "pre_authorized";
    case STATUS.voided:
      return isCard(paid) ? "voided" : "canceled";
    case STATUS.denied:
    case STATUS.aborted:
      return isCard(paid) ? "declined" : "canceled";
    default:
      return paid.Type === PIX && isPast(begunAt && addSeconds(begunAt, MOST_PIX_SECONDS)) ? "expired" : "pending";
  }
}
