import { getTranslations } from "next-intl/server";

/** Deadlines by what they are; the others are named by their kind. */
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
} as const;

export async function jobWords(): Promise<(kind: string) => string> {
  const t = await getTranslations("sandbox");
  return (kind) =>
    // Guarantee: looked up only where the key exists.
    Object.hasOwn(TEXTS, kind) ? t(TEXTS[kind as keyof typeof TEXTS]) : t("jobOther", { kind });
}
