/** The 24 reasons of a decline. */
export const DECLINED_CODES = [
  "card_not_supported",
  "expired_card",
  "fraud_confirmed",
  "fraud_suspect",
  "generic",
  "insufficient_funds",
  "invalid_amount",
  "invalid_cvv",
  "invalid_data",
  "invalid_installment",
  "invalid_merchant",
  "invalid_number",
  "invalid_pin",
  "issuer_not_available",
  "lost_card",
  "not_permitted",
  "pickup_card",
  "pin_try_exceeded",
  "restricted_card",
  "security_violation",
  "service_not_allowed",
  "stolen_card",
  "transaction_not_allowed",
  "try_again",
] as const;

/** Reasons that come from authentication, transport and providers rather than from an issuer. */
export const PLATFORM_DECLINE_CODES = [
  "blocked_card",
  "canceled_card",
  "bad_request",
  "denied_reason_not_available",
  "internal_error",
  "invalid_credentials",
  "processing_error",
  "request_not_sent",
  "timeout",
  "maximum_pin_tries",
  "authentication_error",
  "authentication_error_without_challenge",
  "authentication_attempts_unavailable_by_issuer",
  "authentication_unavailable",
  "cardholder_not_complete_authentication",
  "failed_authentication",
  "invalid_pares",
  "unable_to_perform_authentication",
  "invalid_cvv_update",
] as const;

export type DeclinedCode = (typeof DECLINED_CODES)[number];
export type PlatformDeclineCode = (typeof PLATFORM_DECLINE_CODES)[number];

const DECLINED: ReadonlySet<string> = new Set(DECLINED_CODES);
export const isDeclinedCode = (code: string): code is DeclinedCode => DECLINED.has(code);

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

/** They share one text that says nothing: no hint to a thief. */
const UNTOLD: ReadonlySet<DeclinedCode> = new Set(["fraud_confirmed", "lost_card", "pickup_card", "stolen_card"]);

/** The reason that helps a buyer who was not there when the card was declined; undefined where none is told. */
export const helpfulReason = (code: string | null | undefined): DeclinedCode | undefined =>
  code && isDeclinedCode(code) && code !== "generic" && !UNTOLD.has(code) ? code : undefined;

/**
 * never: irreversible. changed_data: only after the payer corrects data. later: reversible, spaced and inside the
 * network's limits. now: the issuer asks for one immediate retry.
 */
export type RetryClass = "never" | "changed_data" | "later" | "now";

/** A line of a decline table. by_mac: decided by Mastercard's advice code, `later` without one. */
export type DeclineRow = readonly [code: string, declinedCode: DeclinedCode, retry: RetryClass | "by_mac"];
