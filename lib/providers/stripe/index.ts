import { exceeded, rejected, unreadable, unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import type {
  CallContext,
  CaptureInput,
  CardCapture,
  Outcome,
  PaymentProvider,
  Refunded,
  RefundInput,
  Voided,
} from "@/lib/providers/provider";
import { answerOf, rawIntent } from "@/lib/providers/stripe/answers";
import { authorize } from "@/lib/providers/stripe/authorize";
import { createBoleto } from "@/lib/providers/stripe/boleto";
import { CHARGE, intentPath, REFERENCE, send } from "@/lib/providers/stripe/call";
import { STRIPE_CAPABILITIES } from "@/lib/providers/stripe/capabilities";
import { connect } from "@/lib/providers/stripe/connect";
import { query } from "@/lib/providers/stripe/look-up";
import { parseWebhook } from "@/lib/providers/stripe/webhook";
import { errorAnswer, plainIntent, refundAnswer } from "@/lib/providers/stripe/wire";

/** Stripe: an intent is made, its id noted, and only then confirmed (spec/providers.md section 3). */
export function stripeProvider(connections: Connections): PaymentProvider {
  return {
    kind: "STRIPE",
    capabilities: STRIPE_CAPABILITIES,
    validateCredentials: credentialsOf("STRIPE"),
    attemptReference: (attemptId) => attemptId,
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    authorize: (call, input) => authorize(connections, call, input),
    capture: (call, input) => capture(connections, call, input),
    void: (call, { providerTxId, state, amount }) =>
      state === "authorized"
        ? Promise.resolve(rejected("invalid_state", "captured money is refunded"))
        : cancel(connections, call, providerTxId, amount),
    refund: (call, input) => refund(connections, call, input),
    query: (call, input) => query(connections, call, input),
    createPix: unsupported("Pix is not offered through this provider"),
    createBoleto: (call, input) => createBoleto(connections, call, input),
    createWallet: unsupported("wallets are not offered through this provider"),
    cancelOpen: (call, { providerTxId }) => cancel(connections, call, providerTxId),
    connect: (call) => connect(connections, call),
    parseWebhook,
  };
}

async function capture(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, authorized }: CaptureInput,
): Promise<Outcome<CardCapture>> {
  if (amount > authorized) return exceeded("capture", amount, authorized);
  const exchange = await send(connections, call, {
    method: "POST",
    path: intentPath(providerTxId, "capture"),
    fields: { amount_to_capture: amount },
    step: "capture",
  });
  const read = answerOf(exchange, plainIntent);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== providerTxId || value.status !== "succeeded") return unreadable(status);
  const raw = rawIntent(status, value);
  const got = value.amount_received;
  if (got !== amount) {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: String(got), providerTxId, raw };
  }
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount, providerTxId, data: { captured: amount, released: authorized - amount }, raw };
}

/** A hold, or a slip that is not paid. One that was canceled before is a work done. */
async function cancel(
  connections: Connections,
  call: CallContext,
  providerTxId: string,
  amount?: number,
): Promise<Outcome<Voided>> {
  const exchange = await send(connections, call, {
    method: "POST",
    path: intentPath(providerTxId, "cancel"),
    step: "cancel",
  });
  const refusal = exchange.kind === "answered" ? errorAnswer.safeParse(exchange.body) : undefined;
  const known = refusal?.success ? refusal.data.error.payment_intent : undefined;
  const read = known?.status === "canceled" ? { ok: true as const, value: known, status: 200 } : undefined;
  const answer = read ?? answerOf(exchange, plainIntent);
  if (!answer.ok) return answer.outcome;
  const { value, status } = answer;
  if (value.id !== providerTxId || value.status !== "canceled") return unreadable(status);
  const at = call.clock.now().toISOString();
  const voided = amount ?? value.amount;
  return { kind: "approved", at, amount: voided, providerTxId, data: { voided }, raw: rawIntent(status, value) };
}

async function refund(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, captured, alreadyRefunded }: RefundInput,
): Promise<Outcome<Refunded>> {
  const left = captured - alreadyRefunded;
  if (amount > left) return exceeded("refund", amount, left);
  const exchange = await send(connections, call, {
    method: "POST",
    path: "/v1/refunds",
    fields: {
      payment_intent: providerTxId,
      amount,
      metadata: { [REFERENCE]: call.ref.providerReference, [CHARGE]: call.chargeId },
    },
    step: "refund",
  });
  const read = answerOf(exchange, refundAnswer);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.payment_intent !== providerTxId) return unreadable(status);
  const body = { id: value.id, status: value.status, amount: value.amount, currency: value.currency };
  const raw = { status, headers: {}, body };
  if (value.amount !== amount) {
    const amounts = { expected: String(amount), got: String(value.amount) };
    return { kind: "mismatch", field: "amount", ...amounts, providerTxId, raw };
  }
  if (value.status === "failed" || value.status === "canceled") {
    const reason = value.failure_reason ?? value.status;
    return { kind: "declined", declinedCode: "generic", retry: "never", reason, providerTxId, raw };
  }
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount,
    providerTxId,
    data: { refundId: value.id, refunded: amount, status: value.status === "succeeded" ? "done" : "pending" },
    raw,
  };
}
