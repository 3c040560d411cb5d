import { Action, Facts, Paragraph, Title } from "@/components/emails/parts";
import { money, orderFacts } from "@/components/emails/payment-words";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

const TEXTS = {
  late: { subject: "lateSubject", heading: "lateTitle", body: "lateBody", action: "payAgain" },
  late_paid: { subject: "lateSubject", heading: "lateTitle", body: "latePaidBody", action: undefined },
  late_closed: { subject: "lateSubject", heading: "lateTitle", body: "lateClosedBody", action: undefined },
  twice: { subject: "twiceSubject", heading: "twiceTitle", body: "twiceBody", action: "receiptAction" },
} as const;

const bodyOf = ({ data, locale }: Letter<"late-pix-returned">): string =>
  getTranslations("mail", locale)(TEXTS[data.because].body, { amount: money(data.amount, locale) });

export const template: EmailTemplate<"late-pix-returned"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)(TEXTS[data.because].subject, {
      amount: money(data.amount, locale),
      shop: brand.name,
    }),
  preview: bodyOf,
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    const { heading, action } = TEXTS[data.because];
    return (
      <>
        <Title look={look}>{t(heading)}</Title>
        <Paragraph look={look}>{bodyOf(letter)}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("amount"), money(data.amount, locale)],
            [t("date"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
            [t("endToEndId"), data.endToEndId],
            ...orderFacts(data, locale),
          ]}
        />
        {action ? (
          <Action look={look} href={data.url}>
            {t(action)}
          </Action>
        ) : null}
      </>
    );
  },
};
