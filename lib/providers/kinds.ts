import type { ThreeDSSupport } from "@/lib/providers/capabilities";
import type { OptionsRule } from "@/lib/providers/options";
import type { AdapterKind, Problems, Result } from "@/lib/providers/provider";

/** Registrable kinds: what each can do, what its credentials are, and whether this installation can route to it. */
export interface KindCapabilities {
  card: boolean;
  boleto: boolean;
  pix: boolean;
  instalmentPix: boolean;
  split: boolean;
  threeDS2: ThreeDSSupport;
  voucher: boolean;
}

interface CredentialField {
  required?: boolean;
  values?: readonly string[];
  pattern?: RegExp;
  /** Required when another member has this value. */
  requiredWhen?: { member: string; equals: string };
  /** May be a list of two: the old and the new of a rotation. */
  isRotated?: boolean;
  /** Needed where live money is: the test host has no such thing. */
  onlyLive?: boolean;
  /** Its form on either side, where it tells test from live. */
  forms?: Readonly<Record<"live" | "test", RegExp>>;
}

export interface PaymentKindRow extends KindCapabilities {
  /** Listed under another spelling in answers. */
  listedAs?: string;
  credentials: Readonly<Record<string, CredentialField>>;
  options?: OptionsRule;
  /** The adapter that serves the kind in this installation; null = registrable, never routed. */
  adapter: AdapterKind | null;
}

/** Letters of the published matrix: card, boleto, Pix, instalment Pix, split, 3DS2, voucher. */
const can = (letters: string): KindCapabilities => ({
  card: letters.includes("C"),
  boleto: letters.includes("B"),
  pix: letters.includes("P"),
  instalmentPix: letters.includes("I"),
  split: letters.includes("S"),
  threeDS2: letters.includes("3") ? "full" : "none",
  voucher: letters.includes("V"),
});

/** Names ending in `*` are required. */
function fields(...names: string[]): Record<string, CredentialField> {
  return Object.fromEntries(
    names.map((name) => (name.endsWith("*") ? [name.slice(0, -1), { required: true }] : [name, {}])),
  );
}

const kind = (
  letters: string,
  credentials: Record<string, CredentialField>,
  options?: OptionsRule,
): PaymentKindRow => ({
  ...can(letters),
  credentials,
  ...(options ? { options } : {}),
  adapter: null,
});

/** A part of a host name, never a host: no base address can be changed through a credential. */
export const HOST_PART = /^[a-z0-9-]{1,60}$/;
/** One key, or both of a rotation. */
const HEX_KEYS = /^[0-9A-Fa-f]{64}(?:\n[0-9A-Fa-f]{64})?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What a provider signs in with at our address: one, or two of a rotation. */
const USERS_WITH_PASSWORDS = /^[^\s:]+:\S+(\n[^\s:]+:\S+)?$/;
/** The account that Pix Automático pays into: both or none. */
const RECEIVER = {
  receiverAccount: { pattern: /^\d{1,20}$/ },
  receiverAccountType: { values: ["CORRENTE", "POUPANCA", "PAGAMENTO"] },
  receiverBranch: { pattern: /^\d{1,4}$/ },
};
const ON_VERSION_2 = { member: "version", equals: "2" };

/** What signs the provider's notifications: the merchant copies it from there. */
const WEBHOOK_SECRET = { webhookSecret: { isRotated: true } };

const served = (row: PaymentKindRow, adapter: AdapterKind): PaymentKindRow => ({ ...row, adapter });

