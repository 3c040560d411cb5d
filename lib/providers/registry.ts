import { env } from "@/lib/env";
import type { AntifraudProvider } from "@/lib/providers/antifraud";
import { isPaymentKind, PAYMENT_KINDS } from "@/lib/providers/kinds";
import { measured } from "@/lib/providers/measured";
import type { AdapterKind, PaymentProvider } from "@/lib/providers/provider";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { sandboxAntifraud } from "@/lib/providers/sandbox/antifraud";
import { httpTransport, inProcessTransport, ownServerTransport } from "@/lib/providers/sandbox/transport";

/** How each adapter that exists is made; one of each serves the whole process. */
const ADAPTERS: Partial<Record<AdapterKind, () => PaymentProvider>> = {
  SANDBOX: () => {
    const { SANDBOX_TRANSPORT, SANDBOX_PROVIDER_URL } = env();
    if (SANDBOX_TRANSPORT === "in-process") return sandboxProvider(inProcessTransport());
    if (SANDBOX_PROVIDER_URL === undefined) return sandboxProvider(ownServerTransport());
    return sandboxProvider(httpTransport(SANDBOX_PROVIDER_URL, [new URL(SANDBOX_PROVIDER_URL).hostname]));
  },
};

const made = new Map<AdapterKind, PaymentProvider>();

/** The adapter that serves a kind. Routing leaves kinds without one out, so asking for one is a bug. */
export function providerFor(kind: string): PaymentProvider {
  const adapter = isPaymentKind(kind) ? PAYMENT_KINDS[kind].adapter : null;
  const kept = adapter === null ? undefined : made.get(adapter);
  if (kept) return kept;
  const make = adapter === null ? undefined : ADAPTERS[adapter];
  if (adapter === null || !make) throw new Error(`No adapter for ${kind} in this installation`);
  const provider = measured(make());
  made.set(adapter, provider);
  return provider;
}

export function antifraudFor(kind: string): AntifraudProvider {
  if (kind === sandboxAntifraud.kind) return sandboxAntifraud;
  throw new Error(`No analyst for ${kind} in this installation`);
}
