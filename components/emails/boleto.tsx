import { Action, Code, Facts, Note, Paragraph, Subtitle, Title } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import { PixQr, pixQr } from "@/components/emails/pix-qr";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";
import { civilDayText } from "@/lib/i18n/dates";
import { lateFeeLines } from "@/lib/payment-documents/late-fees";

const values = ({ data, locale, brand }: Letter<"boleto">) => ({
  amount: money(data.amount, locale),
  shop: brand.name,
  day: civilDayText(locale, data.dueOn),
});

export const template: EmailTemplate<"boleto"> = {
  subject(letter) {
    const t = getTranslations("mail", letter.locale);
    return letter.data.isReminder ? t("boletoReminderSubject", values(letter)) : t("boletoSubject", values(letter));
  },
  // The subject says the day.
  preview: (letter) => getTranslations("mail", letter.locale)("boletoBankDay"),
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>
          {data.isReminder ? t("boletoReminderTitle", values(letter)) : t("boletoTitle", values(letter))}
        </Title>
        {data.isReminder ? null : <Paragraph look={look}>{t("boletoDue", values(letter))}</Paragraph>}
        <Facts look={look} facts={orderFacts(data, locale)} />
        <Subtitle look={look}>{t("boletoLine")}</Subtitle>
        <Code look={look} isGrouped>
          {data.digitableLine}
        </Code>
        {data.pixCode ? (
          <>
            <Subtitle look={look}>{t("boletoPix")}</Subtitle>
            <Code look={look}>{data.pixCode}</Code>
            <PixQr look={look} amount={money(data.amount, locale)} locale={locale} />
          </>
        ) : null}
        <Action look={look} href={data.url}>
          {t("boletoAction")}
        </Action>
        {data.hasFile ? <Note look={look}>{t("boletoAttached")}</Note> : null}
        {data.late ? <Note look={look}>{lateFeeLines(data.late, locale, data.late.until).join(" ")}</Note> : null}
        <Note look={look}>{t("boletoBankDay")}</Note>
        <Note look={look}>{t(data.pixCode ? "boletoConfirmedPix" : "boletoConfirmed")}</Note>
      </>
    );
  },
  inline: async ({ data }) => (data.pixCode ? [await pixQr(data.pixCode)] : []),
};
