import { Action, Facts, Paragraph, Title, Warning } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";

export const template: EmailTemplate<"confirming"> = {
  subject: ({ locale, brand }) => getTranslations("mail", locale)("confirmingSubject", { shop: brand.name }),
  preview: ({ locale }) => getTranslations("mail", locale)("doNotPayAgain"),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("confirmingTitle")}</Title>
        <Warning look={look}>{t("doNotPayAgain")}</Warning>
        <Paragraph look={look}>
          {t("confirmingBody", { amount: money(data.amount, locale), shop: brand.name })}
        </Paragraph>
        <Facts look={look} facts={orderFacts(data, locale)} />
        <Action look={look} href={data.url}>
          {t("seePayment")}
        </Action>
      </>
    );
  },
};
