import { systemSql } from "@/db/client";
import { credentialsOf } from "@/lib/providers/credentials";
import type {
  AuthorizeInput,
  CallContext,
  CardAuth,
  Outcome,
  PaymentProvider,
  QueryInput,
  QueryResult,
  Refunded,
} from "@/lib/providers/provider";
import {
  headersOf,
  MAX_NAME,
  payerOf,
  pollAfterMs,
  splitProblem,
  wireSplit,
} from "@/lib/providers/sandbox/adapter-call";
import { mandateCalls } from "@/lib/providers/sandbox/adapter-mandates";
import { offerOf, openPaymentCalls } from "@/lib/providers/sandbox/adapter-open";
import { connectionTest, recipientCalls } from "@/lib/providers/sandbox/adapter-recipients";
import { earlyPaymentCall, statementCall } from "@/lib/providers/sandbox/adapter-statement";
import { brandOf, declineFrom, readAnswer } from "@/lib/providers/sandbox/answers";
import { SANDBOX_CAPABILITIES, SANDBOX_MAX_INSTALLMENTS } from "@/lib/providers/sandbox/capabilities";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { outcomeRow } from "@/lib/providers/sandbox/outcomes";
import { parseScenario, stepOf } from "@/lib/providers/sandbox/scenario";
import { countUse } from "@/lib/providers/sandbox/store";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import { parseWebhook } from "@/lib/providers/sandbox/webhook";
import {
  authorizationReply,
  lookUpReply,
  type ModificationReply,
  modificationReply,
} from "@/lib/providers/sandbox/wire";
import { foldedText } from "@/lib/providers/text";
import { outcomeOfPan } from "@/lib/reference/sandbox-pans";
import { addSeconds } from "@/lib/time";

const MAX_DESCRIPTOR = 22;

/** The adapter of the simulated acquirer: an acquirer like any other, over either of its transports. */
export function sandboxProvider(transport: SandboxTransport): PaymentProvider {
  return {
    kind: "SANDBOX",
    capabilities: SANDBOX_CAPABILITIES,
    validateCredentials: credentialsOf("SANDBOX"),
    attemptReference: (attemptId) => attemptId.replaceAll("-", ""),
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    authorize: (call, input) => authorize(transport, call, input),
    async capture(call, input) {
      if (input.amount > input.authorized) return exceeded("capture", input.amount, input.authorized);
      const badSplit = splitProblem(input.split, input.amount);
      if (badSplit) return badSplit;
      const read = await modification(transport, call, input.providerTxId, "capture", {
        amount: input.amount,
        ...(input.split ? { split: wireSplit(input.split) } : {}),
      });
      if (!read.ok) return read.outcome;
      if (read.value.amount !== input.amount) return amountMismatch(input.amount, read.value);
      return done(read.value, { captured: read.value.amount, released: input.authorized - read.value.amount });
    },
    async void(call, input) {
      const read = await modification(transport, call, input.providerTxId, "void", { amount: input.amount });
      return read.ok ? done(read.value, { voided: read.value.amount }) : read.outcome;
    },
    async refund(call, input): Promise<Outcome<Refunded>> {
      const left = input.captured - input.alreadyRefunded;
      if (input.amount > left) return exceeded("refund", input.amount, left);
      const badSplit = splitProblem(input.split, input.amount);
      if (badSplit) return badSplit;
      const read = await modification(transport, call, input.providerTxId, "refund", {
        amount: input.amount,
        ...(input.paymentId === undefined ? {} : { paymentId: input.paymentId }),
        ...(input.split ? { split: wireSplit(input.split) } : {}),
      });
      if (!read.ok) return read.outcome;
      if (read.value.amount !== input.amount) return amountMismatch(input.amount, read.value);
      const status = read.value.status === "refund_pending" ? "pending" : "done";
      return done(read.value, { refundId: read.value.refundId ?? read.value.id, refunded: read.value.amount, status });
    },
    query: (call, input) => query(transport, call, input),
    ...openPaymentCalls(transport),
    async cancelOpen(call, input) {
      const read = await modification(transport, call, input.providerTxId, "cancel", {});
      return read.ok ? done(read.value, { voided: read.value.amount }) : read.outcome;
    },
    connect: connectionTest(transport),
    mandates: mandateCalls(transport),
    recipients: recipientCalls(transport),
    statement: statementCall(transport),
    payEarly: earlyPaymentCall(transport),
    parseWebhook,
  };
}

