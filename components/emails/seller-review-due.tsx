import { Action, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"seller-review-due"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("sellerMail", locale)(data.isReminder ? "reminderSubject" : "dueSubject", { shop: brand.name }),
  preview: ({ locale }) => getTranslations("sellerMail", locale)("duePreview"),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("sellerMail", locale);
    return (
      <>
        <Title look={look}>{data.isReminder ? t("reminderTitle") : t("dueTitle")}</Title>
        <Paragraph look={look}>{t("dueBody", { shop: brand.name, seller: data.sellerName })}</Paragraph>
        <Paragraph look={look}>{t("dueUntil", { at: shownInstant(data.deadline, locale) })}</Paragraph>
        <Action look={look} href={data.url}>
          {t("dueAction")}
        </Action>
        <Note look={look}>{t("signInHow")}</Note>
      </>
    );
  },
};
