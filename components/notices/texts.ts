import { getTranslations } from "@/components/emails/words";
import { formatCents } from "@/components/ui/money-format";
import type { Locale } from "@/lib/i18n/locales";
import type { NoticeKind } from "@/lib/notices/kinds";

/** How each kind is said, of one and of several. */
const NOTICE_TEXTS = {
  payment_in_review: { one: "paymentInReview", several: "paymentsInReview" },
  refund_waiting: { one: "refundWaiting", several: "refundsWaiting" },
  review_waiting: { one: "reviewWaiting", several: "reviewsWaiting" },
  credentials_waiting: { one: "credentialsWaiting", several: "credentialsWaitingSeveral" },
  provider_down: { one: "providerDown", several: "providersDown" },
  provider_up: { one: "providerUp", several: "providersUp" },
  monitor_fired: { one: "monitorFired", several: "monitorsFired" },
  monitor_recovered: { one: "monitorRecovered", several: "monitorsRecovered" },
  webhook_failing: { one: "webhookFailing", several: "webhooksFailing" },
  webhook_paused: { one: "webhookPaused", several: "webhooksPaused" },
  webhook_recovered: { one: "webhookRecovered", several: "webhooksRecovered" },
  card_testing: { one: "cardTesting", several: "cardTestingSeveral" },
  cards_paused: { one: "cardsPaused", several: "cardsPausedSeveral" },
  payment_page: { one: "paymentPage", several: "paymentPageSeveral" },
  chargeback: { one: "chargeback", several: "chargebacks" },
  refund_failed: { one: "refundFailed", several: "refundsFailed" },
  refund_approved: { one: "refundApproved", several: "refundsApproved" },
  refund_refused: { one: "refundRefused", several: "refundsRefused" },
  refund_lapsed: { one: "refundLapsed", several: "refundsLapsed" },
  capture_failed: { one: "captureFailed", several: "capturesFailed" },
  new_sign_in: { one: "newSignIn", several: "newSignIns" },
  new_key: { one: "newKey", several: "newKeys" },
  member_joined: { one: "memberJoined", several: "membersJoined" },
  role_changed: { one: "roleChanged", several: "rolesChanged" },
  limits_waiting: { one: "limitsWaiting", several: "limitsWaitingSeveral" },
  limits_changed: { one: "limitsChanged", several: "limitsChangedSeveral" },
  engine_silent: { one: "engineSilent", several: "engineSilentSeveral" },
  engine_back: { one: "engineBack", several: "engineBackSeveral" },
  flow_activated: { one: "flowActivated", several: "flowsActivated" },
  flow_guardrail: { one: "flowGuardrail", several: "flowGuardrails" },
  review_due: { one: "reviewDue", several: "reviewsDue" },
  review_closed: { one: "reviewClosed", several: "reviewsClosed" },
  seller_refused: { one: "sellerRefused", several: "sellersRefused" },
  bank_account_changed: { one: "bankAccountChanged", several: "bankAccountsChanged" },
  bank_account_waiting: { one: "accountWaiting", several: "accountsWaiting" },
  seller_debt: { one: "sellerDebt", several: "sellerDebts" },
  subscription_unpaid: { one: "subscriptionUnpaid", several: "subscriptionsUnpaid" },
  mandate_canceled: { one: "mandateCanceled", several: "mandatesCanceled" },
  payout_waiting: { one: "payoutWaiting", several: "payoutsWaiting" },
  adjustment_waiting: { one: "adjustmentWaiting", several: "adjustmentsWaiting" },
  prepayment_waiting: { one: "prepaymentWaiting", several: "prepaymentsWaiting" },
  payout_file_waiting: { one: "payoutFileWaiting", several: "payoutFilesWaiting" },
  discrepancy_waiting: { one: "discrepancyWaiting", several: "discrepanciesWaiting" },
  discrepancy_opened: { one: "discrepancyOpened", several: "discrepanciesOpened" },
  settlement_missing: { one: "settlementMissing", several: "settlementsMissing" },
  batch_failed: { one: "batchFailed", several: "batchesFailed" },
  payout_returned: { one: "payoutReturned", several: "payoutsReturned" },
} as const satisfies Record<NoticeKind, { one: string; several: string }>;

/** As the choices call it. */
const NOTICE_KIND_TEXTS = {
  payment_in_review: "kindPaymentInReview",
  refund_waiting: "kindRefundWaiting",
  review_waiting: "kindReviewWaiting",
  credentials_waiting: "kindCredentialsWaiting",
  provider_down: "kindProviderDown",
  provider_up: "kindProviderUp",
  monitor_fired: "kindMonitorFired",
  monitor_recovered: "kindMonitorRecovered",
  webhook_failing: "kindWebhookFailing",
  webhook_paused: "kindWebhookPaused",
  webhook_recovered: "kindWebhookRecovered",
  card_testing: "kindCardTesting",
  cards_paused: "kindCardsPaused",
  payment_page: "kindPaymentPage",
  chargeback: "kindChargeback",
  refund_failed: "kindRefundFailed",
  refund_approved: "kindRefundApproved",
  refund_refused: "kindRefundRefused",
  refund_lapsed: "kindRefundLapsed",
  capture_failed: "kindCaptureFailed",
  new_sign_in: "kindNewSignIn",
  new_key: "kindNewKey",
  member_joined: "kindMemberJoined",
  role_changed: "kindRoleChanged",
  limits_waiting: "kindLimitsWaiting",
  limits_changed: "kindLimitsChanged",
  engine_silent: "kindEngineSilent",
  engine_back: "kindEngineBack",
  flow_activated: "kindFlowActivated",
  flow_guardrail: "kindFlowGuardrail",
  review_due: "kindReviewDue",
  review_closed: "kindReviewClosed",
  seller_refused: "kindSellerRefused",
  bank_account_changed: "kindBankAccountChanged",
  bank_account_waiting: "kindAccountWaiting",
  seller_debt: "kindSellerDebt",
  subscription_unpaid: "kindSubscriptionUnpaid",
  mandate_canceled: "kindMandateCanceled",
  payout_waiting: "kindPayoutWaiting",
  adjustment_waiting: "kindAdjustmentWaiting",
  prepayment_waiting: "kindPrepaymentWaiting",
  payout_file_waiting: "kindPayoutFileWaiting",
  discrepancy_waiting: "kindDiscrepancyWaiting",
  discrepancy_opened: "kindDiscrepancyOpened",
  settlement_missing: "kindSettlementMissing",
  batch_failed: "kindBatchFailed",
  payout_returned: "kindPayoutReturned",
} as const satisfies Record<NoticeKind, string>;

export interface SaidNotice {
  name?: string | null | undefined;
  byName?: string | null | undefined;
  amount?: number | null | undefined;
  currency?: string | null | undefined;
}

/** Says notices in a language, on a page as in an e-mail. */
export function noticeTexts(locale: Locale) {
  const t = getTranslations("notices", locale);
  return {
    kind: (kind: NoticeKind): string => t(NOTICE_KIND_TEXTS[kind]),
    say(kind: NoticeKind, { name, byName, amount, currency }: SaidNotice, count = 1): string {
      const texts = NOTICE_TEXTS[kind];
      return t(count === 1 ? texts.one : texts.several, {
        name: name ?? "",
        by: byName ?? "",
        amount: formatCents(amount ?? 0, currency ?? "BRL", locale),
        count,
      });
    },
  };
}
