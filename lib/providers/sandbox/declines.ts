import type { DeclinedCode, RetryClass } from "@/lib/declines/decline-codes";

/** What the simulated network says for a decline (spec/sandbox.md section 4); the adapter maps it back. */
export interface NetworkAnswer {
  code?: string;
  /** Mastercard Merchant Advice Code. */
  advice?: string;
  /** Sent only where the brand has no code for the meaning. */
  retry?: RetryClass;
}

/** Visa, Elo, Mastercard (and Hipercard), Amex, Diners; null = the brand has no such code. */
type Row = readonly [visa: Code, elo: Code, mastercard: Code, amex: Code, diners: Code, retry: RetryClass];
type Code = string | null;

const MAC_SEPARATOR = "/";

const NETWORK_CODES: Readonly<Record<DeclinedCode, Row>> = {
  card_not_supported: ["52", "AB", null, null, null, "changed_data"],
  expired_card: ["54", "54", "54", "101", "54", "never"],
  fraud_confirmed: ["07", null, null, null, null, "never"],
  fraud_suspect: ["59", "59", "83/03", null, null, "later"],
  generic: ["05", "05", "05", "100", "05", "later"],
  insufficient_funds: ["51", "51", "51", "116", "51", "later"],
  invalid_amount: ["13", "13", "13", "110", "13", "never"],
  invalid_cvv: ["N7", "63", null, null, null, "never"],
  invalid_data: ["12", "12", "30", "181", null, "never"],
  invalid_installment: [null, "23", "12", null, null, "never"],
  invalid_merchant: ["03", "58", "03", "109", null, "never"],
  invalid_number: ["14", "14", "14", "122", "14", "never"],
  invalid_pin: ["55", "55", "55", "117", "55", "changed_data"],
  issuer_not_available: ["91", "91", "91", "912", "91", "later"],
  lost_card: ["41", "41", "41", null, "41", "never"],
  not_permitted: ["65", "65", "65", null, "65", "later"],
  pickup_card: ["04", null, "04", null, null, "never"],
  pin_try_exceeded: ["75", "75", "75", "106", "75", "later"],
  restricted_card: ["78", "78", "79/24", null, null, "later"],
  security_violation: ["1A", "82", "63", null, null, "changed_data"],
  service_not_allowed: [null, null, "62", null, null, "never"],
  stolen_card: ["43", "43", "43", null, "43", "never"],
  transaction_not_allowed: ["57", "57", "57", "200", null, "never"],
  try_again: ["96", "04", "96", "911", "96", "later"],
};

/** Brands without a table of their own share the codes on which the others agree. */
const DINERS = 4;
const COLUMNS: Partial<Record<string, 0 | 1 | 2 | 3>> = {
  visa: 0,
  elo: 1,
  mastercard: 2,
  hipercard: 2,
  amex: 3,
};

export function networkAnswer(brand: string | null, declinedCode: string): NetworkAnswer {
  const row = Object.hasOwn(NETWORK_CODES, declinedCode)
    ? NETWORK_CODES[declinedCode as DeclinedCode] // hasOwn proved the key.
    : undefined;
  // Authentication and transport codes never come from a network.
  if (!row) return { retry: "never" };
  const text = row[COLUMNS[brand ?? ""] ?? DINERS];
  if (text === null) return { retry: row[5] };
  const [code, advice] = text.split(MAC_SEPARATOR);
  return { code: code ?? text, ...(advice ? { advice } : {}) };
}
