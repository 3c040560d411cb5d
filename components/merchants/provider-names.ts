import type { RegistrableKind } from "@/lib/providers/kinds";

/** As the companies write themselves. */
const NAMES = {
  SANDBOX: "Sandbox",
  PAGARME_V5: "Pagar.me",
  ADYEN: "Adyen",
  BB: "Banco do Brasil",
  BS2: "Banco BS2",
  ITAU: "Itaú",
  STRIPE: "Stripe",
  CIELO: "Cielo",
  BRASPAG: "Braspag",
  MERCADO_PAGO: "Mercado Pago",
  BARTE: "Barte",
  BOLT: "Bolt",
  BRAINTREE: "Braintree",
  BS2_BOLETO: "Banco BS2 (boleto)",
  DRIP: "Drip",
  GETNET: "Getnet",
  GETNET_SEP: "Getnet SEP",
  KLAP: "Klap",
  MAPINVEST: "Mapinvest",
  NUPAY: "NuPay",
  PAGARME: "Pagar.me v4",
  PAGSEGURO: "PagBank",
  PAYPAL: "PayPal",
  PICPAY: "PicPay",
  REDE: "Rede",
  SAFRAPAY: "SafraPay",
  VR: "VR",
  WORLDPAY: "Worldpay",
  ZOOP: "Zoop",
  SANDBOX_ANTIFRAUD: "Sandbox antifraud",
  CLEARSALE: "ClearSale",
  B2E: "B2e",
  KONDUTO: "Konduto",
} as const satisfies Record<RegistrableKind, string>;

export const providerName = (kind: RegistrableKind): string => NAMES[kind];

const OF_ANY: Readonly<Record<string, string | undefined>> = NAMES;
/** The same of a kind that a payment was stored with, which may be offered no more. */
export const kindName = (kind: string): string => OF_ANY[kind] ?? kind;

/** A second one of a kind gets a name that tells the two apart, as flows, lists and payments show them. */
export function unusedProviderName(kind: RegistrableKind, used: readonly string[]): string {
  const name = providerName(kind);
  let shown = name;
  for (let nth = 2; used.includes(shown); nth++) shown = `${name} ${nth}`;
  return shown;
}

/** Two letters in the place of a logo, which belongs to its company. */
export const providerMark = (kind: RegistrableKind): string => {
  const words = NAMES[kind].replace(/[()]/g, "").split(/[\s.]+/);
  const letters = words.length > 1 ? [words[0], words[1]].map((word) => word?.[0] ?? "") : [...NAMES[kind].slice(0, 2)];
  return letters.join("").toUpperCase();
};
