import { getTranslations } from "next-intl/server";
import { momentText, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { CopyButton } from "@/components/ui/copy-button";
import { isByPeople } from "@/lib/charges/by-people";
import type { PaymentOverview } from "@/lib/charges/overview";

interface SupportSummaryProps {
  payment: PaymentOverview;
  sentences: readonly string[];
  status: string;
  words: Words;
}

/** The payment in a few lines for a ticket or a chat: what happened, and what each side calls it. No buyer data. */
export async function SupportSummary({ payment, sentences, status, words }: SupportSummaryProps) {
  const t = await getTranslations("payments");
  const { row, attempts } = payment;
  const answered = attempts.find((each) => !isByPeople(each) && (each.authorizationNsu ?? each.transactionId));
  const lines: (readonly [string, string | null | undefined])[] = [
    [t("columnAmount"), words.money(row.originalAmount)],
    [t("columnStatus"), status],
    [t("factCreated"), momentText(words, row.createdAt)],
    [t("factOrder"), row.orderId],
    [t("columnProvider"), row.providerType],
    [t("summaryTransaction"), answered?.transactionId],
    [t("summaryNsu"), answered?.authorizationNsu],
    [t("summaryId"), row.id],
  ];
  const text = [
    sentences.join(" "),
    ...lines.flatMap(([name, value]) => (value ? [[name, value].join(": ")] : [])),
    t("zone"),
  ].join("\n");
  return (
    <span className="ml-2 inline-flex items-center gap-1 print:hidden">
      {t("summary")}
      <CopyButton text={text} label={t("summaryCopy")} size="icon" className="size-7" />
    </span>
  );
}
