import { getTranslations } from "next-intl/server";
import type { RegistrableKind } from "@/lib/providers/kinds";

/** What each credential is called at its provider, and where it is found there. */
const WORDS = {
  BRASPAG: {
    merchantId: { name: "merchantId", place: "braspagMerchantIdPlace" },
    merchantKey: { name: "merchantKey", place: "braspagMerchantKeyPlace" },
    clientSecret: { name: "clientSecret", place: "braspagClientSecretPlace" },
    cardProvider: { name: "cardProvider", place: "braspagCardProviderPlace" },
    boletoProvider: { name: "boletoProvider", place: "braspagBoletoProviderPlace" },
    webhookSecret: { name: "notificationSecret", place: "braspagSecretPlace" },
  },
  CIELO: {
    merchantId: { name: "merchantId", place: "cieloMerchantIdPlace" },
    merchantKey: { name: "merchantKey", place: "cieloMerchantKeyPlace" },
    boletoProvider: { name: "boletoProvider", place: "cieloBoletoProviderPlace" },
    webhookSecret: { name: "notificationSecret", place: "cieloSecretPlace" },
  },
  MERCADO_PAGO: {
    accessToken: { name: "mercadoPagoAccessToken", place: "mercadoPagoAccessTokenPlace" },
    webhookSecret: { name: "signingSecret", place: "mercadoPagoSecretPlace" },
  },
  PAGARME_V5: {
    secretKey: { name: "secretKey", place: "pagarmeSecretKeyPlace" },
    webhookSecret: { name: "userAndPassword", place: "pagarmeUserAndPasswordPlace" },
  },
  STRIPE: {
    secretKey: { name: "secretKey", place: "stripeSecretKeyPlace" },
    webhookSecret: { name: "signingSecret", place: "stripeSigningSecretPlace" },
  },
} as const satisfies Partial<Record<RegistrableKind, Record<string, { name: string; place: string }>>>;

type Kinds = typeof WORDS;
type Words = { [K in keyof Kinds]: Kinds[K][keyof Kinds[K]] }[keyof Kinds];

const wordsOf = (kind: RegistrableKind, member: string): Words | undefined => {
  const known: Readonly<Partial<Record<string, Readonly<Partial<Record<string, Words>>>>>> = WORDS;
  return known[kind]?.[member];
};

export interface CredentialWords {
  label: string;
  hint?: string;
}

/** A member that has no words of its own goes by its name in the API. */
export async function credentialWords(kind: RegistrableKind): Promise<(member: string) => CredentialWords> {
  const t = await getTranslations("credentials");
  return (member) => {
    const known = wordsOf(kind, member);
    return known ? { label: t(known.name), hint: t(known.place) } : { label: member };
  };
}
