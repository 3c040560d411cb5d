import { Action, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"report-address"> = {
  subject: ({ data, locale }) =>
    getTranslations("operatorMail", locale)("reportAddressSubject", { account: data.accountName }),
  preview: ({ data, locale }) =>
    getTranslations("operatorMail", locale)("reportAddressBody", { account: data.accountName }),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    return (
      <>
        <Title look={look}>{t("reportAddressTitle")}</Title>
        <Paragraph look={look}>{t("reportAddressBody", { account: data.accountName })}</Paragraph>
        <Action look={look} href={data.url}>
          {t("reportAddressAction")}
        </Action>
        <Note look={look}>{t("reportAddressUntil", { at: shownInstant(data.expiresAt, locale) })}</Note>
        <Note look={look}>{t("reportAddressUnexpected")}</Note>
      </>
    );
  },
};