export const PAYMENT_KINDS = {
  SANDBOX: { ...kind("CBPIS3V", fields("apiKey"), { type: "SANDBOX" }), adapter: "SANDBOX" },
  PAGARME_V5: served(
    kind("CBPSV", {
      secretKey: { required: true, forms: { live: /^sk_(?!test_)\w+$/, test: /^sk_test_\w+$/ } },
      webhookSecret: { isRotated: true, pattern: USERS_WITH_PASSWORDS },
    }),
    "PAGARME_V5",
  ),
  ADYEN: served(
    kind("CBP3", {
      ...fields("apiKey*", "merchantAccount*", "version", "webhookUsername", "webhookPassword"),
      liveUrlPrefix: { required: true, onlyLive: true, pattern: HOST_PART },
      webhookHmacKey: { isRotated: true, pattern: HEX_KEYS },
    }),
    "ADYEN",
  ),
  BB: served(
    kind("P", {
      ...fields("authBasic*", "devAppKey*", "pixKey*"),
      version: { values: ["1", "2"] },
      mtlsPemBase64: { pattern: BASE64, requiredWhen: ON_VERSION_2 },
      mtlsPassPhrase: { requiredWhen: ON_VERSION_2 },
      ...RECEIVER,
    }),
    "PIX_BACEN",
  ),
  BS2: kind("P", fields("clientKey*", "clientSecret*", "pixKey*")),
  ITAU: served(
    kind("P", {
      ...fields(
        "pixClientId*",
        "pixSecretKey*",
        "pixMtlsCert*",
        "pixMtlsCertKey*",
        "pixKey*",
        "boletoClientId",
        "boletoSecretKey",
        "boletoMtlsCert",
        "boletoMtlsCertKey",
        "boletoBeneficiaryKey",
      ),
      ...RECEIVER,
    }),
    "PIX_BACEN",
  ),
  STRIPE: served(
    kind("CB", {
      secretKey: { required: true, forms: { live: /^[sr]k_live_\w+$/, test: /^[sr]k_test_\w+$/ } },
      ...WEBHOOK_SECRET,
    }),
    "STRIPE",
  ),
  CIELO: served(
    kind("CBP3", {
      ...fields("merchantId*", "merchantKey*"),
      boletoProvider: { values: ["Bradesco2", "BancoDoBrasil2"] },
      ...WEBHOOK_SECRET,
    }),
    "CIELO",
  ),
  BRASPAG: served(
    kind("CBP3", {
      ...fields("merchantId*", "merchantKey*", "clientSecret*"),
      cardProvider: { values: ["Cielo30", "Getnet", "GlobalPayments", "Rede2", "Safra2"] },
      boletoProvider: { values: ["Bradesco2", "BancoDoBrasil2", "Itau2", "Santander2", "Caixa2"] },
      ...WEBHOOK_SECRET,
    }),
    "BRASPAG",
  ),
  MERCADO_PAGO: served(
    kind("CBP", {
      // Its test users pay with tokens of the live form: the other way round a token tells.
      accessToken: { required: true, forms: { live: /^(?!TEST-)\S+$/, test: /^\S+$/ } },
      ...WEBHOOK_SECRET,
    }),
    "MERCADO_PAGO",
  ),
  BARTE: kind("C3", fields("tokenApi*"), { type: "BARTE", required: true }),
  BOLT: kind("C", fields("gatewayId", "gatewayKey", "merchantId", "merchantKey", "merchantTerminal")),
  BRAINTREE: kind("C", fields("merchantId*", "publicKey*", "privateKey*")),
  BS2_BOLETO: kind("B", fields("clientKey*", "clientSecret*", "refreshToken*")),
  DRIP: kind("I", fields("secretKey*")),
  GETNET: kind("CBP", fields("clientId*", "clientSecret*", "sellerId*")),
  GETNET_SEP: { ...kind("C", fields("clientApiKey*", "clientSecret*", "sellerId*")), listedAs: "GETNETSEP" },
  KLAP: kind("C", fields("apiKey*", "commerceId*", "keyComponent1*", "keyComponent2*")),
  MAPINVEST: kind("P", fields("clientId", "clientSecret", "pixKey", "publicKey", "privateKey")),
  NUPAY: kind("", fields("merchantApiToken*", "merchantApiKey*"), { type: "NUPAY" }),
  PAGARME: kind("CBPS", fields("apiKey*")),
  PAGSEGURO: kind("CP", fields("token*", "email*")),
  PAYPAL: kind("C", fields("clientId*", "clientSecret*")),
  PICPAY: kind("CP", fields("clientId*", "clientSecret*")),
  REDE: kind("C", fields("merchantId*", "apiKey*")),
  SAFRAPAY: kind("CP", fields("token*")),
  VR: kind("V", fields("affiliationId*", "clientId", "clientSecret")),
  WORLDPAY: kind("C", fields("merchantCode*", "userAPI*", "senha*")),
  ZOOP: kind("CBPS", {
    ...fields("marketplaceId*", "sellerId*", "apiKey*", "xApiKeyToken*"),
    privateKey: { required: true, pattern: BASE64 },
    publicKey: { required: true, pattern: BASE64 },
  }),
} as const satisfies Record<string, PaymentKindRow>;

export type ProviderKind = keyof typeof PAYMENT_KINDS;

export interface AntifraudKindRow {
  credentials: Readonly<Record<string, CredentialField>>;
  options: OptionsRule;
  adapter: "SANDBOX_ANTIFRAUD" | "KONDUTO" | null;
}

export const ANTIFRAUD_KINDS = {
  SANDBOX_ANTIFRAUD: { credentials: fields("apiKey"), options: { type: "ANTIFRAUD" }, adapter: "SANDBOX_ANTIFRAUD" },
  CLEARSALE: { credentials: fields("name*", "password*", "app"), options: { type: "ANTIFRAUD" }, adapter: null },
  B2E: {
    credentials: fields("user*", "password*", "merchantId*"),
    options: { type: "ANTIFRAUD", asyncOnly: true },
    adapter: null,
  },
  KONDUTO: { credentials: fields("secretKey*", "publicKey"), options: { type: "ANTIFRAUD" }, adapter: "KONDUTO" },
} as const satisfies Record<string, AntifraudKindRow>;

export type RegistrableKind = ProviderKind | keyof typeof ANTIFRAUD_KINDS;

