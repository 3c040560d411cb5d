import { exceeded, rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, rawPayment } from "@/lib/providers/mercado-pago/answers";
import { paymentPath, send } from "@/lib/providers/mercado-pago/call";
import { PIX_REFUND_DAYS } from "@/lib/providers/mercado-pago/capabilities";
import { capturedOf, isCard, refundOf, refundsOf } from "@/lib/providers/mercado-pago/look-up";
import { decimalOf } from "@/lib/providers/mercado-pago/money";
import { payment, refund as refundAnswer, type WirePayment } from "@/lib/providers/mercado-pago/wire";
import type {
  CallContext,
  CaptureInput,
  CardCapture,
  Outcome,
  ProviderRefund,
  Refunded,
  RefundInput,
  Voided,
} from "@/lib/providers/provider";
import { markName, marksIn, markText, takenBy } from "@/lib/providers/refund-marks";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export async function capture(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, authorized }: CaptureInput,
): Promise<Outcome<CardCapture>> {
  if (amount > authorized) return exceeded("capture", amount, authorized);
  const body = { capture: true, transaction_amount: decimalOf(amount) };
  const path = paymentPath(providerTxId);
  const read = answerOf(await send(connections, call, { method: "PUT", path, body }), payment);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== providerTxId || value.status !== "approved") return unreadable(status);
  const raw = rawPayment(status, value);
  const got = value.transaction_amount;
  if (got !== amount) {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: String(got), providerTxId, raw };
  }
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount, providerTxId, data: { captured: amount, released: authorized - amount }, raw };
}

/** A hold, a Pix or a slip that is not paid. One that was canceled before is a work done. */
export async function cancel(
  connections: Connections,
  call: CallContext,
  providerTxId: string,
  amount?: number,
): Promise<Outcome<Voided>> {
  const path = paymentPath(providerTxId);
  let read = answerOf(await send(connections, call, { method: "PUT", path, body: { status: "cancelled" } }), payment);
  if (!read.ok && read.outcome.kind === "rejected" && read.outcome.problem === "invalid_state") {
    const now = answerOf(await send(connections, call, { method: "GET", path }), payment);
    if (now.ok && now.value.status === "cancelled") read = now;
  }
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== providerTxId || value.status !== "cancelled") return unreadable(status);
  const at = call.clock.now().toISOString();
  const voided = amount ?? value.transaction_amount;
  return { kind: "approved", at, amount: voided, providerTxId, data: { voided }, raw: rawPayment(status, value) };
}

/** Marked first, then asked for: what is there afterwards tells whether it was done. */
export async function refund(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, captured, alreadyRefunded }: RefundInput,
): Promise<Outcome<Refunded>> {
  if (amount > captured - alreadyRefunded) return exceeded("refund", amount, captured - alreadyRefunded);
  const path = paymentPath(providerTxId);
  const before = answerOf(await send(connections, call, { method: "GET", path }), payment);
  if (!before.ok) return before.outcome;
  const own = before.value;
  const refused = own.id === providerTxId ? refundProblem(call, own) : unreadable(before.status);
  if (refused) return refused;
  const known = refundsOf(own);
  if (!known) return unreadable(before.status);
  const { providerReference } = call.ref;
  const earlier = known.find(({ reference }) => reference === providerReference);
  if (earlier) return refundOutcome(call, own, earlier, before.status);
  const taken = takenBy(known);
  if (amount > capturedOf(own) - taken) return exceeded("refund", amount, capturedOf(own) - taken);
  const name = markName(providerReference);
  if (!marksIn(own.metadata ?? {}).some(({ reference }) => reference === providerReference)) {
    const mark = markText({ before: taken, amount, at: call.clock.now().getTime() });
    const body = { metadata: { ...own.metadata, [name]: mark } };
    const marked = answerOf(await send(connections, call, { method: "PUT", path, body, step: "mark" }), payment);
    if (!marked.ok) return marked.outcome;
    if (marked.value.metadata?.[name] !== mark) return unreadable(marked.status);
  }
  const body = { amount: decimalOf(amount) };
  const asking = { method: "POST", path: paymentPath(providerTxId, "refunds"), body } as const;
  const read = answerOf(await send(connections, call, asking), refundAnswer);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.amount !== amount) {
    const raw = { status, headers: {}, body: { id: value.id, amount: value.amount } };
    return {
      kind: "mismatch",
      field: "amount",
      expected: String(amount),
      got: String(value.amount),
      providerTxId,
      raw,
    };
  }
  return refundOutcome(call, own, refundOf(value), status);
}

function refundProblem(call: CallContext, own: WirePayment): Outcome<never> | undefined {
  if (capturedOf(own) === 0) return rejected("invalid_state", "nothing was taken");
  if (isCard(own)) return undefined;
  if (own.payment_method_id !== "pix") return rejected("unsupported", "the money of a slip is not given back here");
  const since = new Date(own.date_approved ?? own.date_created);
  const isLate = call.clock.now() > addSeconds(since, PIX_REFUND_DAYS * DAY_SECONDS);
  return isLate ? rejected("invalid_state", `a Pix is given back within ${PIX_REFUND_DAYS} days`) : undefined;
}

function refundOutcome(
  call: CallContext,
  own: WirePayment,
  done: Omit<ProviderRefund, "reference">,
  status: number,
): Outcome<Refunded> {
  const { refundId, amount } = done;
  const raw = { status, headers: {}, body: { id: refundId, amount, status: done.status, payment_id: own.id } };
  const { id: providerTxId } = own;
  if (done.status === "failed") {
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: "refund failed", providerTxId, raw };
  }
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount, providerTxId, data: { refundId, refunded: amount, status: done.status }, raw };
}
