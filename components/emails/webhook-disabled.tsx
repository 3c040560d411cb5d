import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"webhook-disabled"> = {
  subject: ({ data, locale }) =>
    getTranslations("operatorMail", locale)("disabledSubject", {
      account: data.accountName,
      host: new URL(data.endpoint).host,
    }),
  preview: ({ data, locale }) => getTranslations("operatorMail", locale)("failingPreview", { endpoint: data.endpoint }),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    const isGone = data.reason === "gone";
    return (
      <>
        <Title look={look}>{t("disabledTitle")}</Title>
        <Paragraph look={look}>{isGone ? t("disabledGone") : t("disabledFailures")}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("account"), data.accountName],
            [t("endpoint"), data.endpoint],
            [t("events"), data.event === "*" ? t("eventsAll") : data.event],
            [t("when"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
          ]}
        />
        <Action look={look} href={data.url}>
          {t("webhookAction")}
        </Action>
        <Note look={look}>{isGone ? t("disabledGoneNext") : t("disabledFailuresNext")}</Note>
      </>
    );
  },
};
