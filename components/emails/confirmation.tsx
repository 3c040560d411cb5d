import { Action, Facts, Paragraph, Title } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";

const values = ({ data, locale, brand }: Letter<"confirmation">) => ({
  amount: money(data.amount, locale),
  shop: brand.name,
});

export const template: EmailTemplate<"confirmation"> = {
  subject(letter) {
    const t = getTranslations("mail", letter.locale);
    return letter.data.outcome === "paid"
      ? t("confirmedSubject", values(letter))
      : t("notChargedSubject", values(letter));
  },
  preview(letter) {
    const t = getTranslations("mail", letter.locale);
    return letter.data.outcome === "paid" ? t("confirmedBody", values(letter)) : t("notChargedBody", values(letter));
  },
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    const isPaid = data.outcome === "paid";
    return (
      <>
        <Title look={look}>{isPaid ? t("confirmedTitle") : t("notChargedTitle")}</Title>
        <Paragraph look={look}>
          {isPaid ? t("confirmedBody", values(letter)) : t("notChargedBody", values(letter))}
        </Paragraph>
        <Facts look={look} facts={orderFacts(data, locale)} />
        <Action look={look} href={data.url}>
          {isPaid ? t("receiptAction") : t("tryAgain")}
        </Action>
      </>
    );
  },
};
