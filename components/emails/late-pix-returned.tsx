import { Action, Facts, Paragraph, Title } from "@/components/emails/parts";
import { money } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"late-pix-returned"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("lateSubject", { amount: money(data.amount, locale), shop: brand.name }),
  preview: ({ data, locale }) => getTranslations("mail", locale)("lateBody", { amount: money(data.amount, locale) }),
  Body({ data, locale, look }) {
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("lateTitle")}</Title>
        <Paragraph look={look}>{t("lateBody", { amount: money(data.amount, locale) })}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("amount"), money(data.amount, locale)],
            [t("date"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
            [t("endToEndId"), data.endToEndId],
            [t("order"), data.orderId],
          ]}
        />
        <Action look={look} href={data.url}>
          {t("payAgain")}
        </Action>
      </>
    );
  },
};