/** Kinds that simulate: no live account may have them, and no real card meets them. */
const SIMULATED: readonly string[] = ["SANDBOX", "SANDBOX_ANTIFRAUD"] satisfies RegistrableKind[];
export const isSimulatedKind = (kind: string): boolean => SIMULATED.includes(kind);
export const isPaymentKind = (kind: string): kind is ProviderKind => Object.hasOwn(PAYMENT_KINDS, kind);
export const isAntifraudKind = (kind: string): kind is keyof typeof ANTIFRAUD_KINDS =>
  Object.hasOwn(ANTIFRAUD_KINDS, kind);

/** Other spellings that requests may use. */
const SPELLINGS: Readonly<Record<string, ProviderKind>> = { picpay: "PICPAY", GETNETSEP: "GETNET_SEP" };

export function registrableKind(type: unknown): RegistrableKind | undefined {
  if (typeof type !== "string") return undefined;
  if (isPaymentKind(type) || isAntifraudKind(type)) return type;
  return Object.hasOwn(SPELLINGS, type) ? SPELLINGS[type] : undefined;
}

export const kindRow = (kind: RegistrableKind): PaymentKindRow | AntifraudKindRow =>
  isPaymentKind(kind) ? PAYMENT_KINDS[kind] : ANTIFRAUD_KINDS[kind];

export const isRoutable = (kind: RegistrableKind): boolean => kindRow(kind).adapter !== null;

export const optionsRuleOf = (kind: RegistrableKind): OptionsRule | undefined => kindRow(kind).options;

const MAX_CREDENTIAL_LENGTH = 16_384;
/** `environment: "test"` marks credentials that reach the provider's test host alone. */
const ENVIRONMENT = "environment";

export interface Credentials {
  type: RegistrableKind;
  environment?: "test";
  /** Every member besides type and environment. */
  fields: Record<string, string>;
}

/** Shape only: required, unknown and malformed members. */
export function checkCredentials(type: unknown, raw: unknown): Result<Credentials> {
  const kind = registrableKind(type);
  if (!kind) return { ok: false, errors: [{ field: "credentials.type", message: "is not a provider kind" }] };
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { ok: false, errors: [{ field: "credentials", message: "must be an object" }] };
  }
  const errors: Problems = [];
  const shape: Readonly<Record<string, CredentialField>> = kindRow(kind).credentials;
  const given: Record<string, string> = {};
  let environment: "test" | undefined;
  for (const [name, value] of Object.entries(raw)) {
    if (name === "type" || value === undefined || value === null) continue;
    const member = rotated(shape, name, value);
    const problem = name === ENVIRONMENT ? environmentProblem(value) : memberProblem(shape, name, member);
    if (problem) errors.push({ field: `credentials.${name}`, message: problem });
    else if (name !== ENVIRONMENT) given[name] = String(member);
    else if (value === "test") environment = "test";
  }
  const isSideKnown = !errors.some(({ field }) => field === `credentials.${ENVIRONMENT}`);
  for (const [name, { forms }] of isSideKnown ? Object.entries(shape) : []) {
    const side = environment ?? "live";
    if (forms && given[name] !== undefined && !forms[side].test(given[name])) {
      errors.push({ field: `credentials.${name}`, message: `is not of the ${side} environment` });
    }
  }
  for (const [name, field] of Object.entries(shape)) {
    const needed =
      (field.required && !(field.onlyLive && environment === "test")) ||
      (field.requiredWhen && given[field.requiredWhen.member] === field.requiredWhen.equals);
    const attempted = errors.some((error) => error.field === `credentials.${name}`);
    if (needed && given[name] === undefined && !attempted) {
      errors.push({ field: `credentials.${name}`, message: "is required" });
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { type: kind, ...(environment ? { environment } : {}), fields: given } };
}

const environmentProblem = (value: unknown): string | undefined =>
  value === "test" || value === "live" ? undefined : 'must be "live" or "test"';

const SEPARATOR = "\n";
const MOST_AT_ONCE = 2;

/** The secrets that are stored as one member. */
export const secretsIn = (member: string | undefined): string[] => (member ?? "").split(SEPARATOR).filter(Boolean);

function rotated(shape: Readonly<Record<string, CredentialField>>, name: string, value: unknown): unknown {
  if (!Object.hasOwn(shape, name) || !shape[name]?.isRotated || !Array.isArray(value)) return value;
  const isList =
    value.length <= MOST_AT_ONCE && value.every((one) => typeof one === "string" && !one.includes(SEPARATOR));
  return isList ? value.filter(Boolean).join(SEPARATOR) : value;
}

function memberProblem(
  shape: Readonly<Record<string, CredentialField>>,
  name: string,
  value: unknown,
): string | undefined {
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (!field) return "unknown field";
  // A version may come as a number: everything else is text.
  const text = field.values && typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length === 0) return "must be a string";
  if (text.length > MAX_CREDENTIAL_LENGTH) return `must have at most ${MAX_CREDENTIAL_LENGTH} characters`;
  if (field.values && !field.values.includes(text)) return `must be one of ${field.values.join(", ")}`;
  if (field.pattern && !field.pattern.test(text)) return "is malformed";
  return undefined;
}
