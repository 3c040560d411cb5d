import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import { cardName, money, orderFacts } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

const DECLINED = {
  subject: "holdsSubject",
  heading: "holdsTitle",
  body: "holdsBody",
  until: "holdsUntil",
  action: "tryAgain",
} as const;
const BY_SHOP = {
  subject: "holdShopSubject",
  heading: "holdShopTitle",
  body: "holdShopBody",
  until: "holdShopUntil",
  action: "seePayment",
} as const;

export const template: EmailTemplate<"holds-released"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)(textsOf(data).subject, values(data, locale, brand.name)),
  preview: ({ data, locale }) => getTranslations("mail", locale)(textsOf(data).heading),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("mail", locale);
    const texts = textsOf(data);
    return (
      <>
        <Title look={look}>{t(texts.heading)}</Title>
        <Paragraph look={look}>{t(texts.body, values(data, locale, brand.name))}</Paragraph>
        <Facts
          look={look}
          facts={[
            ...data.cards.map((card) => [cardName(card, locale), money(card.amount, locale)] as const),
            ...orderFacts(data, locale),
          ]}
        />
        <Note look={look}>{t(texts.until, { day: civilDayText(locale, data.bankShowsUntil) })}</Note>
        <Action look={look} href={data.url}>
          {t(texts.action)}
        </Action>
      </>
    );
  },
};

const textsOf = ({ isByShop }: { isByShop?: boolean | undefined }) => (isByShop ? BY_SHOP : DECLINED);

const values = ({ amount }: { amount: number }, locale: Locale, shop: string) => ({
  amount: money(amount, locale),
  shop,
});
