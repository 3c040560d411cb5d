import { Action, Code, Facts, Note, Paragraph, Subtitle, Title } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import { PixQr, pixQr } from "@/components/emails/pix-qr";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"pix-code"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("pixSubject", { amount: money(data.amount, locale), shop: brand.name }),
  preview: ({ data, locale }) =>
    getTranslations("mail", locale)("pixUntil", { at: shownInstant(data.expiresAt, locale) }),
  Body({ data, locale, look }) {
    const t = getTranslations("mail", locale);
    const amount = money(data.amount, locale);
    return (
      <>
        <Title look={look}>{t("pixTitle", { amount })}</Title>
        <Paragraph look={look}>{t("pixUntil", { at: shownInstant(data.expiresAt, locale) })}</Paragraph>
        <Facts look={look} facts={orderFacts(data, locale)} />
        <Subtitle look={look}>{t("pixCopy")}</Subtitle>
        <Code look={look}>{data.code}</Code>
        <PixQr look={look} amount={amount} locale={locale} />
        <Action look={look} href={data.url}>
          {t("seePayment")}
        </Action>
        <Note look={look}>{t("pixPaidAlready")}</Note>
      </>
    );
  },
  inline: async ({ data }) => [await pixQr(data.code)],
};
