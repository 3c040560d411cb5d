import { getTranslations } from "next-intl/server";
import type { DeclinedCode, PlatformDeclineCode } from "@/lib/declines/decline-codes";

/** Names of decline codes for lists, short enough to stand whole in a row; the sentences are in decline-words.ts. */
export const SHORT_DECLINES = {
  authentication_error: "declineShort_authentication_error",
  blocked_card: "declineShort_blocked_card",
  canceled_card: "declineShort_canceled_card",
  card_not_supported: "declineShort_card_not_supported",
  cardholder_not_complete_authentication: "declineShort_cardholder_not_complete_authentication",
  expired_card: "declineShort_expired_card",
  failed_authentication: "declineShort_failed_authentication",
  fraud_confirmed: "declineShort_fraud_confirmed",
  fraud_suspect: "declineShort_fraud_suspect",
  generic: "declineShort_generic",
  insufficient_funds: "declineShort_insufficient_funds",
  invalid_amount: "declineShort_invalid_amount",
  invalid_credentials: "declineShort_invalid_credentials",
  invalid_cvv: "declineShort_invalid_cvv",
  invalid_data: "declineShort_invalid_data",
  invalid_installment: "declineShort_invalid_installment",
  invalid_merchant: "declineShort_invalid_merchant",
  invalid_number: "declineShort_invalid_number",
  invalid_pin: "declineShort_invalid_pin",
  issuer_not_available: "declineShort_issuer_not_available",
  lost_card: "declineShort_lost_card",
  not_permitted: "declineShort_not_permitted",
  pickup_card: "declineShort_pickup_card",
  pin_try_exceeded: "declineShort_pin_try_exceeded",
  request_not_sent: "declineShort_request_not_sent",
  restricted_card: "declineShort_restricted_card",
  security_violation: "declineShort_security_violation",
  service_not_allowed: "declineShort_service_not_allowed",
  stolen_card: "declineShort_stolen_card",
  timeout: "declineShort_timeout",
  transaction_not_allowed: "declineShort_transaction_not_allowed",
  try_again: "declineShort_try_again",
  bad_request: "declineShort_bad_request",
  denied_reason_not_available: "declineShort_denied_reason_not_available",
  internal_error: "declineShort_internal_error",
  processing_error: "declineShort_processing_error",
  maximum_pin_tries: "declineShort_maximum_pin_tries",
  authentication_error_without_challenge: "declineShort_authentication_error_without_challenge",
  authentication_attempts_unavailable_by_issuer: "declineShort_authentication_attempts_unavailable_by_issuer",
  authentication_unavailable: "declineShort_authentication_unavailable",
  invalid_pares: "declineShort_invalid_pares",
  unable_to_perform_authentication: "declineShort_unable_to_perform_authentication",
  invalid_cvv_update: "declineShort_invalid_cvv_update",
} as const satisfies Record<DeclinedCode | PlatformDeclineCode, string>;

const isKnown = (code: string): code is keyof typeof SHORT_DECLINES => Object.hasOwn(SHORT_DECLINES, code);

/** Unknown codes stand for themselves. */
export async function shortDeclineWords(): Promise<(code: string) => string> {
  const t = await getTranslations("payments");
  return (code) => (isKnown(code) ? t(SHORT_DECLINES[code]) : code);
}
