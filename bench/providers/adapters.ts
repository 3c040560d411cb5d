import { aCall, PAYER, quantile } from "@/bench/providers/calls";
import { table } from "@/bench/table";
import { braspagProvider } from "@/lib/providers/braspag";
import { cieloProvider } from "@/lib/providers/cielo";
import type { AuthorizeInput } from "@/lib/providers/provider";
import { startAdyen } from "@/lib/testing/providers/adyen/mock";
import { adyenRig } from "@/lib/testing/providers/adyen/rig";
import { startCielo } from "@/lib/testing/providers/cielo/mock";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import type { RigClock } from "@/lib/testing/providers/kit/rig";
import { startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { mercadoPagoRig } from "@/lib/testing/providers/mercado-pago/rig";
import { startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { pagarmeRig } from "@/lib/testing/providers/pagarme-v5/rig";
import { startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankRig } from "@/lib/testing/providers/pix-bacen/rig";
import { startStripe } from "@/lib/testing/providers/stripe/mock";
import { stripeRig } from "@/lib/testing/providers/stripe/rig";
import { monotonicMs, realNow } from "@/lib/time";

const WARM_UP = 100;
const CALLS = 500;
const TARGET_MS = 3;

const clock: RigClock = { now: realNow, advance: () => undefined };

/** Each adapter and its stand-in, on one process: what a call takes less what its stand-in took to answer. */
export async function measureAdapters(): Promise<string> {
  const bank = await startBank();
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ BB: { api: bank.url, token: bank.url } });
  process.env.PROVIDER_TEST_CA = bank.authority.cert;
  const mocks = {
    STRIPE: await startStripe(),
    ADYEN: await startAdyen(),
    PAGARME_V5: await startPagarme(),
    MERCADO_PAGO: await startMercadoPago(),
    CIELO: await startCielo(),
    BRASPAG: await startCielo({ product: "BRASPAG" }),
  };
  const made = [
    [mocks.STRIPE, stripeRig(mocks.STRIPE, clock)],
    [mocks.ADYEN, adyenRig(mocks.ADYEN, clock)],
    [mocks.PAGARME_V5, pagarmeRig(mocks.PAGARME_V5, clock)],
    [mocks.MERCADO_PAGO, mercadoPagoRig(mocks.MERCADO_PAGO, clock)],
    [mocks.CIELO, familyRig(mocks.CIELO, clock, cieloProvider)],
    [mocks.BRASPAG, familyRig(mocks.BRASPAG, clock, braspagProvider)],
    [bank, bankRig(bank, clock)],
  ] as const;
  const rows: string[][] = [];
  for (const [mock, { provider, credentials, card }] of made) {
    let answeredMs = 0;
    mock.timed = (milliseconds) => {
      answeredMs += milliseconds;
    };
    const pay = async () => {
      if (provider.capabilities.card === false) {
        const input = {
          amount: 50_00,
          expiresInSec: 3_600,
          payer: PAYER,
          receiver: { name: "Loja", city: "Sao Paulo" },
        };
        return provider.createPix(aCall(provider, credentials, "pix"), input);
      }
      const input: AuthorizeInput = {
        amount: 100_00,
        currency: "BRL",
        capture: false,
        installments: 1,
        card: card("approve"),
        holder: PAYER,
        buyerPresent: true,
        crossBorder: false,
      };
      return provider.authorize(aCall(provider, credentials, "authorize"), input);
    };
    const own: number[] = [];
    const whole: number[] = [];
    for (let call = 0; call < WARM_UP + CALLS; call++) {
      answeredMs = 0;
      const startedMs = monotonicMs();
      const { kind } = await pay();
      const tookMs = monotonicMs() - startedMs;
      if (kind !== "approved" && kind !== "pending") throw new Error(`${provider.kind} answered ${kind}`);
      if (call < WARM_UP) continue;
      whole.push(tookMs);
      own.push(tookMs - answeredMs);
    }
    const p95 = quantile(own, 0.95);
    const verdict = `≤ ${TARGET_MS} ms ${p95 <= TARGET_MS ? "reached" : "missed"}`;
    rows.push([provider.kind, ...[quantile(own, 0.5), p95, quantile(whole, 0.5)].map((ms) => ms.toFixed(2)), verdict]);
    await mock.close();
  }
  return table(["adapter", "own p50 ms", "own p95 ms", "call p50 ms", "target"], rows);
}
