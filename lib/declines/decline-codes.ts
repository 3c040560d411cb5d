/** The 24 reasons of a decline; `retryable` holds where only the code is known. */
const DECLINED = {
  card_not_supported: false,
  expired_card: true,
  fraud_confirmed: false,
  fraud_suspect: true,
  generic: true,
  insufficient_funds: true,
  invalid_amount: false,
  invalid_cvv: true,
  invalid_data: false,
  invalid_installment: true,
  invalid_merchant: true,
  invalid_number: false,
  invalid_pin: false,
  issuer_not_available: true,
  lost_card: false,
  not_permitted: true,
  pickup_card: true,
  pin_try_exceeded: false,
  restricted_card: true,
  security_violation: true,
  service_not_allowed: false,
  stolen_card: false,
  transaction_not_allowed: false,
  try_again: true,
} as const satisfies Record<string, boolean>;

/** Reasons that come from authentication, transport and providers rather than from an issuer. */
const PLATFORM = {
  blocked_card: true,
  canceled_card: true,
  bad_request: true,
  denied_reason_not_available: true,
  internal_error: true,
  invalid_credentials: true,
  processing_error: true,
  request_not_sent: true,
  timeout: true,
  maximum_pin_tries: false,
  authentication_error: false,
  authentication_error_without_challenge: false,
  authentication_attempts_unavailable_by_issuer: false,
  authentication_unavailable: false,
  cardholder_not_complete_authentication: false,
  failed_authentication: false,
  invalid_pares: false,
  unable_to_perform_authentication: false,
  invalid_cvv_update: false,
} as const satisfies Record<string, boolean>;

export type DeclinedCode = keyof typeof DECLINED;
export type PlatformDeclineCode = keyof typeof PLATFORM;

// Object.keys of these literals gives exactly their keys.
export const DECLINED_CODES = Object.keys(DECLINED) as DeclinedCode[];
export const PLATFORM_DECLINE_CODES = Object.keys(PLATFORM) as PlatformDeclineCode[];

export const isDeclinedCode = (code: string): code is DeclinedCode => Object.hasOwn(DECLINED, code);

const AUTHENTICATION: ReadonlySet<string> = new Set<PlatformDeclineCode>([
  "authentication_error",
  "authentication_error_without_challenge",
  "authentication_attempts_unavailable_by_issuer",
  "authentication_unavailable",
  "cardholder_not_complete_authentication",
  "failed_authentication",
  "invalid_pares",
  "unable_to_perform_authentication",
]);
/** The bank could not tell who the buyer is: the card itself was not refused. */
export const isAuthentication = (code: string): boolean => AUTHENTICATION.has(code);

/**
 * never: irreversible. changed_data: only after the payer corrects data. later: reversible, spaced and inside the
 * network's limits. now: the issuer asks for one immediate retry.
 */
export type RetryClass = "never" | "changed_data" | "later" | "now";

/** A line of a decline table. by_mac: decided by Mastercard's advice code, `later` without one. */
export type DeclineRow = readonly [code: string, declinedCode: DeclinedCode, retry: RetryClass | "by_mac"];

const RETRYABLE: ReadonlyMap<string, boolean> = new Map(Object.entries({ ...DECLINED, ...PLATFORM }));

/** The class of a reason that came without the network's answer. */
export const classOfCode = (declinedCode: string): RetryClass => (RETRYABLE.get(declinedCode) ? "later" : "never");
