import { exceeded, rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, rawCharge } from "@/lib/providers/pagarme-v5/answers";
import { chargePath, send } from "@/lib/providers/pagarme-v5/call";
import { PIX_REFUND_DAYS } from "@/lib/providers/pagarme-v5/capabilities";
import { capturedOf, isCard, refundsOf } from "@/lib/providers/pagarme-v5/look-up";
import { splitOf, splitProblem } from "@/lib/providers/pagarme-v5/split";
import { charge, metadataAnswer, type WireCharge } from "@/lib/providers/pagarme-v5/wire";
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
  { providerTxId, amount, authorized, split }: CaptureInput,
): Promise<Outcome<CardCapture>> {
  if (amount > authorized) return exceeded("capture", amount, authorized);
  const wrong = splitProblem(split, amount);
  if (wrong) return wrong;
  const lines = await splitOf(connections, call, split);
  if (!lines.ok) return lines.outcome;
  const body = { amount, operation_reference: call.ref.providerReference, ...lines.split };
  const path = chargePath(providerTxId, "capture");
  const read = answerOf(await send(connections, call, { method: "POST", path, body }), charge);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== providerTxId || value.status !== "paid") return unreadable(status);
  const raw = rawCharge(status, value);
  const got = value.paid_amount ?? 0;
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
  const body = { operation_reference: call.ref.providerReference };
  const exchange = await send(connections, call, { method: "DELETE", path: chargePath(providerTxId), body });
  let read = answerOf(exchange, charge);
  if (!read.ok && read.outcome.kind === "rejected" && read.outcome.problem === "invalid_state") {
    const now = answerOf(await send(connections, call, { method: "GET", path: chargePath(providerTxId) }), charge);
    if (now.ok && now.value.status === "canceled" && capturedOf(now.value) === 0) read = now;
  }
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== providerTxId || value.status !== "canceled" || capturedOf(value) > 0) return unreadable(status);
  const at = call.clock.now().toISOString();
  const voided = amount ?? value.amount;
  return { kind: "approved", at, amount: voided, providerTxId, data: { voided }, raw: rawCharge(status, value) };
}

/** Marked first, then asked for: what is there afterwards tells whether it was done. */
export async function refund(
  connections: Connections,
  call: CallContext,
  input: RefundInput,
): Promise<Outcome<Refunded>> {
  const { providerTxId, amount, captured, alreadyRefunded, split } = input;
  if (amount > captured - alreadyRefunded) return exceeded("refund", amount, captured - alreadyRefunded);
  const wrong = splitProblem(split, amount);
  if (wrong) return wrong;
  const path = chargePath(providerTxId);
  const before = answerOf(await send(connections, call, { method: "GET", path }), charge);
  if (!before.ok) return before.outcome;
  const own = before.value;
  const refused = own.id === providerTxId ? refundProblem(call, own) : unreadable(before.status);
  if (refused) return refused;
  const known = await refundsOf(connections, call, own);
  if (!known) return unreadable(before.status);
  const { providerReference } = call.ref;
  const earlier = known.find(({ reference }) => reference === providerReference);
  if (earlier) return refundOutcome(call, own, earlier, before.status);
  const taken = takenBy(known);
  if (amount > capturedOf(own) - taken) return exceeded("refund", amount, capturedOf(own) - taken);
  const isMarked = marksIn(own.metadata ?? {}).some(({ reference }) => reference === providerReference);
  if (!isMarked) {
    const mark = markText({ before: taken, amount, at: call.clock.now().getTime() });
    const metadata = { ...own.metadata, [markName(providerReference)]: mark };
    const marking = { method: "PATCH", path: `${path}/metadata`, body: { metadata }, step: "mark" } as const;
    const marked = answerOf(await send(connections, call, marking), metadataAnswer);
    if (!marked.ok) return marked.outcome;
    if (marked.value.metadata[markName(providerReference)] !== mark) return unreadable(marked.status);
  }
  const lines = await splitOf(connections, call, split);
  if (!lines.ok) return lines.outcome;
  const body = { amount, operation_reference: providerReference, ...lines.split };
  const read = answerOf(await send(connections, call, { method: "DELETE", path, body }), charge);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const last = value.last_transaction;
  if (value.id !== providerTxId || !last || last.operation_type !== "cancel") return unreadable(status);
  const now = await refundsOf(connections, call, value);
  const ours = now?.find(({ reference }) => reference === providerReference);
  return ours ? refundOutcome(call, value, ours, status) : unreadable(status);
}

function refundProblem(call: CallContext, own: WireCharge): Outcome<never> | undefined {
  if (own.payment_method === "boleto") return rejected("unsupported", "the money of a slip is not given back here");
  if (capturedOf(own) === 0) return rejected("invalid_state", "nothing was taken");
  const since = own.paid_at ? new Date(own.paid_at) : undefined;
  const isLate = !isCard(own) && since && call.clock.now() > addSeconds(since, PIX_REFUND_DAYS * DAY_SECONDS);
  return isLate ? rejected("invalid_state", `a Pix is given back within ${PIX_REFUND_DAYS} days`) : undefined;
}

function refundOutcome(call: CallContext, own: WireCharge, done: ProviderRefund, status: number): Outcome<Refunded> {
  const raw = rawCharge(status, own);
  const { id: providerTxId } = own;
  if (done.status === "failed") {
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: "refund failed", providerTxId, raw };
  }
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount: done.amount,
    providerTxId,
    data: { refundId: done.refundId, refunded: done.amount, status: done.status },
    raw,
  };
}
