import { sumOf } from "@/lib/money";
import type { Exchange, Transport } from "@/lib/providers/exchange";
import type {
  AuthorizeInput,
  CallContext,
  CardAuth,
  Outcome,
  PaymentProvider,
  ProviderHost,
} from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import { foldedText } from "@/lib/providers/text";
import { connectionTest, recipientCalls } from "@/lib/testing/mirror/adapter-recipients";
import { answerOf, declineOf } from "@/lib/testing/mirror/answers";
import { MIRROR_CAPABILITIES, MIRROR_MAX_INSTALLMENTS } from "@/lib/testing/mirror/capabilities";
import { queryEvidence } from "@/lib/testing/mirror/evidence";
import { parseWebhook } from "@/lib/testing/mirror/webhook";
import { type Confirmed, confirmed, created, HEADER, received } from "@/lib/testing/mirror/wire";

export const MIRROR = "MIRROR";
const MAX_NAME = 64;
const MAX_DESCRIPTOR = 22;
const POLL_MS = 5_000;

/** The adapter of MIRROR: one constant transport per host, and the credentials say which. */
export function mirrorProvider(hosts: Readonly<Record<ProviderHost, Transport>>): PaymentProvider {
  const send = (call: CallContext, path: string, step: string, body: Record<string, unknown>): Promise<Exchange> =>
    hosts[call.host].send(
      { method: "POST", path, headers: headersOf(call, step), body: { charge: call.chargeId, ...body } },
      { deadline: call.deadline, signal: call.signal },
    );
  const change = async <T>(
    call: CallContext,
    providerTxId: string,
    action: "captures" | "cancels" | "refunds",
    amount: number,
    dataOf: (id: string, isPending: boolean) => T,
  ): Promise<Outcome<T>> => {
    const body = { reference: call.ref.providerReference, amount };
    const path = `/payments/${encodeURIComponent(providerTxId)}/${action}`;
    const read = answerOf(await send(call, path, action, body), received);
    if (!read.ok) return read.outcome;
    const { id, at, isPending } = read.value;
    return { kind: "approved", at, amount, providerTxId, data: dataOf(id, isPending), raw: rawOf(201, read.value) };
  };
  const confirmation = (call: CallContext, input: AuthorizeInput, exchange: Exchange): Outcome<CardAuth> => {
    const read = answerOf(exchange, confirmed);
    return read.ok ? outcomeOf(call, input, read.value) : read.outcome;
  };
  return {
    kind: MIRROR,
    capabilities: MIRROR_CAPABILITIES,
    validateCredentials: (raw) =>
      typeof raw === "object" && raw !== null && "apiKey" in raw && typeof raw.apiKey === "string"
        ? { ok: true, value: secretOf({ apiKey: raw.apiKey }) }
        : { ok: false, errors: [{ field: "apiKey", message: "required" }] },
    attemptReference: (attemptId) => attemptId.replaceAll("-", "").toUpperCase(),
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    async authorize(call, input) {
      const refused = refusedBeforeSending(input);
      if (refused) return refused;
      let id = input.providerTxId;
      if (id === undefined) {
        const read = answerOf(await send(call, "/payments", "create", paymentOf(call, input)), created);
        if (!read.ok) return read.outcome;
        ({ id } = read.value);
        await call.note({ providerTxId: id, step: "created" });
      }
      const path = `/payments/${encodeURIComponent(id)}/confirmations`;
      return confirmation(call, input, await send(call, path, "confirm", { card: cardOf(input) }));
    },
    async continueAuthentication(call, input) {
      const path = `/payments/${encodeURIComponent(input.providerTxId)}/continuations`;
      return confirmation(call, input.payment, await send(call, path, "continue", { details: input.details }));
    },
    capture: async (call, { providerTxId, amount, authorized }) =>
      amount > authorized
        ? exceeded("capture", amount, authorized)
        : change(call, providerTxId, "captures", amount, () => ({ captured: amount, released: authorized - amount })),
    void: (call, { providerTxId, amount }) => change(call, providerTxId, "cancels", amount, () => ({ voided: amount })),
    refund: async (call, { providerTxId, amount, captured, alreadyRefunded }) =>
      amount > captured - alreadyRefunded
        ? exceeded("refund", amount, captured - alreadyRefunded)
        : change(call, providerTxId, "refunds", amount, (refundId, isPending) => ({
            refundId,
            refunded: amount,
            status: isPending ? ("pending" as const) : ("done" as const),
          })),
    query: queryEvidence,
    createPix: unsupported,
    createBoleto: unsupported,
    createWallet: unsupported,
    cancelOpen: unsupported,
    connect: connectionTest(hosts),
    recipients: recipientCalls(hosts),
    parseWebhook,
  };
}

const unsupported = (): Promise<Outcome<never>> =>
  Promise.resolve({ kind: "rejected", problem: "unsupported", detail: "cards only" });

