import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type AttemptRow, noteTransaction, referenceOf } from "@/lib/payments/attempts";
import { evidenceOf } from "@/lib/payments/evidence";
import { isCircuitClosed, reportCall } from "@/lib/payments/routing/health";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import {
  AttemptClosed,
  type CallContext,
  type Outcome,
  type PaymentProvider,
  type PixInstruction,
  type ProviderCall,
  type QueryResult,
  type Simulation,
} from "@/lib/providers/provider";
import type { KnownRefund } from "@/lib/providers/refund-marks";
import { providerFor } from "@/lib/providers/registry";
import { monotonicMs, nowOn, realNow } from "@/lib/time";
import { type SpanGiven, traced } from "@/lib/tracing";

/** Acquirer chains reach 15 to 18 s; everything else answers sooner (spec/reliability.md 2.2). */
const SHORT_CALL_MS = 10_000;
/** An in-band request waits for providers this long in all (spec/contract.md section 8). */
export const IN_BAND_MS = 20_000;

export interface CallSubject {
  chargeId: string;
  scenario?: string | null;
  slotIndex?: number;
  /** A capture or void of a charge outside purchases that a client called. */
  clientCall?: boolean;
  /** An anti-fraud analysis decides after the hold. */
  analysisFollows?: boolean;
  /** Of the request that made the charge. */
  requestId?: string | null;
  /** Of the charge, for questions about it. */
  refunds?: readonly KnownRefund[];
  /** Of a Pix under a mandate. */
  instruction?: PixInstruction;
  /** Another provider is tried where this call is not let through. */
  hasOther?: boolean;
}

export interface Timed<T> {
  result: T;
  responseMs: number;
}

export const shortCallMs = (): number => Math.min(env().PROVIDER_TIMEOUT_MS, SHORT_CALL_MS);

const isCard = (attempt: AttemptRow): boolean => attempt.kind === "authorize" || attempt.kind === "zero_dollar";

export const callTimeoutMs = (attempt: AttemptRow): number => {
  const longest = env().PROVIDER_TIMEOUT_MS;
  return isCard(attempt) ? longest : Math.min(longest, SHORT_CALL_MS);
};

/** One network attempt, its row committed before. No database transaction is open here, and nothing retries inside. */
export async function call<T>(
  ctx: Context,
  provider: RoutedProvider,
  attempt: AttemptRow,
  subject: CallSubject,
  timeoutMs: number,
  send: (adapter: PaymentProvider, context: CallContext) => Promise<Outcome<T>>,
): Promise<Timed<Outcome<T>>> {
  if (ctx.isInTransaction) throw new Error("a provider is never called inside a transaction");
  const started = monotonicMs();
  const context = callContext(ctx, provider, attempt, subject, timeoutMs);
  if (!(await isCircuitClosed(ctx, provider, attempt.kind, subject.hasOther === true))) {
    return { result: { kind: "not_sent", cause: "circuit_open" }, responseMs: 0 };
  }
  const sent = traced(
    () => spanOf(ctx, attempt, subject),
    () => send(providerFor(provider.kind), context),
  );
  const result = await sent.catch((thrown: unknown): Outcome<T> => {
    if (thrown instanceof AttemptClosed) return { kind: "undetermined", cause: "interrupted" };
    throw thrown;
  });
  const responseMs = Math.round(monotonicMs() - started);
  await reportCall(ctx, provider, result);
  log.info(
    {
      requestId: ctx.requestId,
      clientId: ctx.account.id,
      chargeId: subject.chargeId,
      attemptId: attempt.id,
      kind: attempt.kind,
      outcome: result.kind,
      durationMs: responseMs,
    },
    "provider call",
  );
  return { result, responseMs };
}

/** Asks what became of an attempt; never moves money. */
export async function query(
  ctx: Context,
  provider: RoutedProvider,
  attempt: AttemptRow,
  subject: CallSubject,
  sentUntil: Date,
): Promise<QueryResult> {
  if (ctx.isInTransaction) throw new Error("a provider is never called inside a transaction");
  const context = callContext(ctx, provider, attempt, subject, SHORT_CALL_MS);
  const input = {
    ...(attempt.transactionId ? { providerTxId: attempt.transactionId } : {}),
    reference: context.ref,
    sentUntil,
    ...(subject.refunds ? { refunds: subject.refunds } : {}),
    ...(subject.instruction ? { instruction: subject.instruction } : {}),
  };
  return traced(
    () => spanOf(ctx, attempt, subject),
    () => providerFor(provider.kind).query(context, input),
  );
}

/** A worker comes to it by itself: then the request that made the charge caused it. */
const spanOf = (
  { account }: Context,
  { id, kind }: AttemptRow,
  { chargeId, requestId = null }: CallSubject,
): SpanGiven => ({
  name: "attempt",
  fields: { clientId: account.id, chargeId, attemptId: id, kind },
  of: requestId,
});

/** What the simulator is told besides; a live account's calls carry nothing of it. */
export function hintsFor(
  ctx: Context,
  { priority }: RoutedProvider,
  {
    scenario,
    slotIndex,
    clientCall,
    analysisFollows,
  }: Omit<CallSubject, "chargeId" | "refunds" | "instruction" | "hasOther">,
): { simulation?: Simulation } {
  if (ctx.account.mode !== "sandbox") return {};
  return { simulation: { priority, scenario, slotIndex, clientCall, analysisFollows } };
}

function callContext(
  ctx: Context,
  provider: RoutedProvider,
  attempt: AttemptRow,
  subject: CallSubject,
  timeoutMs: number,
): CallContext {
  return {
    ...providerCall(ctx, provider, timeoutMs, { attemptId: attempt.id }),
    ...hintsFor(ctx, provider, subject),
    ref: referenceOf(attempt),
    chargeId: subject.chargeId,
    note: ({ providerTxId }) => noteTransaction(ctx, attempt.id, providerTxId),
    evidence: () => evidenceOf(ctx, attempt),
  };
}

/** What every call carries; `about` stands in its log lines. */
export function providerCall(
  ctx: Context,
  provider: RoutedProvider,
  timeoutMs: number,
  about: Readonly<Record<string, string>> = {},
): ProviderCall {
  if (ctx.isInTransaction) throw new Error("a provider is never called inside a transaction");
  const credentials = provider.credentials();
  const fields = { ...about, providerId: provider.id };
  return {
    clientId: ctx.account.id,
    providerId: provider.id,
    options: provider.options,
    publicUrl: env().BASE_URL,
    credentials,
    // A member of the credentials: "test" reaches the provider's test host alone.
    host: credentials.reveal().environment === "test" ? "test" : "live",
    deadline: new Date(realNow().getTime() + timeoutMs),
    signal: AbortSignal.timeout(Math.floor(timeoutMs)),
    clock: { now: () => nowOn(ctx.account.clock) },
    log: {
      info: (message) => log.info(fields, message),
      warn: (message) => log.warn(fields, message),
    },
  };
}
