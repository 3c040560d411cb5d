import { Action, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import { money } from "@/components/emails/payment-words";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations } from "@/components/emails/words";
import { civilDayText } from "@/lib/i18n/dates";
import type { MailData } from "@/lib/mail/templates";

type Payout = MailData<"payout">;

const SUBJECTS = {
  paid: "payoutPaidSubject",
  failed: "payoutFailedSubject",
  returned: "payoutReturnedSubject",
  offset: "payoutOffsetSubject",
} as const satisfies Record<Payout["kind"], string>;

const BODIES = {
  paid: "payoutPaidBody",
  failed: "payoutFailedBody",
  returned: "payoutReturnedBody",
  offset: "payoutOffsetBody",
} as const satisfies Record<Payout["kind"], string>;

const REASONS = {
  invalid_account: "payoutInvalidAccount",
  account_closed: "payoutAccountClosed",
  holder_mismatch: "payoutHolderMismatch",
  bank_unavailable: "payoutBankUnavailable",
  limit_exceeded: "payoutLimitExceeded",
  compliance: "payoutCompliance",
  unknown: "payoutUnknownReason",
} as const satisfies Record<NonNullable<Payout["reason"]>, string>;

const values = ({ data, locale, brand }: Letter<"payout">) => ({
  amount: money(data.amount, locale),
  shop: brand.name,
});

export const template: EmailTemplate<"payout"> = {
  subject: (letter) => getTranslations("mail", letter.locale)(SUBJECTS[letter.data.kind], values(letter)),
  preview: (letter) => getTranslations("mail", letter.locale)(BODIES[letter.data.kind], values(letter)),
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t(SUBJECTS[data.kind], values(letter))}</Title>
        <Paragraph look={look}>{t(BODIES[data.kind], values(letter))}</Paragraph>
        {data.reason && <Note look={look}>{t(REASONS[data.reason])}</Note>}
        <Facts
          look={look}
          facts={[
            [t("amount"), money(data.amount, locale)],
            [t("date"), civilDayText(locale, data.day)],
            [t("payoutAccount"), t("payoutAccountEnding", { digits: data.accountEnd })],
          ]}
        />
        <Action look={look} href={data.url}>
          {t("payoutLines")}
        </Action>
        <Note look={look}>{t("payoutLink")}</Note>
      </>
    );
  },
};
