import type { DeclineRefusal } from "@/lib/checkout/declines";
import { AlreadyDeclined } from "@/lib/checkout/guards";
import type { FieldName, MethodKind } from "@/lib/checkout/view";
import { DomainError, RequestError } from "@/lib/errors";

const UNIQUE_VIOLATION = "23505";
/** Another press of the same visit was first. */
export function isConflict(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === UNIQUE_VIOLATION) return true;
  }
  return false;
}

/** Of a card that is refused before anybody is asked. */
export const fieldOf = (code: string): FieldName =>
  code === "expired_card" ? "cardExpiration" : code.includes("cvv") ? "cardCvv" : "cardNumber";

const BY_CODE: Readonly<Record<string, DeclineRefusal | "method">> = {
  session_disabled: "link_taken",
  multiple_payments_limit_reached: "link_taken",
  purchase_intent_mismatch: "link_taken",
  captcha_required: "captcha",
  captcha_invalid: "captcha",
  provider_not_available: "unavailable",
  merchant_not_found: "unavailable",
  token_not_usable: "token_expired",
  payment_method_not_allowed: "method",
  payment_method_not_supported: "method",
  session_installments_not_allowed: "invalid_installment",
  installments_not_allowed: "invalid_installment",
  currency_not_supported: "unavailable",
  session_amount_zero: "unavailable",
};

/** A refusal of ours, in the buyer's terms; undefined for what is none. */
export function refusalFor(thrown: unknown): DeclineRefusal | "method" | undefined {
  if (thrown instanceof AlreadyDeclined) return "already_declined";
  if (thrown instanceof RequestError && thrown.status === 429) return "too_many";
  if (thrown instanceof DomainError) return isAboutBrand(thrown) ? "card_not_supported" : BY_CODE[thrown.businessCode];
  return undefined;
}

/** The method is taken, and cards of the brand that the refusal names are not. */
const isAboutBrand = ({ businessCode, details }: DomainError): boolean =>
  businessCode === "payment_method_not_supported" && details.length > 0;

/** Cards are asked for a proof of work instead. */
export const isQuestionWrong = (thrown: unknown, method: MethodKind): boolean =>
  thrown instanceof DomainError && thrown.businessCode.startsWith("captcha") && method !== "card" && method !== "cards";
