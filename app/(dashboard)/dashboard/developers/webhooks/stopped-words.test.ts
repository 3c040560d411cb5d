import { expect, test } from "vitest";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

const STOPPED = { en: /stopped/i, "pt-BR": /parado/i };

test.each(LOCALES)("a webhook that failures stopped is called alike wherever it is told in %s", (locale) => {
  const { home, notices, operatorMail, webhooks, audit } = messages[locale];
  const said = [
    home.needWebhooksStopped,
    notices.kindWebhookPaused,
    notices.webhookPaused,
    notices.webhooksPaused,
    operatorMail.disabledSubject,
    operatorMail.disabledTitle,
    webhooks.healthPaused,
    webhooks.healthStopped,
    webhooks.sentencePaused,
    audit.didWebhookPause,
    audit.didWebhookGone,
  ];
  expect(said.filter((text) => !STOPPED[locale].test(text))).toEqual([]);
});
