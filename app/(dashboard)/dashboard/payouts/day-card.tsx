import { getTranslations } from "next-intl/server";
import { payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { DataList } from "@/components/dashboard/data-list";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { ComingDay, ComingRow } from "@/lib/finance/overview";

interface DayCardProps {
  day: string;
  whole: ComingDay | undefined;
  rows: readonly ComingRow[];
  nextHref: string | undefined;
  closeHref: string;
}

/** What one day of the calendar is made of. */
export async function DayCard({ day: on, whole, rows, nextHref, closeHref }: DayCardProps) {
  const [t, { money, day }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("dayTitle", { day: day(on) })}
        description={whole ? t("dayText", { amount: money(whole.net), count: whole.count }) : t("dayNone")}
        actions={
          <LinkButton href={closeHref} scroll={false} size="sm">
            {t("dayClose")}
          </LinkButton>
        }
      />
      {rows.length > 0 ? (
        <DataList
          caption={t("dayTitle", { day: day(on) })}
          columns={[
            { key: "payment", title: t("payment") },
            { key: "whose", title: t("whose") },
            { key: "net", title: t("net"), isNumeric: true },
          ]}
          rows={rows.map((row) => ({
            id: row.id,
            href: `/dashboard/payments/${row.paymentId}`,
            cells: [
              row.installments > 1
                ? t("installment", { number: row.installment, count: row.installments })
                : t("single"),
              row.seller?.name ?? t("ownShort"),
              money(row.net),
            ],
          }))}
        />
      ) : null}
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{ href: undefined, text: t("newer") }}
          next={{ href: nextHref, text: t("more") }}
        />
      </div>
    </Card>
  );
}
