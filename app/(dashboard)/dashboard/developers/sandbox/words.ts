import { getTranslations } from "next-intl/server";
import type { JobKind } from "@/lib/due-jobs/kinds";

const TEXTS = {
  "attempt.query": "jobQuery",
  "charge.expire": "jobExpire",
  "charge.hold_ends": "jobHoldEnds",
  "orphan.watch": "jobOrphan",
  "charge.watch": "jobWatch",
  "analysis.query": "jobVerdict",
  "analysis.feed": "jobFeed",
  "webhook.attempt": "jobWebhookAttempt",
  "webhook.failing": "jobWebhookFailing",
  "webhook.pause": "jobWebhookPause",
  "webhook.probe": "jobWebhookProbe",
  "session.expires": "jobLinkExpires",
  "session.close": "jobLinkClose",
  "buyer.confirming": "jobBuyerConfirming",
  "buyer.reminder": "jobBuyerReminder",
  "merchant.day": "jobMerchantDay",
  "merchant.sellers": "jobMerchantSellers",
  "prepayment.expire": "jobPrepaymentExpires",
  "transfer.query": "jobTransferQuery",
  "registration.query": "jobRegistrationQuery",
  "review.deadline": "jobReviewDeadline",
  "subscription.start": "jobSubscriptionStart",
  "subscription.due": "jobSubscriptionDue",
  "subscription.retry": "jobSubscriptionRetry",
  "subscription.outcome": "jobSubscriptionOutcome",
  "subscription.cancel": "jobSubscriptionCancel",
  "subscription.last_try": "jobSubscriptionLastTry",
  "subscription.card_expiry": "jobSubscriptionCardExpiry",
  "mandate.query": "jobMandateQuery",
  "trial.ends": "jobTrialEnds",
  "trial.reminder": "jobTrialReminder",
  "report.expire": "jobReportExpires",
  "report.schedule": "jobReportSchedule",
} as const satisfies Record<JobKind, string>;

export async function jobWords(): Promise<(kind: string) => string> {
  const t = await getTranslations("sandbox");
  return (kind) =>
    // Guarantee: looked up only where the key exists. Another version of the server may have left a kind of its own.
    Object.hasOwn(TEXTS, kind) ? t(TEXTS[kind as keyof typeof TEXTS]) : t("jobOther", { kind });
}
