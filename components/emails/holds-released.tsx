import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import { cardName, money } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

export const template: EmailTemplate<"holds-released"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("holdsSubject", values(data, locale, brand.name)),
  preview: ({ locale }) => getTranslations("mail", locale)("holdsTitle"),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("holdsTitle")}</Title>
        <Paragraph look={look}>{t("holdsBody", values(data, locale, brand.name))}</Paragraph>
        <Facts
          look={look}
          facts={[
            ...data.cards.map((card) => [cardName(card, locale), money(card.amount, locale)] as const),
            [t("order"), data.orderId],
          ]}
        />
        <Note look={look}>{t("holdsUntil", { day: civilDayText(locale, data.bankShowsUntil) })}</Note>
        <Action look={look} href={data.url}>
          {t("tryAgain")}
        </Action>
      </>
    );
  },
};

const values = ({ amount }: { amount: number }, locale: Locale, shop: string) => ({
  amount: money(amount, locale),
  shop,
});
