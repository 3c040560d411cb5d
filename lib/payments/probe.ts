import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { connectionOf } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { QueryResult } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { nowOn, realNow } from "@/lib/time";

const PROBE_MS = 8_000;

/**
 * Asks a provider about a payment that never was. It moves nothing and needs no attempt: that nothing is known under a
 * new reference is the answer of a connection that works.
 */
export async function probe(ctx: Context, provider: RoutedProvider): Promise<QueryResult> {
  if (ctx.isInTransaction) throw new Error("a provider is never called inside a transaction");
  const adapter = providerFor(provider.kind);
  const attemptId = newId();
  const reference = {
    attemptId,
    providerReference: adapter.attemptReference(attemptId),
    idempotencyKey: adapter.idempotencyKey({ attemptId, operation: "authorize", sequence: 0 }),
    operation: "authorize" as const,
    sequence: 0,
  };
  const at = nowOn(ctx.account.clock);
  return adapter.query(
    {
      ref: reference,
      clientId: ctx.account.id,
      providerId: provider.id,
      chargeId: attemptId,
      options: provider.options,
      publicUrl: env().BASE_URL,
      ...connectionOf(provider),
      note: () => Promise.resolve(),
      evidence: () => Promise.resolve([]),
      deadline: new Date(realNow().getTime() + PROBE_MS),
      signal: AbortSignal.timeout(PROBE_MS),
      clock: { now: () => nowOn(ctx.account.clock) },
      log: {
        info: (message) => log.info({ providerId: provider.id }, message),
        warn: (message) => log.warn({ providerId: provider.id }, message),
      },
    },
    { reference, sentUntil: at },
  );
}
