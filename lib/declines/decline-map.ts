import type { Brand } from "@/lib/brazil/card-brand";
import type { DeclinedCode, DeclineRow, RetryClass } from "@/lib/declines/decline-codes";
import { AMEX_ROWS, ELO_ROWS, MASTERCARD_ROWS, VISA_ROWS } from "@/lib/declines/network-rows";
import { ADYEN_ROWS, CIELO_ROWS, MERCADO_PAGO_ROWS, STRIPE_ROWS } from "@/lib/declines/provider-rows";

export interface MappedDecline {
  declinedCode: DeclinedCode;
  retry: RetryClass;
  /** How long the network wants us to wait. */
  notBeforeSeconds?: number;
}

interface Meaning {
  declinedCode: DeclinedCode;
  retry: RetryClass | "by_mac";
}
type Table = ReadonlyMap<string, Meaning>;

const table = (rows: readonly DeclineRow[]): Table =>
  new Map(rows.map(([code, declinedCode, retry]) => [code, { declinedCode, retry }]));

/** Brands without a table of their own answer only with codes on which Elo, Visa and Mastercard agree. */
const AGREED = table([
  ["05", "generic", "later"],
  ["13", "invalid_amount", "never"],
  ["14", "invalid_number", "never"],
  ["41", "lost_card", "never"],
  ["43", "stolen_card", "never"],
  ["51", "insufficient_funds", "later"],
  ["54", "expired_card", "never"],
  ["55", "invalid_pin", "changed_data"],
  ["61", "invalid_amount", "later"],
  ["65", "not_permitted", "later"],
  ["75", "pin_try_exceeded", "later"],
  ["91", "issuer_not_available", "later"],
  ["96", "try_again", "later"],
]);

const MASTERCARD = table(MASTERCARD_ROWS);

const NETWORK_TABLES: Record<Brand, Table> = {
  elo: table(ELO_ROWS),
  visa: table(VISA_ROWS),
  mastercard: MASTERCARD,
  hipercard: MASTERCARD,
  amex: table(AMEX_ROWS),
  diners: AGREED,
  discover: AGREED,
  jcb: AGREED,
  aura: AGREED,
  unknown: AGREED,
};

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Mastercard advice codes that ask for a pause before the next attempt. */
const ADVICE_WAIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ["02", 72 * HOUR_SECONDS],
  ["24", HOUR_SECONDS],
  ["25", 24 * HOUR_SECONDS],
  ["26", 2 * DAY_SECONDS],
  ["27", 4 * DAY_SECONDS],
  ["28", 6 * DAY_SECONDS],
  ["29", 8 * DAY_SECONDS],
  ["30", 10 * DAY_SECONDS],
]);
const ADVICE_NEVER: ReadonlySet<string> = new Set(["03", "21", "40", "41"]);
/** Advice that the card holder or the issuer has stopped payments to this merchant. */
export const ADVICE_STOP_ORDER: ReadonlySet<string> = new Set(["03", "21"]);
const BRANDS_WITH_ADVICE: ReadonlySet<Brand> = new Set<Brand>(["mastercard", "hipercard"]);

/** The same answer means a blocked card at home and a card not enabled for purchases abroad. */
const DOMESTIC_ONLY_CODE = "62";
const BRANDS_WITH_DOMESTIC_ONLY: ReadonlySet<Brand> = new Set<Brand>(["elo", "visa"]);

/** What is not known is not tried again. */
const UNKNOWN: MappedDecline = { declinedCode: "generic", retry: "never" };

export interface NetworkAnswer {
  brand: Brand;
  code: string;
  /** Mastercard's Merchant Advice Code. */
  mac?: string | undefined;
  crossBorder?: boolean | undefined;
}

/** A network's answer as our reason and retry class; always by brand and code, never by the code alone. */
export function mapDecline({ brand, code, mac, crossBorder = false }: NetworkAnswer): MappedDecline {
  const networkCode = code.trim().toUpperCase();
  const advice = BRANDS_WITH_ADVICE.has(brand) ? mac?.trim() : undefined;
  const meaning = NETWORK_TABLES[brand].get(networkCode);
  if (!meaning) {
    return advice && ADVICE_STOP_ORDER.has(advice)
      ? { declinedCode: "transaction_not_allowed", retry: "never" }
      : { ...UNKNOWN };
  }
  const abroad = crossBorder && networkCode === DOMESTIC_ONLY_CODE && BRANDS_WITH_DOMESTIC_ONLY.has(brand);
  return withAdvice({ ...meaning, declinedCode: abroad ? "service_not_allowed" : meaning.declinedCode }, advice);
}

/** Advice can forbid or postpone a retry; it never allows what the code forbids. An unlisted advice changes nothing. */
function withAdvice({ declinedCode, retry }: Meaning, advice: string | undefined): MappedDecline {
  if (advice !== undefined && ADVICE_NEVER.has(advice)) return { declinedCode, retry: "never" };
  const resolved = retry === "by_mac" ? "later" : retry;
  const wait = advice === undefined ? undefined : ADVICE_WAIT_SECONDS.get(advice);
  if (resolved !== "later" || wait === undefined) return { declinedCode, retry: resolved };
  return { declinedCode, retry: resolved, notBeforeSeconds: wait };
}

const PROVIDER_TABLES = {
  ADYEN: table(ADYEN_ROWS),
  STRIPE: table(STRIPE_ROWS),
  MERCADO_PAGO: table(MERCADO_PAGO_ROWS),
  CIELO: table(CIELO_ROWS),
} as const;

/** A refusal in a provider's own words: Adyen's refusalReasonCode, Stripe's decline_code, Mercado Pago's status_detail, Cielo's ReturnCode. */
export function mapProviderDecline(provider: keyof typeof PROVIDER_TABLES, code: string): MappedDecline {
  const meaning = PROVIDER_TABLES[provider].get(code);
  return meaning ? withAdvice(meaning, undefined) : { ...UNKNOWN };
}
