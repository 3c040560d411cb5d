import { Landmark } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FinanceTabs } from "@/app/(dashboard)/dashboard/finance/tabs";
import { CREDITS, financeWords } from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { addDays } from "@/lib/brazil/bank-calendar";
import { dayIn } from "@/lib/finance/days";
import { DAYS_PER_PAGE } from "@/lib/finance/reconciliation";
import { credits } from "@/lib/finance/statements";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("credits") };
}

export default async function CreditsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(CREDITS, given, {}), "finance.see");
  const t = await getTranslations("finance");
  const [{ money, day }, view] = await Promise.all([
    financeWords(),
    credits(ctx, role, { until: dayIn(oneOf(given, "until")) }),
  ]);
  const orNone = (cents: number): string => (cents === 0 ? t("none") : money(cents));
  return (
    <>
      <PageHead title={t("credits")} aside={t("zone")} description={t("creditsText")} />
      <FinanceTabs here="credits" role={role} />
      <Card className="overflow-hidden">
        <div className="border-line border-b px-5 py-3 font-medium text-ink">
          {t("span", { from: day(view.from), until: day(view.until) })}
        </div>
        {view.days.length === 0 ? (
          <EmptyState icon={Landmark} title={t("creditsNone")}>
            {t("creditsNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("credits")}
            columns={[
              { key: "day", title: t("day") },
              { key: "lines", title: t("statementLines"), isNumeric: true, isMinor: true },
              { key: "sales", title: t("creditSales"), isNumeric: true },
              { key: "cost", title: t("cost"), isNumeric: true },
              { key: "other", title: t("creditOther"), isNumeric: true },
              { key: "unowned", title: t("creditUnowned"), isNumeric: true },
              { key: "credited", title: t("credited"), isNumeric: true },
            ]}
            rows={view.days.map((each) => ({
              id: `${each.day} ${each.providerId}`,
              cells: [
                <span key="day" className="grid">
                  {day(each.day)}
                  <span className="wrap-anywhere text-ink-3 text-xs">{each.provider}</span>
                </span>,
                String(each.lines),
                money(each.sales),
                orNone(-each.cost),
                orNone(each.other),
                orNone(each.unowned),
                money(each.credited),
              ],
            }))}
          />
        )}
        <div className="border-line border-t px-5 py-3">
          <PageLinks
            label={t("pages")}
            previous={{
              href: withParameters(CREDITS, given, { until: addDays(view.from, -1) }),
              text: t("weekBefore"),
            }}
            next={{
              href: view.isLast
                ? undefined
                : withParameters(CREDITS, given, { until: addDays(view.until, DAYS_PER_PAGE) }),
              text: t("weekAfter"),
            }}
          />
        </div>
      </Card>
      <p className="mt-3 max-w-3xl text-ink-2 text-xs">{t("creditsHow")}</p>
    </>
  );
}
