import { Action, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"password-reset"> = {
  subject: ({ locale }) => getTranslations("operatorMail", locale)("resetSubject"),
  preview: ({ locale }) => getTranslations("operatorMail", locale)("resetPreview"),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    return (
      <>
        <Title look={look}>{t("resetTitle")}</Title>
        <Paragraph look={look}>{t("resetBody")}</Paragraph>
        <Action look={look} href={data.url}>
          {t("resetAction")}
        </Action>
        <Note look={look}>{t("linkUntil", { at: shownInstant(data.expiresAt, locale) })}</Note>
        <Note look={look}>{t("resetNotYou")}</Note>
      </>
    );
  },
};
