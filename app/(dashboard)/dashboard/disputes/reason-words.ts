import { getTranslations } from "next-intl/server";

/** Stripe's documented reasons, and the simulator's. */
export const REASON_TEXTS = {
  bank_cannot_process: "reasonBankCannotProcess",
  check_returned: "reasonCheckReturned",
  credit_not_processed: "reasonCreditNotProcessed",
  customer_initiated: "reasonCustomerInitiated",
  debit_not_authorized: "reasonDebitNotAuthorized",
  duplicate: "reasonDuplicate",
  fraud: "reasonFraud",
  fraudulent: "reasonFraud",
  general: "reasonGeneral",
  incorrect_account_details: "reasonIncorrectAccountDetails",
  insufficient_funds: "reasonInsufficientFunds",
  product_not_received: "reasonProductNotReceived",
  product_unacceptable: "reasonProductUnacceptable",
  subscription_canceled: "reasonSubscriptionCanceled",
  unrecognized: "reasonUnrecognized",
} as const;

const isKnown = (reason: string): reason is keyof typeof REASON_TEXTS => Object.hasOwn(REASON_TEXTS, reason);

export async function disputeReasonWords() {
  const t = await getTranslations("disputes");
  /** What is no code that we know is the provider's own text. */
  const reason = (told: string): string =>
    isKnown(told) ? t(REASON_TEXTS[told]) : t("reasonQuoted", { reason: told });
  return { reason, line: (told: string): string => t("reasonLine", { reason: reason(told) }) };
}
