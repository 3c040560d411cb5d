import type { AntifraudKind, AntifraudProvider } from "@/lib/providers/antifraud";
import { isPaymentKind, PAYMENT_KINDS } from "@/lib/providers/kinds";
import { measured } from "@/lib/providers/measured";
import type { AdapterKind, PaymentProvider } from "@/lib/providers/provider";
import { simulatedAcquirer, simulatedFraudProvider } from "@/lib/providers/sandbox";

/** How each adapter that exists is made; one of each serves the whole process. */
const ADAPTERS: Partial<Record<AdapterKind, () => PaymentProvider>> = {
  SANDBOX: simulatedAcquirer,
};

const made = new Map<string, PaymentProvider>();

/** The adapter that serves a kind. Routing leaves kinds without one out, so asking for one is a bug. */
export function providerFor(kind: string): PaymentProvider {
  const adapter = isPaymentKind(kind) ? PAYMENT_KINDS[kind].adapter : null;
  const kept = made.get(adapter ?? kind);
  if (kept) return kept;
  const make = adapter === null ? undefined : ADAPTERS[adapter];
  if (adapter === null || !make) throw new Error(`No adapter for ${kind} in this installation`);
  const provider = measured(make());
  made.set(adapter, provider);
  return provider;
}

/** Adds an adapter to this process, in tests: its kind is no registrable one, so no request can name it. */
export function addProvider(provider: PaymentProvider): void {
  if (isPaymentKind(provider.kind)) throw new Error(`${provider.kind} is a registrable kind`);
  made.set(provider.kind, measured(provider));
}

const FRAUD_ADAPTERS: Record<AntifraudKind, () => AntifraudProvider> = { SANDBOX_ANTIFRAUD: simulatedFraudProvider };
const madeForFraud = new Map<string, AntifraudProvider>();

export function antifraudFor(kind: string): AntifraudProvider {
  const kept = madeForFraud.get(kind);
  if (kept) return kept;
  const make = Object.entries(FRAUD_ADAPTERS).find(([name]) => name === kind)?.[1];
  if (!make) throw new Error(`No fraud provider for ${kind} in this installation`);
  const provider = make();
  madeForFraud.set(kind, provider);
  return provider;
}