const headersOf = (call: CallContext, step: string): Record<string, string> => ({
  authorization: `Bearer ${call.credentials.reveal().apiKey}`,
  [HEADER.key]: `${call.ref.idempotencyKey}:${step}`,
  [HEADER.time]: call.clock.now().toISOString(),
});

const paymentOf = (call: CallContext, input: AuthorizeInput): Record<string, unknown> => ({
  reference: call.ref.providerReference,
  amount: input.amount,
  currency: input.currency,
  installments: input.installments,
  method: input.method ?? "credit",
  capture: input.capture,
  threeDS: input.threeDS !== undefined,
  holder: {
    name: foldedText(input.holder.name, MAX_NAME),
    ...(input.holder.document ? { document: input.holder.document.number } : {}),
  },
  ...(input.statementDescriptor ? { descriptor: foldedText(input.statementDescriptor, MAX_DESCRIPTOR) } : {}),
  ...(input.recurrence ? { recurrence: input.recurrence } : {}),
  ...(input.networkTransactionId ? { networkTransactionId: input.networkTransactionId } : {}),
  ...(input.split ? { split: input.split.map(({ recipientId, amount }) => ({ recipientId, amount })) } : {}),
});

const cardOf = ({ card }: AuthorizeInput): Record<string, unknown> => ({
  number: card.pan,
  ...(card.cvv === undefined ? {} : { cvv: card.cvv }),
  expiry: `${card.expMonth}/${card.expYear}`,
  holderName: foldedText(card.holderName, MAX_NAME),
  brand: card.brand,
});

function refusedBeforeSending(input: AuthorizeInput): Outcome<never> | undefined {
  const { amount, capture, currency, installments, method, split, card } = input;
  if (currency !== "BRL") return { kind: "rejected", problem: "unsupported", detail: `currency ${currency}` };
  if (installments > MIRROR_MAX_INSTALLMENTS)
    return { kind: "rejected", problem: "unsupported", detail: `at most ${MIRROR_MAX_INSTALLMENTS} instalments` };
  if (method === "debit" && !capture)
    return { kind: "rejected", problem: "unsupported", detail: "debit is sold in one call" };
  if (method === "voucher" || card.brand === "aura")
    return { kind: "rejected", problem: "unsupported", detail: `${method ?? "credit"} of ${card.brand}` };
  if (amount === 0) return { kind: "rejected", problem: "unsupported", detail: "cards are not checked" };
  if (!Number.isSafeInteger(amount) || amount < 0)
    return { kind: "rejected", problem: "invalid_request", detail: "amount is not a safe number of cents" };
  if (split && sumOf(split.map((line) => line.amount)) !== amount)
    return { kind: "rejected", problem: "invalid_request", detail: "split lines do not add up to the amount" };
  return undefined;
}

const exceeded = (what: string, amount: number, most: number): Outcome<never> => ({
  kind: "rejected",
  problem: "amount_exceeded",
  detail: `${what} of ${amount}, at most ${most}`,
});

const rawOf = (status: number, body: unknown) => ({ status, headers: {}, body });

function outcomeOf(call: CallContext, input: AuthorizeInput, reply: Confirmed): Outcome<CardAuth> {
  const raw = rawOf(200, reply);
  const providerTxId = reply.id;
  const differing = [
    ["reference", call.ref.providerReference, reply.reference],
    ["currency", input.currency, reply.currency],
  ] as const;
  for (const [field, expected, got] of differing)
    if (expected !== got) return { kind: "mismatch", field, expected, got, providerTxId, raw };
  switch (reply.status) {
    case "declined":
      return {
        kind: "declined",
        ...declineOf(reply.decline, input.card.brand, input.crossBorder, call.clock.now()),
        providerTxId,
        raw,
      };
    case "processing":
      return { kind: "pending", providerTxId, pollAfterMs: POLL_MS, raw };
    case "challenge":
      return {
        kind: "pending",
        providerTxId,
        pollAfterMs: POLL_MS,
        ...(reply.redirectUrl ? { nextAction: { type: "redirect", url: reply.redirectUrl } } : {}),
        raw,
      };
    case "authorized":
    case "captured":
      if (reply.amount !== input.amount) {
        const amounts = { expected: String(input.amount), got: String(reply.amount) };
        return { kind: "mismatch", field: "amount", ...amounts, providerTxId, raw };
      }
      return {
        kind: "approved",
        at: reply.at,
        amount: reply.amount,
        providerTxId,
        ...(reply.nsu ? { nsu: reply.nsu } : {}),
        ...(reply.authCode ? { authCode: reply.authCode } : {}),
        data: {
          captured: reply.status === "captured",
          installments: reply.installments.length,
          brand: input.card.brand,
          ...(reply.networkTransactionId ? { networkTransactionId: reply.networkTransactionId } : {}),
          ...(reply.expiresAt ? { expiresAt: reply.expiresAt } : {}),
          cvvChecked: input.card.cvv !== undefined,
        },
        raw,
      };
  }
}
