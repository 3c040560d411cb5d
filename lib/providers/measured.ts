import { countProviderCall } from "@/lib/metrics";
import type { PaymentProvider } from "@/lib/providers/provider";
import { monotonicMs } from "@/lib/time";

/** The same adapter, each of its calls counted and timed. */
export function measured(provider: PaymentProvider): PaymentProvider {
  const timed =
    <A extends unknown[], R extends { kind: string }>(operation: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const startedMs = monotonicMs();
      let outcome = "bug";
      try {
        const result = await call(...given);
        outcome = result.kind;
        return result;
      } finally {
        countProviderCall(provider.kind, operation, outcome, monotonicMs() - startedMs);
      }
    };
  return {
    ...provider,
    authorize: timed("authorize", provider.authorize),
    capture: timed("capture", provider.capture),
    void: timed("void", provider.void),
    refund: timed("refund", provider.refund),
    query: timed("query", provider.query),
    createPix: timed("create_pix", provider.createPix),
    createBoleto: timed("create_boleto", provider.createBoleto),
    createWallet: timed("create_wallet", provider.createWallet),
    cancelOpen: timed("cancel_open", provider.cancelOpen),
  };
}
