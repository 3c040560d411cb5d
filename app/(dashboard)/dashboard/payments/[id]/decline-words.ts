import { getTranslations } from "next-intl/server";
import { isDecidedByPeople } from "@/lib/charges/by-people";
import { NOT_FOUND_THERE } from "@/lib/charges/engine/on-query";
import type { DeclinedCode, PlatformDeclineCode } from "@/lib/declines/decline-codes";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { SlotLane } from "@/lib/purchases/overview";

/** Reasons of a decline and their sentences; others are named by their code. */
export const DECLINE_TEXTS = {
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
  bad_request: "decline_bad_request",
  denied_reason_not_available: "decline_denied_reason_not_available",
  internal_error: "decline_internal_error",
  processing_error: "decline_processing_error",
  maximum_pin_tries: "decline_maximum_pin_tries",
  authentication_error_without_challenge: "decline_authentication_error_without_challenge",
  authentication_attempts_unavailable_by_issuer: "decline_authentication_attempts_unavailable_by_issuer",
  authentication_unavailable: "decline_authentication_unavailable",
  invalid_pares: "decline_invalid_pares",
  unable_to_perform_authentication: "decline_unable_to_perform_authentication",
  invalid_cvv_update: "decline_invalid_cvv_update",
} as const satisfies Record<DeclinedCode | PlatformDeclineCode, string>;

const isKnown = (code: string): code is keyof typeof DECLINE_TEXTS => Object.hasOwn(DECLINE_TEXTS, code);

export type Reasons = (attempt: Pick<AttemptRow, "providerError" | "requestType"> | undefined) => string;

export async function declineReasons(payment?: { attempts: readonly AttemptRow[] }): Promise<Reasons> {
  const [words, t] = await Promise.all([declineWords(), getTranslations("payments")]);
  return (attempt) => {
    if (attempt && payment && isSettledByPeople(attempt, payment)) return t("decidedAbsent");
    const code = attempt?.providerError?.declinedCode ?? "generic";
    // The codes tell of issuers: a verdict on fraud is the analyst's.
    if (attempt?.requestType !== ANALYSIS) return words(code);
    return t(code === SUSPECT ? "analysisRefused" : "analysisFailed");
  };
}

/** A silence that people ended: what they said is the reason, and not the silence. */
const isSettledByPeople = (
  { providerError }: Pick<AttemptRow, "providerError">,
  payment: { attempts: readonly AttemptRow[] },
): boolean => providerError?.message === NOT_FOUND_THERE && isDecidedByPeople(payment);

/** What the provider itself said of a refusal; what we write there in its place is told as the reason. */
export const saidByProvider = ({ providerError, requestType }: AttemptRow): string | undefined =>
  requestType === ANALYSIS || providerError?.message === NOT_FOUND_THERE ? undefined : providerError?.message;

/** Why a card of a purchase was declined. */
export async function slotReasons(): Promise<(lane: SlotLane) => string | undefined> {
  const [words, t] = await Promise.all([declineWords(), getTranslations("payments")]);
  return ({ slot, payment }) =>
    slot.declineReason
      ? payment?.attempts.some((attempt) => isSettledByPeople(attempt, payment))
        ? t("decidedAbsent")
        : words(slot.declineReason)
      : undefined;
}

const ANALYSIS = "anti_fraud";
const SUSPECT: DeclinedCode = "fraud_suspect";

/** The sentence of a decline code. */
export async function declineWords(): Promise<(code: string) => string> {
  const t = await getTranslations("payments");
  return (code) => (isKnown(code) ? t(DECLINE_TEXTS[code]) : t("decline_other", { code }));
}

/** What helps against a decline; whatever is not here is between the buyer and the bank. */
const STEPS = {
  anotherCard: [
    "blocked_card",
    "canceled_card",
    "card_not_supported",
    "expired_card",
    "fraud_confirmed",
    "lost_card",
    "pickup_card",
    "pin_try_exceeded",
    "maximum_pin_tries",
    "restricted_card",
    "stolen_card",
  ],
  limit: ["insufficient_funds"],
  typeAgain: ["invalid_cvv", "invalid_cvv_update", "invalid_number", "invalid_data", "invalid_pin"],
  authenticate: [
    "authentication_error",
    "authentication_error_without_challenge",
    "authentication_attempts_unavailable_by_issuer",
    "authentication_unavailable",
    "cardholder_not_complete_authentication",
    "failed_authentication",
    "invalid_pares",
    "unable_to_perform_authentication",
  ],
  later: ["internal_error", "issuer_not_available", "processing_error", "request_not_sent", "timeout", "try_again"],
  setup: ["bad_request", "invalid_credentials", "invalid_merchant", "invalid_amount", "invalid_installment"],
} as const satisfies Record<string, readonly (DeclinedCode | PlatformDeclineCode)[]>;

const STEP_TEXTS = {
  anotherCard: "stepAnotherCard",
  limit: "stepLimit",
  typeAgain: "stepTypeAgain",
  authenticate: "stepAuthenticate",
  later: "stepLater",
  setup: "stepSetup",
} as const satisfies Record<keyof typeof STEPS, string>;

/** What a person can do about it, and whether a new link is a part of that. */
export async function declineStep(
  attempt: Pick<AttemptRow, "providerError" | "requestType"> | undefined,
): Promise<{ text: string; isLinkUseful: boolean }> {
  const t = await getTranslations("payments");
  if (attempt?.requestType === ANALYSIS) return { text: t("stepAnalysis"), isLinkUseful: true };
  const code = attempt?.providerError?.declinedCode ?? "generic";
  // Guarantee: the keys of the table are the steps.
  const step = (Object.keys(STEPS) as (keyof typeof STEPS)[]).find((each) => STEPS[each].some((one) => one === code));
  return { text: t(step ? STEP_TEXTS[step] : "stepBank"), isLinkUseful: step !== "setup" };
}
