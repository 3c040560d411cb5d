import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { providerCall } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { isAntifraudKind } from "@/lib/providers/kinds";
import { notificationsUrlOf } from "@/lib/providers/notification";
import type { PaymentProvider, ProviderCall } from "@/lib/providers/provider";
import { antifraudFor, providerFor } from "@/lib/providers/registry";
import { nowOn } from "@/lib/time";

const PROBE_MS = 8_000;

/** `untestable`: the kind answers no question that moves nothing. */
export type Probe = { kind: "passed" | "failed" | "untestable"; words: string };

/** A real call with the stored credentials that moves nothing and needs no attempt. */
export async function probe(ctx: Context, provider: RoutedProvider): Promise<Probe> {
  const call = providerCall(ctx, provider, PROBE_MS);
  if (isAntifraudKind(provider.kind)) return ofAnalyst(provider.kind, call);
  const adapter = providerFor(provider.kind);
  if (adapter.connect) {
    const notificationsUrl = notificationsUrlOf(call.publicUrl, provider.id);
    const { ok, words } = await adapter.connect({ ...call, notificationsUrl });
    return { kind: ok ? "passed" : "failed", words };
  }
  if (adapter.capabilities.lookup === "none" || adapter.capabilities.lookup === "by_provider_id_only")
    return { kind: "untestable", words: "no_test" };
  const { kind } = await askAboutNothing(adapter, call, nowOn(ctx.account.clock));
  return { kind: kind === "unavailable" ? "failed" : "passed", words: kind };
}

/** That nothing is known under a new reference is the answer of a connection that works. */
function askAboutNothing(adapter: PaymentProvider, call: ProviderCall, sentUntil: Date) {
  const attemptId = newId();
  const of = { attemptId, operation: "authorize", sequence: 0 } as const;
  const reference = {
    ...of,
    providerReference: adapter.attemptReference(attemptId),
    idempotencyKey: adapter.idempotencyKey(of),
    begunAt: sentUntil,
  };
  const context = {
    ...call,
    ref: reference,
    chargeId: attemptId,
    note: () => Promise.resolve(),
    evidence: () => Promise.resolve([]),
  };
  return adapter.query(context, { reference, sentUntil });
}

/** Asked about an analysis that never was. */
async function ofAnalyst(kind: string, call: ProviderCall): Promise<Probe> {
  const chargeId = newId();
  const verdict = await antifraudFor(kind).query({ ...call, chargeId, reference: `${chargeId}-1` });
  return {
    kind: verdict.kind === "undetermined" || verdict.kind === "not_sent" ? "failed" : "passed",
    words: verdict.kind,
  };
}
