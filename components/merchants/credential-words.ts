import { getTranslations } from "next-intl/server";
import type { RegistrableKind } from "@/lib/providers/kinds";

/** What each credential is called at its provider, and where it is found there. */
const WORDS = {
  ADYEN: {
    apiKey: { name: "apiKey", place: "adyenApiKeyPlace" },
    merchantAccount: { name: "merchantAccount", place: "adyenMerchantAccountPlace" },
    liveUrlPrefix: { name: "liveUrlPrefix", place: "adyenLiveUrlPrefixPlace" },
    webhookHmacKey: { name: "webhookHmacKey", place: "adyenHmacKeyPlace" },
    webhookUsername: { name: "webhookUsername", place: "adyenWebhookUserPlace" },
    webhookPassword: { name: "webhookPassword", place: "adyenWebhookPasswordPlace" },
  },
  BB: {
    authBasic: { name: "authBasic", place: "bbAuthBasicPlace" },
    devAppKey: { name: "devAppKey", place: "bbDevAppKeyPlace" },
    pixKey: { name: "pixKey", place: "pixKeyPlace" },
    version: { name: "bbVersion", place: "bbVersionPlace" },
    mtlsPemBase64: { name: "certificate", place: "bbCertificatePlace" },
    mtlsPassPhrase: { name: "certificatePassword", place: "certificatePasswordPlace" },
    receiverAccount: { name: "receiverAccount", place: "receiverAccountPlace" },
    receiverAccountType: { name: "receiverAccountType", place: "receiverAccountTypePlace" },
    receiverBranch: { name: "receiverBranch", place: "receiverBranchPlace" },
  },
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
  ITAU: {
    pixClientId: { name: "clientId", place: "itauClientPlace" },
    pixSecretKey: { name: "clientSecret", place: "itauClientPlace" },
    pixMtlsCert: { name: "certificate", place: "itauCertificatePlace" },
    pixMtlsCertKey: { name: "certificateKey", place: "itauCertificateKeyPlace" },
    pixKey: { name: "pixKey", place: "pixKeyPlace" },
    receiverAccount: { name: "receiverAccount", place: "receiverAccountPlace" },
    receiverAccountType: { name: "receiverAccountType", place: "receiverAccountTypePlace" },
    receiverBranch: { name: "receiverBranch", place: "receiverBranchPlace" },
  },
  KONDUTO: {
    secretKey: { name: "privateKey", place: "kondutoPrivateKeyPlace" },
    publicKey: { name: "publicKey", place: "kondutoPublicKeyPlace" },
  },
  MERCADO_PAGO: {
    accessToken: { name: "mercadoPagoAccessToken", place: "mercadoPagoAccessTokenPlace" },
    webhookSecret: { name: "signingSecret", place: "mercadoPagoSecretPlace" },
  },
  PAGARME_V5: {
    secretKey: { name: "secretKey", place: "pagarmeSecretKeyPlace" },
    webhookSecret: { name: "userAndPassword", place: "pagarmeUserAndPasswordPlace" },
  },
  SANDBOX: { apiKey: { name: "apiKey", place: "sandboxApiKeyPlace" } },
  SANDBOX_ANTIFRAUD: { apiKey: { name: "apiKey", place: "sandboxApiKeyPlace" } },
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
