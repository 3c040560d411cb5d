import type { Brand } from "@/lib/brazil/card-brand";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, declineOf, rawPayment } from "@/lib/providers/mercado-pago/answers";
import { CHARGE, send } from "@/lib/providers/mercado-pago/call";
import { HOLD_DAYS, MERCADO_PAGO_CAPABILITIES, MOST_CENTS } from "@/lib/providers/mercado-pago/capabilities";
import { decimalOf } from "@/lib/providers/mercado-pago/money";
import { payerOf } from "@/lib/providers/mercado-pago/payer";
import { cardToken, payment, type WirePayment } from "@/lib/providers/mercado-pago/wire";
import type { AuthorizeInput, CallContext, CardAuth, Outcome } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const MAX_HOLDER = 60;
const MAX_DESCRIPTOR = 13;
const POLL_MS = 5_000;

const METHODS: Partial<Record<Brand, string>> = {
  visa: "visa",
  mastercard: "master",
  elo: "elo",
  amex: "amex",
  hipercard: "hipercard",
};
const DEBIT_METHODS: Partial<Record<Brand, string>> = { visa: "debvisa", mastercard: "debmaster", elo: "debelo" };

/** The card is turned into a token that is used once, and the token is charged. */
export async function authorize(
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const method = (input.method === "debit" ? DEBIT_METHODS : METHODS)[input.card.brand];
  const refused = refusedBeforeSending(input, method);
  if (refused) return refused;
  const tokenized = answerOf(
    await send(connections, call, { method: "POST", path: "/v1/card_tokens", body: tokenBody(input), step: "token" }),
    cardToken,
  );
  if (!tokenized.ok) return tokenized.outcome;
  const descriptor = foldedText(input.statementDescriptor ?? "", MAX_DESCRIPTOR);
  const body = {
    ...paymentBody(call, input.amount),
    token: tokenized.value.id,
    payment_method_id: method,
    installments: input.installments,
    capture: input.capture,
    binary_mode: false,
    ...(descriptor ? { statement_descriptor: descriptor } : {}),
    payer: payerOf({ ...input.holder, name: input.holder.name || input.card.holderName }),
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: "/v1/payments", body }), payment);
  return read.ok ? outcomeOf(call, input, read.value, read.status) : read.outcome;
}

/** What every payment of ours says of itself. */
export const paymentBody = (call: CallContext, amount: number) => ({
  transaction_amount: decimalOf(amount),
  external_reference: call.ref.providerReference,
  description: "Pagamento",
  metadata: { [CHARGE]: call.chargeId },
});

const tokenBody = ({ card, holder }: AuthorizeInput) => ({
  card_number: card.pan,
  expiration_month: Number(card.expMonth),
  expiration_year: Number(card.expYear),
  ...(card.cvv === undefined ? {} : { security_code: card.cvv }),
  cardholder: {
    name: foldedText(card.holderName, MAX_HOLDER),
    ...(holder.document
      ? { identification: { type: holder.document.type.toUpperCase(), number: holder.document.number } }
      : {}),
  },
});

function refusedBeforeSending(input: AuthorizeInput, wireMethod: string | undefined) {
  const { amount, currency, installments, split, threeDS, method, capture, recurrence, card: used } = input;
  const { card } = MERCADO_PAGO_CAPABILITIES;
  if (currency !== "BRL") return rejected("unsupported", `currency ${currency}`);
  const most = card === false ? 0 : card.maxInstallments;
  if (installments > most) return rejected("unsupported", `at most ${most} installments`);
  if (method === "voucher") return rejected("unsupported", "vouchers are not offered through this provider");
  if (method === "debit" && !capture) return rejected("unsupported", "debit is captured at once");
  if (amount === 0) return rejected("unsupported", "a card is not checked without an amount");
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (wireMethod === undefined) return rejected("unsupported", `brand ${used.brand}`);
  if (recurrence) return rejected("unsupported", "later payments of a card are not offered through this provider");
  if (split) return rejected("unsupported", "payments are not split through this provider");
  if (threeDS) return rejected("unsupported", "3-D Secure is not offered through this provider");
  return undefined;
}

/** Another payment than the one asked for. */
export function mismatchOf(
  call: CallContext,
  input: { amount: number },
  reply: WirePayment,
  status: number,
): Outcome<never> | undefined {
  const differing = [
    ["reference", call.ref.providerReference, reply.external_reference ?? ""],
    ["currency", "BRL", reply.currency_id],
    ["amount", String(input.amount), String(reply.transaction_amount)],
  ] as const;
  for (const [field, expected, got] of differing) {
    if (expected === got) continue;
    return { kind: "mismatch", field, expected, got, providerTxId: reply.id, raw: rawPayment(status, reply) };
  }
  return undefined;
}

export const holdEnd = ({ date_created: created }: WirePayment): Date =>
  addSeconds(new Date(created), HOLD_DAYS * DAY_SECONDS);

function outcomeOf(call: CallContext, input: AuthorizeInput, reply: WirePayment, status: number): Outcome<CardAuth> {
  const raw = rawPayment(status, reply);
  const { id: providerTxId } = reply;
  if (reply.status === "rejected") {
    // A refusal that says it was captured is none.
    if (reply.captured === true) return unreadable(status);
    return { kind: "declined", ...declineOf(reply.status_detail ?? ""), providerTxId, raw };
  }
  const differing = mismatchOf(call, input, reply, status);
  if (differing) return differing;
  if (reply.status === "in_process" || reply.status === "pending") {
    return { kind: "pending", providerTxId, pollAfterMs: POLL_MS, raw };
  }
  const isCaptured = reply.status === "approved";
  // Neither taken nor held, the one where the other was asked for, or one that contradicts itself: asking tells which.
  if (!isCaptured && reply.status !== "authorized") return unreadable(status);
  if (isCaptured !== input.capture || reply.captured !== isCaptured) return unreadable(status);
  const network = reply.point_of_interaction?.transaction_data?.network_transaction_id;
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount: input.amount,
    providerTxId,
    ...(reply.authorization_code ? { authCode: reply.authorization_code } : {}),
    data: {
      captured: isCaptured,
      installments: reply.installments ?? input.installments,
      brand: input.card.brand,
      ...(network ? { networkTransactionId: network } : {}),
      ...(isCaptured ? {} : { expiresAt: holdEnd(reply).toISOString() }),
      cvvChecked: false,
    },
    raw,
  };
}
