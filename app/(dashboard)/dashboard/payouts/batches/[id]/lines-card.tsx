import { getTranslations } from "next-intl/server";
import { BATCHES, PART_TEXTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { DataList } from "@/components/dashboard/data-list";
import { PageLinks } from "@/components/dashboard/page-links";
import { WhyLink } from "@/components/dashboard/why-link";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { BatchOverview, ShownLine } from "@/lib/finance/batch";

interface LinesCardProps {
  overview: BatchOverview;
  path: string;
  given: GivenParameters;
}

/** One page of the lines, each with where it comes from. */
export async function LinesCard({ overview: { lines }, path, given }: LinesCardProps) {
  const [t, { money }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const from = ({ row, payment, adjustment }: ShownLine): string => {
    if (adjustment?.kind === "returned") return t("fromReturned");
    if (row.previousBatchId) return t("fromFailed");
    if (payment?.installment && payment.installments > 1)
      return t("installment", { number: payment.installment, count: payment.installments });
    if (payment) return t("single");
    if (adjustment) return adjustment.reason;
    return row.sourceType === "batch" ? t("fromBatch") : t("none");
  };
  return (
    <Card className="overflow-hidden" id="lines">
      <CardHeader
        title={lines.type ? t("linesOf", { part: t(PART_TEXTS[lines.type]) }) : t("lines")}
        description={t("linesText")}
        actions={
          lines.type ? (
            <LinkButton href={`${path}#lines`} size="sm">
              {t("linesAll")}
            </LinkButton>
          ) : null
        }
      />
      <DataList
        caption={t("lines")}
        columns={[
          { key: "what", title: t("part") },
          { key: "from", title: t("comesFrom") },
          { key: "order", title: t("order"), isWhole: true },
          { key: "amount", title: t("amount"), isNumeric: true },
        ]}
        rows={lines.items.map((line) => ({
          id: line.row.id,
          href: hrefOf(line),
          cells: [
            t(PART_TEXTS[line.row.type]),
            from(line),
            line.payment?.orderId ?? t("none"),
            <WhyLink key="amount" href={withParameters(path, given, { why: "batch.line", part: line.row.id })}>
              {money(line.row.amount)}
            </WhyLink>,
          ],
        }))}
      />
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{
            href: lines.previous && withParameters(path, given, { before: lines.previous, after: undefined }),
            text: t("previous"),
          }}
          next={{
            href: lines.next && withParameters(path, given, { after: lines.next, before: undefined }),
            text: t("next"),
          }}
        />
      </div>
    </Card>
  );
}

const hrefOf = ({ row, payment, adjustment }: ShownLine): string | undefined => {
  if (payment) return `/dashboard/payments/${payment.id}`;
  if (adjustment?.batchId) return `${BATCHES}/${adjustment.batchId}`;
  return row.sourceType === "batch" ? `${BATCHES}/${row.sourceId}` : undefined;
};
