import { adyenProvider } from "@/lib/providers/adyen";
import type { AntifraudKind, AntifraudProvider } from "@/lib/providers/antifraud";
import { braspagProvider } from "@/lib/providers/braspag";
import { isConfirmable } from "@/lib/providers/capabilities";
import { cieloProvider } from "@/lib/providers/cielo";
import { connectionsOf } from "@/lib/providers/connections";
import { isPaymentKind, PAYMENT_KINDS, type ProviderKind } from "@/lib/providers/kinds";
import { kondutoAntifraud } from "@/lib/providers/konduto";
import { measured } from "@/lib/providers/measured";
import { mercadoPagoProvider } from "@/lib/providers/mercado-pago";
import { pagarmeV5Provider } from "@/lib/providers/pagarme-v5";
import { pixBacenProvider } from "@/lib/providers/pix-bacen";
import { BANKS, type Bank, profileOf } from "@/lib/providers/pix-bacen/banks";
import type { AdapterKind, PaymentProvider } from "@/lib/providers/provider";
import { simulatedAcquirer, simulatedBank, simulatedFraudProvider, takeScenario } from "@/lib/providers/sandbox";
import type { ReadStatement } from "@/lib/providers/statements";
import { stripeProvider } from "@/lib/providers/stripe";
import type { TransferBank } from "@/lib/providers/transfers";

/** How each adapter that exists is made for a kind that it serves; one for each kind serves the whole process. */
const ADAPTERS: Partial<Record<AdapterKind, (kind: ProviderKind) => PaymentProvider>> = {
  SANDBOX: simulatedAcquirer,
  MERCADO_PAGO: () => mercadoPagoProvider(connectionsOf("MERCADO_PAGO")),
  PAGARME_V5: () => pagarmeV5Provider(connectionsOf("PAGARME_V5")),
  BRASPAG: () => braspagProvider(connectionsOf("BRASPAG")),
  CIELO: () => cieloProvider(connectionsOf("CIELO")),
  ADYEN: () => adyenProvider(connectionsOf("ADYEN")),
  STRIPE: () => stripeProvider(connectionsOf("STRIPE")),
  PIX_BACEN: (kind) => bankOf(kind),
};

function bankOf(kind: ProviderKind): PaymentProvider {
  const bank: Bank | undefined = BANKS.find((name) => name === kind);
  if (!bank) throw new Error(`${kind} is no bank of the Central Bank's API`);
  return pixBacenProvider(
    bank,
    connectionsOf(bank, (credentials) => profileOf(bank).certificate(credentials.reveal())),
  );
}

const made = new Map<string, PaymentProvider>();

/** The adapter that serves a kind. Routing leaves kinds without one out, so asking for one is a bug. */
export function providerFor(kind: string): PaymentProvider {
  const kept = made.get(kind);
  if (kept) return kept;
  const adapter = isPaymentKind(kind) ? PAYMENT_KINDS[kind].adapter : null;
  const make = adapter === null ? undefined : ADAPTERS[adapter];
  if (!isPaymentKind(kind) || !make) throw new Error(`No adapter for ${kind} in this installation`);
  return register(kind, make(kind));
}

function register(kind: string, adapter: PaymentProvider): PaymentProvider {
  if (!isConfirmable(adapter.capabilities)) throw new Error(`${kind}: nothing tells what became of a lost call`);
  const provider = measured(adapter);
  made.set(kind, provider);
  return provider;
}

/** How a kind tells what it paid; fraud providers pay nothing. */
export const statementReaderOf = (kind: string): ReadStatement | undefined =>
  kind in FRAUD_ADAPTERS ? undefined : providerFor(kind).statement;

/** Adds an adapter to this process, in tests: its kind is no registrable one, so no request can name it. */
export function addProvider(provider: PaymentProvider): void {
  if (isPaymentKind(provider.kind)) throw new Error(`${provider.kind} is a registrable kind`);
  register(provider.kind, provider);
}

/** Who pays sellers on the rail of the simulator. */
let bank: TransferBank | undefined;
export function transferBank(): TransferBank {
  bank ??= simulatedBank();
  return bank;
}

const FRAUD_ADAPTERS: Record<AntifraudKind, () => AntifraudProvider> = {
  SANDBOX_ANTIFRAUD: simulatedFraudProvider,
  KONDUTO: () => kondutoAntifraud(connectionsOf("KONDUTO")),
};
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

/** What the simulator was told beforehand for a payment that no request makes; undefined when nothing was. */
export const storedScenario = (
  clientId: string,
  about: { cardId?: string; customerId: string; merchantId: string },
): Promise<string | undefined> => takeScenario(clientId, about);
