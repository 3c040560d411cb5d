import { Action, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";

const TITLES = { approved: "approvedTitle", rejected: "rejectedTitle", expired: "expiredTitle" } as const;
const BODIES = { approved: "approvedBody", rejected: "rejectedBody", expired: "expiredBody" } as const;

export const template: EmailTemplate<"seller-review-closed"> = {
  subject: ({ data, locale }) => getTranslations("sellerMail", locale)(TITLES[data.outcome]),
  preview: ({ data, locale, brand }) =>
    getTranslations("sellerMail", locale)(BODIES[data.outcome], { shop: brand.name, seller: data.sellerName }),
  Body({ data, locale, look, brand }) {
    const t = getTranslations("sellerMail", locale);
    return (
      <>
        <Title look={look}>{t(TITLES[data.outcome])}</Title>
        <Paragraph look={look}>{t(BODIES[data.outcome], { shop: brand.name, seller: data.sellerName })}</Paragraph>
        <Action look={look} href={data.url}>
          {t("closedAction")}
        </Action>
        <Note look={look}>{t("signInHow")}</Note>
      </>
    );
  },
};
