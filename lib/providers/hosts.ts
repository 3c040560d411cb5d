import { env } from "@/lib/env";
import { HOST_PART } from "@/lib/providers/kinds";
import type { ProviderHost } from "@/lib/providers/provider";
import type { HostRole } from "@/lib/test-hosts";

type Addresses = Partial<Record<HostRole, Readonly<Record<ProviderHost, string>>>>;

/** The constant addresses of each kind that an adapter serves; nothing else is ever reached. */
export const HOSTS = {
  ADYEN: {
    // Each company has a live host of its own, of which its credentials name a part.
    api: { live: "https://{liveUrlPrefix}-checkout-live.adyenpayments.com", test: "https://checkout-test.adyen.com" },
  },
  STRIPE: { api: { live: "https://api.stripe.com", test: "https://api.stripe.com" } },
  MERCADO_PAGO: { api: { live: "https://api.mercadopago.com", test: "https://api.mercadopago.com" } },
  KONDUTO: { api: { live: "https://api.konduto.com", test: "https://api.konduto.com" } },
  PAGARME_V5: { api: { live: "https://api.pagar.me", test: "https://api.pagar.me" } },
  CIELO: {
    api: { live: "https://api.cieloecommerce.cielo.com.br", test: "https://apisandbox.cieloecommerce.cielo.com.br" },
    query: {
      live: "https://apiquery.cieloecommerce.cielo.com.br",
      test: "https://apiquerysandbox.cieloecommerce.cielo.com.br",
    },
  },
  BRASPAG: {
    api: { live: "https://api.braspag.com.br", test: "https://apisandbox.braspag.com.br" },
    query: { live: "https://apiquery.braspag.com.br", test: "https://apiquerysandbox.braspag.com.br" },
  },
  BB: {
    api: { live: "https://api-pix.bb.com.br", test: "https://api.hm.bb.com.br" },
    token: { live: "https://oauth.bb.com.br", test: "https://oauth.hm.bb.com.br" },
  },
  ITAU: {
    api: { live: "https://secure.api.itau", test: "https://devportal.itau.com.br" },
    token: { live: "https://sts.itau.com.br", test: "https://devportal.itau.com.br" },
  },
} as const satisfies Record<string, Addresses>;

export type HostedKind = keyof typeof HOSTS;

export interface HostAddress {
  baseUrl: string;
  /** A stand-in on this machine, which test credentials alone can reach. */
  isStandIn: boolean;
}

/** Where a call goes. A live credential never reads the stand-ins. */
export function hostAddress(
  kind: HostedKind,
  host: ProviderHost,
  role: HostRole = "api",
  credentials: Readonly<Record<string, string>> = {},
): HostAddress {
  const addresses: Addresses = HOSTS[kind];
  const constant = addresses[role];
  if (!constant) throw new Error(`${kind} has no host for ${role}`);
  const standIn = host === "test" ? env().PROVIDER_TEST_HOSTS?.[kind]?.[role] : undefined;
  return standIn === undefined
    ? { baseUrl: filled(constant[host], credentials), isStandIn: false }
    : { baseUrl: standIn, isStandIn: true };
}

/** A credential fills the named part of a host, and never more than that part. */
const filled = (address: string, credentials: Readonly<Record<string, string>>): string =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = credentials[name] ?? "";
    if (!HOST_PART.test(part)) throw new Error(`${name} names no part of a host`);
    return part;
  });
