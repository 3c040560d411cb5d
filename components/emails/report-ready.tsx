import { Action, Anchor, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";
import type { Locale } from "@/lib/i18n/locales";
import type { MailData } from "@/lib/mail/templates";

type Ready = MailData<"report-ready">;

const TYPE_TEXTS = {
  transactions: "reportTransactions",
  transactionsHistory: "reportHistory",
  purchases: "reportPurchases",
  sessions: "reportSessions",
  disputes: "reportDisputes",
  receivables: "reportReceivables",
  payout_orders: "reportPayoutOrders",
  payout_batches: "reportPayoutBatches",
  prepayments: "reportPrepayments",
  ledger: "reportLedger",
  subscriptions: "reportSubscriptions",
  sellers: "reportSellers",
  customers: "reportCustomers",
  deliveries: "reportDeliveries",
} as const satisfies Record<Ready["type"], string>;

export const template: EmailTemplate<"report-ready"> = {
  subject: ({ data, locale }) => {
    const t = getTranslations("operatorMail", locale);
    const type = t(TYPE_TEXTS[data.type]);
    return data.files.length === 0 ? t("reportEmptySubject", { type }) : t("reportSubject", { type });
  },
  preview: ({ data, locale }) => told(data, locale),
  Body({ data, locale, look }) {
    const t = getTranslations("operatorMail", locale);
    const [first] = data.files;
    return (
      <>
        <Title look={look}>{t("reportTitle")}</Title>
        <Paragraph look={look}>{told(data, locale)}</Paragraph>
        <Facts
          look={look}
          facts={[
            [t("reportAccount"), data.accountName],
            [t("reportType"), t(TYPE_TEXTS[data.type])],
            [t("reportPeriod"), periodOf(data, locale)],
          ]}
        />
        {first && data.files.length === 1 && (
          <Action look={look} href={first.url}>
            {t("reportAction")}
          </Action>
        )}
        {data.allUrl && (
          <Action look={look} href={data.allUrl}>
            {t("reportAll")}
          </Action>
        )}
        {data.files.length > 1 &&
          data.files.map(({ name, url }, at) => (
            <Paragraph key={name} look={look}>
              <Anchor look={look} href={url}>
                {t("reportFile", { number: at + 1 })}
              </Anchor>
            </Paragraph>
          ))}
        <Note look={look}>
          <Anchor look={look} href={data.url}>
            {t("reportSee")}
          </Anchor>
        </Note>
        {first && <Note look={look}>{t("reportLink", { at: shownInstant(data.expiresAt, locale) })}</Note>}
      </>
    );
  },
};

function told({ files, rows }: Ready, locale: Locale): string {
  const t = getTranslations("operatorMail", locale);
  return files.length === 0 ? t("reportEmpty") : t("reportReady", { rows, files: files.length });
}

/** In the zone of the report, which is named. */
function periodOf({ since, until, timezone }: Ready, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: timezone });
  return `${format.formatRange(new Date(since), new Date(until))} (${timezone})`;
}
