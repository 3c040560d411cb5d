import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"webhook-failing"> = {
  subject: ({ data, locale }) =>
    getTranslations("operatorMail", locale)("failingSubject", {
      account: data.accountName,
      host: new URL(data.endpoint).host,
    }),
  preview: ({ data, locale }) => getTranslations("operatorMail", locale)("failingPreview", { endpoint: data.endpoint }),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    return (
      <>
        <Title look={look}>{t("failingTitle")}</Title>
        <Paragraph look={look}>{t("failingBody")}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("account"), data.accountName],
            [t("endpoint"), data.endpoint],
            [t("events"), data.event === "*" ? t("eventsAll") : data.event],
            [t("failingSince"), t("saoPauloTime", { at: shownInstant(data.since, locale) })],
            [t("lastAnswer"), data.lastFailure],
          ]}
        />
        <Action look={look} href={data.url}>
          {t("webhookAction")}
        </Action>
        <Note look={look}>{t("failingNext")}</Note>
      </>
    );
  },
};