async function authorize(
  transport: SandboxTransport,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const refused = refusedBeforeSending(input);
  if (refused) return refused;
  const limits = { deadline: call.deadline, signal: call.signal };
  const exchange = (await meetsClosedPort(call, input))
    ? await transport.sendToClosedPort(limits)
    : await transport.send(
        {
          method: "POST",
          path: "/authorizations",
          headers: headersOf(call),
          body: {
            reference: call.ref.providerReference,
            attemptId: call.ref.attemptId,
            method: input.method ?? "credit",
            amount: input.amount,
            currency: input.currency,
            capture: input.capture,
            installments: input.installments,
            card: {
              number: input.card.pan,
              ...(input.card.cvv === undefined ? {} : { cvv: input.card.cvv }),
              expMonth: input.card.expMonth,
              expYear: input.card.expYear,
              holderName: foldedText(input.card.holderName, MAX_NAME),
              brand: input.card.brand,
            },
            payer: payerOf(input.holder),
            ...(input.statementDescriptor === undefined
              ? {}
              : { statementDescriptor: foldedText(input.statementDescriptor, MAX_DESCRIPTOR) }),
            ...(input.networkTransactionId === undefined ? {} : { networkTransactionId: input.networkTransactionId }),
            threeDS: input.threeDS !== undefined,
            analysisFollows: hintsOf(call).analysisFollows,
            ...(input.split ? { split: wireSplit(input.split) } : {}),
          },
        },
        limits,
      );
  const read = readAnswer(exchange, authorizationReply);
  if (!read.ok) return read.outcome;
  const reply = read.value;
  const raw = { status: read.status, headers: {}, body: reply };
  const providerTxId = reply.id;
  if (reply.reference !== call.ref.providerReference) {
    return {
      kind: "mismatch",
      field: "reference",
      expected: call.ref.providerReference,
      got: reply.reference,
      providerTxId,
      raw,
    };
  }
  if (reply.currency !== input.currency) {
    return { kind: "mismatch", field: "currency", expected: input.currency, got: reply.currency, providerTxId, raw };
  }
  if (reply.status === "declined") {
    const decline = declineFrom(
      reply.decline ?? { declinedCode: "generic" },
      input.card.brand,
      input.crossBorder,
      call.clock.now(),
    );
    return { kind: "declined", ...decline, providerTxId, raw };
  }
  if (reply.status === "processing" || reply.status === "challenge") {
    return {
      kind: "pending",
      providerTxId,
      pollAfterMs: pollAfterMs(call, reply.nextEventAt),
      ...(reply.redirectUrl === undefined ? {} : { nextAction: { type: "redirect", url: reply.redirectUrl } }),
      ...(reply.nextEventAt === undefined ? {} : { nextEventAt: reply.nextEventAt }),
      raw,
    };
  }
  if (reply.amount !== input.amount) {
    return {
      kind: "mismatch",
      field: "amount",
      expected: String(input.amount),
      got: String(reply.amount),
      providerTxId,
      raw,
    };
  }
  return {
    kind: "approved",
    at: reply.at,
    amount: reply.amount,
    providerTxId,
    ...(reply.nsu === undefined ? {} : { nsu: reply.nsu }),
    ...(reply.authCode === undefined ? {} : { authCode: reply.authCode }),
    data: {
      captured: reply.status === "captured",
      installments: reply.installments,
      brand: brandOf(input.card.brand),
      ...(reply.networkTransactionId === undefined ? {} : { networkTransactionId: reply.networkTransactionId }),
      ...(reply.expiresAt === undefined ? {} : { expiresAt: reply.expiresAt }),
      cvvChecked: reply.cvvChecked,
    },
    ...(reply.nextEventAt === undefined ? {} : { nextEventAt: reply.nextEventAt }),
    raw,
  };
}

function refusedBeforeSending(input: AuthorizeInput): Outcome<never> | undefined {
  if (input.currency !== "BRL")
    return { kind: "rejected", problem: "unsupported", detail: `currency ${input.currency}` };
  if (input.installments > SANDBOX_MAX_INSTALLMENTS) {
    return { kind: "rejected", problem: "unsupported", detail: `at most ${SANDBOX_MAX_INSTALLMENTS} installments` };
  }
  if (!Number.isSafeInteger(input.amount) || input.amount < 0) {
    return { kind: "rejected", problem: "invalid_request", detail: "amount is not a safe number of cents" };
  }
  return splitProblem(input.split, input.amount);
}

