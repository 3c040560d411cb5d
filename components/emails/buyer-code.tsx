import { Action, Note, Paragraph, Title, TypedCode } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";

export const template: EmailTemplate<"buyer-code"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("buyerCodeSubject", { code: data.code, shop: brand.name }),
  preview: ({ data, locale }) => getTranslations("mail", locale)("buyerCodeValid", { minutes: data.minutes }),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("buyerCodeTitle")}</Title>
        <Paragraph look={look}>{t("buyerCodeBody", { shop: brand.name })}</Paragraph>
        <TypedCode look={look}>{data.code}</TypedCode>
        <Paragraph look={look}>{t("buyerCodeValid", { minutes: data.minutes })}</Paragraph>
        <Action look={look} href={data.url}>
          {t("buyerCodeAction")}
        </Action>
        <Note look={look}>{t("buyerCodeNotYou")}</Note>
      </>
    );
  },
};
