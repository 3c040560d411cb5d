import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

export const template: EmailTemplate<"operator-invitation"> = {
  subject: ({ data, locale }) =>
    getTranslations("operatorMail", locale)("inviteSubject", { account: data.accountName }),
  preview: ({ data, locale }) => getTranslations("operatorMail", locale)("inviteBody", who(data)),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    return (
      <>
        <Title look={look}>{t("inviteTitle", { account: data.accountName })}</Title>
        <Paragraph look={look}>{t("inviteBody", who(data))}</Paragraph>
        <Facts look={look} facts={[[t("inviteRole"), data.role ? roleName(data.role, locale) : null]]} />
        <Action look={look} href={data.url}>
          {t("inviteAction")}
        </Action>
        <Note look={look}>{t("linkUntil", { at: shownInstant(data.expiresAt, locale) })}</Note>
        <Note look={look}>{t("inviteUnexpected")}</Note>
      </>
    );
  },
};

const who = ({ invitedBy, accountName }: { invitedBy: string; accountName: string }) => ({
  person: invitedBy,
  account: accountName,
});

const ROLES = {
  owner: "roleOwner",
  developer: "roleDeveloper",
  operations: "roleOperations",
  finance: "roleFinance",
  support: "roleSupport",
  viewer: "roleViewer",
} as const;

type Invited = Letter<"operator-invitation">;

const roleName = (role: NonNullable<Invited["data"]["role"]>, locale: Invited["locale"]): string =>
  typeof role === "string" ? getTranslations("dashboard", locale)(ROLES[role]) : role.name;