const exceeded = (what: string, amount: number, most: number): Outcome<never> => ({
  kind: "rejected",
  problem: "amount_exceeded",
  detail: `${what} of ${amount}, at most ${most}`,
});

/** Outcome 213 fails before the simulator hears of it; its counter of sends tells the first from the next. */
async function meetsClosedPort(call: CallContext, input: AuthorizeInput): Promise<boolean> {
  const code = scenarioOutcome(call) ?? outcomeOfPan(input.card.pan)?.code;
  if (code === undefined || outcomeRow(code).delivery !== "refused_port") return false;
  return (await countUse(systemSql(), call.clientId, `send:${call.ref.providerReference}`)) === 1;
}

function scenarioOutcome(call: CallContext): string | undefined {
  const { scenario, slotIndex, priority } = hintsOf(call);
  const parsed = scenario === undefined ? undefined : parseScenario(scenario);
  if (!parsed?.ok || stepOf(parsed.value) !== "authorize") return undefined;
  const { slot, provider, outcome } = parsed.value;
  const applies = (slot === undefined || slot === slotIndex) && (provider === undefined || provider === priority);
  return applies ? outcome : undefined;
}

async function modification(
  transport: SandboxTransport,
  call: CallContext,
  providerTxId: string,
  operation: "capture" | "void" | "refund" | "cancel",
  body: Record<string, unknown>,
) {
  const exchange = await transport.send(
    {
      method: "POST",
      path: `/transactions/${encodeURIComponent(providerTxId)}/${operation}`,
      headers: headersOf(call),
      body: { reference: call.ref.providerReference, ...body },
    },
    { deadline: call.deadline, signal: call.signal },
  );
  return readAnswer(exchange, modificationReply);
}

const done = <T>(reply: ModificationReply, data: T): Outcome<T> => ({
  kind: "approved",
  at: reply.at,
  amount: reply.amount,
  providerTxId: reply.id,
  data,
  ...(reply.nextEventAt === undefined ? {} : { nextEventAt: reply.nextEventAt }),
  raw: { status: 200, headers: {}, body: reply },
});

const amountMismatch = (expected: number, reply: ModificationReply): Outcome<never> => ({
  kind: "mismatch",
  field: "amount",
  expected: String(expected),
  got: String(reply.amount),
  providerTxId: reply.id,
  raw: { status: 200, headers: {}, body: reply },
});

async function query(transport: SandboxTransport, call: CallContext, input: QueryInput): Promise<QueryResult> {
  const path =
    input.providerTxId === undefined
      ? `/transactions?reference=${encodeURIComponent(input.reference.providerReference)}`
      : `/transactions/${encodeURIComponent(input.providerTxId)}`;
  const exchange = await transport.send(
    { method: "GET", path, headers: headersOf(call) },
    { deadline: call.deadline, signal: call.signal },
  );
  const read = readAnswer(exchange, lookUpReply);
  if (!read.ok) return notFoundOr(read.outcome, call, input);
  const [found, ...others] = read.value.transactions;
  if (!found) return { kind: "unavailable" };
  const {
    id,
    decline,
    brand,
    amount: _asked,
    brCode,
    line,
    barcode,
    ourNumber,
    dueDate,
    paymentUrl,
    settleOn,
    ...facts
  } = found;
  return {
    kind: "found",
    ...facts,
    ...offerOf(found),
    providerTxId: id,
    duplicates: others.filter(({ state }) => state !== "voided").map((other) => other.id),
    ...(decline === undefined ? {} : { decline: declineFrom(decline, brand ?? "unknown", false, call.clock.now()) }),
    raw: { status: read.status, headers: {}, body: found },
  };
}

function notFoundOr(outcome: Outcome<never>, call: CallContext, { sentUntil }: QueryInput): QueryResult {
  if (outcome.kind === "rejected" && outcome.problem === "not_found") {
    const certainFrom = addSeconds(sentUntil, SANDBOX_CAPABILITIES.lateWindowSec);
    return { kind: call.clock.now() >= certainFrom ? "not_found_definitive" : "not_found_yet" };
  }
  const retryAfterMs = outcome.kind === "not_sent" ? outcome.retryAfterMs : undefined;
  return { kind: "unavailable", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
