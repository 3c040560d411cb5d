import { expect, test } from "vitest";
import { topicOfNotice } from "@/lib/provider-webhooks/topics";

test.each([
  ["chargeback.opened", "dispute"],
  ["charge.dispute.funds_withdrawn", "dispute"],
  ["NOTIFICATION_OF_CHARGEBACK", "dispute"],
  ["charge.chargedback", "dispute"],
  ["charge.refunded", "refund"],
  ["CANCEL_OR_REFUND", "refund"],
  ["devolucao", "refund"],
  ["payment.captured", "capture"],
  ["CAPTURE_FAILED", "capture"],
  ["payment_intent.amount_capturable_updated", "payment"],
  ["analysis.finished", "analysis"],
  ["rec", "mandate"],
  ["EXPIRE", "end"],
  ["payment.resolved", "payment"],
  ["change.1", "payment"],
])("a notification called %s is about: %s", (type, topic) => {
  expect(topicOfNotice(type)).toBe(topic);
});
