import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"new-sign-in"> = {
  subject: ({ locale }) => getTranslations("operatorMail", locale)("signInSubject"),
  preview: ({ data, locale }) => getTranslations("operatorMail", locale)("signInPreview", { device: data.device }),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    return (
      <>
        <Title look={look}>{t("signInTitle")}</Title>
        <Paragraph look={look}>{t("signInBody")}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("when"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
            [t("device"), data.device],
            [t("address"), data.ip],
          ]}
        />
        <Action look={look} href={data.url}>
          {t("signInAction")}
        </Action>
        <Note look={look}>{t("signInNotYou")}</Note>
      </>
    );
  },
};
