import { Action, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"seller-sign-in"> = {
  subject: ({ locale, brand }) => getTranslations("sellerMail", locale)("signInSubject", { shop: brand.name }),
  preview: ({ locale }) => getTranslations("sellerMail", locale)("signInPreview"),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("sellerMail", locale);
    return (
      <>
        <Title look={look}>{t("signInTitle")}</Title>
        <Paragraph look={look}>{t("signInBody", { shop: brand.name, seller: data.sellerName })}</Paragraph>
        <Action look={look} href={data.url}>
          {t("open")}
        </Action>
        <Note look={look}>{t("linkUntil", { at: shownInstant(data.expiresAt, locale) })}</Note>
        <Note look={look}>{t("signInNotYou")}</Note>
      </>
    );
  },
};
