import type { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { RegistrableKind } from "@/lib/providers/kinds";

/** What each credential is called at its provider, and where it is found there. */
const WORDS = {
  ADYEN: {
    apiKey: { name: "apiKey", place: "adyenApiKeyPlace" },
    merchantAccount: { name: "merchantAccount", place: "adyenMerchantAccountPlace" },
    version: { name: "apiVersion", place: "adyenVersionPlace" },
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
    boletoClientId: { name: "boletoClientId", place: "itauBoletoPlace" },
    boletoSecretKey: { name: "boletoClientSecret", place: "itauBoletoPlace" },
    boletoMtlsCert: { name: "boletoCertificate", place: "itauBoletoPlace" },
    boletoMtlsCertKey: { name: "boletoCertificateKey", place: "itauBoletoPlace" },
    boletoBeneficiaryKey: { name: "boletoBeneficiary", place: "itauBoletoPlace" },
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

/** Of kinds that no adapter serves yet: what the member is, without where it is found. */
const NAMES = {
  affiliationId: "affiliationId",
  apiKey: "apiKey",
  app: "application",
  clientApiKey: "clientApiKey",
  clientId: "clientId",
  clientKey: "clientKey",
  clientSecret: "clientSecret",
  commerceId: "commerceId",
  email: "email",
  gatewayId: "gatewayId",
  gatewayKey: "gatewayKey",
  keyComponent1: "keyComponent1",
  keyComponent2: "keyComponent2",
  marketplaceId: "marketplaceId",
  merchantApiKey: "merchantApiKey",
  merchantApiToken: "merchantApiToken",
  merchantCode: "merchantCode",
  merchantId: "merchantId",
  merchantKey: "merchantKey",
  merchantTerminal: "terminal",
  name: "user",
  password: "password",
  pixKey: "pixKey",
  privateKey: "privateKey",
  publicKey: "publicKey",
  refreshToken: "refreshToken",
  secretKey: "secretKey",
  sellerId: "sellerId",
  senha: "password",
  token: "token",
  tokenApi: "token",
  user: "user",
  userAPI: "user",
  xApiKeyToken: "xApiKeyToken",
} as const;

/** Banks and acquirers as they write themselves; the others are words. */
const COMPANIES: Readonly<Record<string, string>> = {
  BancoDoBrasil2: "Banco do Brasil",
  Bradesco2: "Bradesco",
  Caixa2: "Caixa",
  Cielo30: "Cielo",
  Getnet: "Getnet",
  GlobalPayments: "Global Payments",
  Itau2: "Itaú",
  Rede2: "Rede",
  Safra2: "Safra",
  Santander2: "Santander",
};

const CHOICES = {
  version: { 1: "bbVersion1", 2: "bbVersion2" },
  receiverAccountType: { CORRENTE: "checkingAccount", POUPANCA: "savingsAccount", PAGAMENTO: "paymentAccount" },
} as const;

type Choice = { [M in keyof typeof CHOICES]: (typeof CHOICES)[M][keyof (typeof CHOICES)[M]] }[keyof typeof CHOICES];
type Kinds = typeof WORDS;
type Words = { [K in keyof Kinds]: Kinds[K][keyof Kinds[K]] }[keyof Kinds];
export type CredentialTexts = ReturnType<typeof useTranslations<"credentials">>;

export const credentialTexts = (): Promise<CredentialTexts> => getTranslations("credentials");

/** Of a field that is left empty. */
export const emptyWords = (t: CredentialTexts) => ({
  hint: t("storedHint"),
  kept: t("keepStored"),
  unset: t("unset"),
});

const wordsOf = (kind: RegistrableKind, member: string): Words | undefined => {
  const known: Readonly<Partial<Record<string, Readonly<Partial<Record<string, Words>>>>>> = WORDS;
  return known[kind]?.[member];
};

const nameOf = (member: string): (typeof NAMES)[keyof typeof NAMES] | undefined => {
  const known: Readonly<Partial<Record<string, (typeof NAMES)[keyof typeof NAMES]>>> = NAMES;
  return known[member];
};

export interface CredentialWords {
  label: string;
  hint?: string;
}

/** A member that has no words of its own goes by its name in the API. */
export function credentialWords(t: CredentialTexts, kind: RegistrableKind, member: string): CredentialWords {
  const known = wordsOf(kind, member);
  if (known) return { label: t(known.name), hint: t(known.place) };
  const name = nameOf(member);
  return { label: name ? t(name) : member };
}

export function choiceWords(t: CredentialTexts, member: string, value: string): string {
  const known: Readonly<Partial<Record<string, Readonly<Partial<Record<string, Choice>>>>>> = CHOICES;
  const text = known[member]?.[value];
  return text ? t(text) : (COMPANIES[value] ?? value);
}
