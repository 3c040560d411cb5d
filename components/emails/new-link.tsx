import { Action, Facts, Paragraph, Title } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";

export const template: EmailTemplate<"new-link"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("newLinkSubject", { amount: money(data.amount, locale), shop: brand.name }),
  preview: ({ locale, brand }) => getTranslations("mail", locale)("newLinkBody", { shop: brand.name }),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("newLinkTitle")}</Title>
        <Paragraph look={look}>{t("newLinkBody", { shop: brand.name })}</Paragraph>
        {data.message ? <Paragraph look={look}>{t("newLinkMessage", { message: data.message })}</Paragraph> : null}
        <Facts look={look} facts={[[t("amount"), money(data.amount, locale)], ...orderFacts(data, locale)]} />
        <Action look={look} href={data.url}>
          {t("newLinkAction")}
        </Action>
      </>
    );
  },
};
