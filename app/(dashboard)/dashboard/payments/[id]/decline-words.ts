import { getTranslations } from "next-intl/server";
import type { AttemptRow } from "@/lib/payments/attempts";

/** Reasons of a decline and their sentences; others are named by their code. */
const TEXTS = {
  authentication_error: "decline_authentication_error",
  blocked_card: "decline_blocked_card",
  canceled_card: "decline_canceled_card",
  card_not_supported: "decline_card_not_supported",
  cardholder_not_complete_authentication: "decline_cardholder_not_complete_authentication",
  expired_card: "decline_expired_card",
  failed_authentication: "decline_failed_authentication",
  fraud_confirmed: "decline_fraud_confirmed",
  fraud_suspect: "decline_fraud_suspect",
  generic: "decline_generic",
  insufficient_funds: "decline_insufficient_funds",
  invalid_amount: "decline_invalid_amount",
  invalid_credentials: "decline_invalid_credentials",
  invalid_cvv: "decline_invalid_cvv",
  invalid_data: "decline_invalid_data",
  invalid_installment: "decline_invalid_installment",
  invalid_merchant: "decline_invalid_merchant",
  invalid_number: "decline_invalid_number",
  invalid_pin: "decline_invalid_pin",
  issuer_not_available: "decline_issuer_not_available",
  lost_card: "decline_lost_card",
  not_permitted: "decline_not_permitted",
  pickup_card: "decline_pickup_card",
  pin_try_exceeded: "decline_pin_try_exceeded",
  request_not_sent: "decline_request_not_sent",
  restricted_card: "decline_restricted_card",
  security_violation: "decline_security_violation",
  service_not_allowed: "decline_service_not_allowed",
  stolen_card: "decline_stolen_card",
  timeout: "decline_timeout",
  transaction_not_allowed: "decline_transaction_not_allowed",
  try_again: "decline_try_again",
} as const;

export type Reasons = (attempt: Pick<AttemptRow, "providerError"> | undefined) => string;

export async function declineReasons(): Promise<Reasons> {
  const words = await declineWords();
  return (attempt) => words(attempt?.providerError?.declinedCode ?? "generic");
}

/** The sentence of a decline code. */
export async function declineWords(): Promise<(code: string) => string> {
  const t = await getTranslations("payments");
  return (code) =>
    // Guarantee: looked up only where the key exists.
    Object.hasOwn(TEXTS, code) ? t(TEXTS[code as keyof typeof TEXTS]) : t("decline_other", { code });
}
