import { secretOf } from "@/lib/providers/secret";
import { startAdyen } from "@/lib/testing/providers/adyen/mock";
import { adyenFields, delivered } from "@/lib/testing/providers/adyen/rig";
import { startCielo } from "@/lib/testing/providers/cielo/mock";
import type { Product } from "@/lib/testing/providers/cielo/objects";
import { withSecret } from "@/lib/testing/providers/cielo/rig";
import type { MockedKind } from "@/lib/testing/providers/kit/faulted-mock";
import { startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { signed as signedAtMercadoPago } from "@/lib/testing/providers/mercado-pago/rig";
import { startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { signedIn } from "@/lib/testing/providers/pagarme-v5/rig";
import { startStripe } from "@/lib/testing/providers/stripe/mock";
import { signed as signedAtStripe } from "@/lib/testing/providers/stripe/rig";
import { realNow } from "@/lib/time";

const byText = (body: unknown, headersOf: (text: string) => Headers) => {
  const text = JSON.stringify(body);
  return { headers: headersOf(text), body: text };
};

type Clock = () => Date;

const family =
  (type: Product) =>
  async (now: Clock): Promise<MockedKind> => {
    const mock = await startCielo({ product: type, now });
    return {
      mock,
      credentials: (name) => ({
        type,
        merchantId: name,
        merchantKey: `key_of_${name}`,
        ...(type === "BRASPAG" ? { clientSecret: `client_of_${name}` } : {}),
        webhookSecret: `secret_of_${name}`,
      }),
      notifications: (credentials) =>
        mock.events
          .filter(({ account }) => account === `${credentials.merchantId} ${credentials.merchantKey}`)
          .map(({ body }) => byText(body, () => withSecret(secretOf(credentials)))),
    };
  };

/** Each kind that takes cards, with a stand-in of its own. */
const STARTS = {
  STRIPE: async (now) => {
    const mock = await startStripe({ now });
    return {
      mock,
      credentials: (name) => ({ type: "STRIPE", secretKey: `sk_test_${name}`, webhookSecret: `whsec_${name}` }),
      notifications: (credentials) =>
        mock.events
          .filter(({ account }) => account === credentials.secretKey)
          .map(({ body }) => byText(body, (text) => signedAtStripe(text, secretOf(credentials), realNow()))),
    };
  },
  ADYEN: async (now) => {
    const mock = await startAdyen({ now });
    return {
      mock,
      credentials: (name) => ({ type: "ADYEN", ...adyenFields(name) }),
      notifications: (credentials) =>
        mock.news
          .filter(({ account }) => account === credentials.merchantAccount)
          .map((one) => ({ headers: new Headers(), body: delivered(one, secretOf(credentials)) })),
    };
  },
  PAGARME_V5: async (now) => {
    const mock = await startPagarme({ now });
    return {
      mock,
      credentials: (name) => ({
        type: "PAGARME_V5",
        secretKey: `sk_test_${name}`,
        webhookSecret: `trilho:password_of_${name}`,
      }),
      notifications: (credentials) =>
        mock.events
          .filter(({ account }) => account === credentials.secretKey)
          .map(({ body }) => byText(body, () => signedIn(secretOf(credentials)))),
    };
  },
  MERCADO_PAGO: async (now) => {
    const mock = await startMercadoPago({ now });
    return {
      mock,
      credentials: (name) => ({
        type: "MERCADO_PAGO",
        accessToken: `TEST-${name}`,
        webhookSecret: `secret_of_${name}`,
      }),
      notifications: (credentials) =>
        mock.events
          .filter(({ account }) => account === credentials.accessToken)
          .map(({ body }) => byText(body, (text) => signedAtMercadoPago(text, secretOf(credentials), realNow()))),
    };
  },
  CIELO: family("CIELO"),
  BRASPAG: family("BRASPAG"),
} as const satisfies Record<string, (now: Clock) => Promise<MockedKind>>;

export type CardKind = keyof typeof STARTS;
export const CARD_KINDS = Object.keys(STARTS) as CardKind[]; // Guarantee: the names of the table above.

/**
 * Starts the stand-ins, which live by this clock, and makes them the test hosts of their kinds: read once, at the first
 * use of a process.
 */
export async function startMocked<K extends CardKind>(
  kinds: readonly K[],
  now: Clock = realNow,
): Promise<Record<K, MockedKind>> {
  const started = await Promise.all(kinds.map(async (kind) => [kind, await STARTS[kind](now)] as const));
  process.env.PROVIDER_TEST_HOSTS = hostsOf(started);
  return Object.fromEntries(started) as Record<K, MockedKind>; // Guarantee: one for each that was asked for.
}

const hostsOf = (started: readonly (readonly [CardKind, MockedKind])[]): string =>
  JSON.stringify(
    Object.fromEntries(
      started.map(
        ([
          kind,
          {
            mock: { url },
          },
        ]) => [kind, addressesOf(kind, url)],
      ),
    ),
  );

/** The family answers questions at a host of their own. */
const addressesOf = (kind: CardKind, url: string) =>
  kind === "CIELO" || kind === "BRASPAG" ? { api: url, query: url } : url;
