import { randomUUID } from "node:crypto";
import type { CallContext, PaymentProvider, ProviderOperation, Secret } from "@/lib/providers/provider";
import { addSeconds, realNow } from "@/lib/time";

const CALL_SECONDS = 20;

/** A call as the engine makes it, of an attempt of its own. */
export function aCall(
  provider: PaymentProvider,
  credentials: Secret,
  operation: ProviderOperation,
  attemptId: string = randomUUID(),
): CallContext {
  const attempt = { attemptId, operation, sequence: 1 };
  return {
    ref: {
      ...attempt,
      providerReference: provider.attemptReference(attemptId),
      idempotencyKey: provider.idempotencyKey(attempt),
      begunAt: realNow(),
    },
    clientId: "bench",
    providerId: "bench",
    publicUrl: "https://pay.example",
    chargeId: randomUUID(),
    credentials,
    host: "test",
    deadline: addSeconds(realNow(), CALL_SECONDS),
    signal: AbortSignal.timeout(CALL_SECONDS * 1_000),
    clock: { now: realNow },
    log: { info: () => undefined, warn: () => undefined },
    note: () => Promise.resolve(),
    evidence: () => Promise.resolve([]),
  };
}

export const PAYER = {
  name: "Ana Souza",
  email: "ana@example.com",
  document: { type: "CPF", number: "12345678909", country: "BR" },
};

/** The value below which this share of them lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
