import { CircleCheck, Scale, TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { FinanceTabs } from "@/app/(dashboard)/dashboard/finance/tabs";
import { BREAKS, FINANCE, financeWords, STATEMENTS } from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { addDays } from "@/lib/brazil/bank-calendar";
import { dayIn } from "@/lib/finance/days";
import { DAYS_PER_PAGE, type ReconciledDay, reconciliation } from "@/lib/finance/reconciliation";
import { providersToBring } from "@/lib/finance/statements";
import { may } from "@/lib/operators/permissions";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("reconciliation") };
}

export default async function ReconciliationPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(FINANCE, given, {}), "finance.see");
  const t = await getTranslations("finance");
  const until = dayIn(oneOf(given, "until"));
  const [{ money, day }, view, providers] = await Promise.all([
    financeWords(),
    reconciliation(ctx, role, { until }),
    may(role, "finance.settle") ? providersToBring(ctx, role) : [],
  ]);
  return (
    <>
      <PageHead
        title={t("reconciliation")}
        aside={t("zone")}
        description={t("reconciliationText")}
        action={
          providers.length > 0 ? (
            <LinkButton href={`${STATEMENTS}?do=upload`} className="max-sm:h-11">
              {t("statementUpload")}
            </LinkButton>
          ) : null
        }
      />
      <FinanceTabs here="reconciliation" role={role} />
      <Card className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-3">
          <p className="font-medium text-ink">{t("span", { from: day(view.from), until: day(view.until) })}</p>
          <form action={FINANCE} className="flex items-center gap-2">
            <label htmlFor="until" className="text-ink-2 text-sm">
              {t("weekUntil")}
            </label>
            <Input id="until" type="date" name="until" defaultValue={view.until} key={view.until} className="w-auto" />
            <Button type="submit">{t("weekShow")}</Button>
          </form>
        </div>
        {view.openBreaks > 0 ? (
          <p className="border-line border-b bg-danger-soft px-5 py-3 text-danger text-sm">
            <Link href={BREAKS} className="underline underline-offset-2">
              {t("breaksWait", { count: view.openBreaks })}
            </Link>
          </p>
        ) : null}
        {view.days.length === 0 ? (
          <EmptyState icon={Scale} title={t("daysEmptyTitle")}>
            {t("daysEmptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("reconciliation")}
            columns={[
              { key: "day", title: t("day") },
              { key: "state", title: t("state") },
              { key: "expected", title: t("expected"), isNumeric: true },
              { key: "netted", title: t("netted"), isNumeric: true, isMinor: true },
              { key: "costAhead", title: t("costAhead"), isNumeric: true, isMinor: true },
              { key: "found", title: t("found"), isNumeric: true },
              { key: "settled", title: t("settled"), isNumeric: true },
            ]}
            rows={view.days.map((each) => ({
              id: `${each.day} ${each.providerId}`,
              href: dayHref(each),
              cells: [
                <span key="day" className="grid">
                  {day(each.day)}
                  <span className="wrap-anywhere text-ink-3 text-xs">{each.provider}</span>
                </span>,
                <DayState key="state" day={each} />,
                money(each.expected),
                each.netted === 0 ? t("none") : money(-each.netted),
                each.costAhead === 0 ? t("none") : money(-each.costAhead),
                money(each.found),
                money(each.settled),
              ],
            }))}
          />
        )}
        <div className="border-line border-t px-5 py-3">
          <PageLinks
            label={t("pages")}
            previous={{
              href: withParameters(FINANCE, given, { until: addDays(view.from, -1) }),
              text: t("weekBefore"),
            }}
            next={{
              href: view.isLast
                ? undefined
                : withParameters(FINANCE, given, { until: addDays(view.until, DAYS_PER_PAGE) }),
              text: t("weekAfter"),
            }}
          />
        </div>
      </Card>
      <p className="mt-3 max-w-3xl text-ink-2 text-xs">{t("reconciliationHow")}</p>
      <p className="mt-2 max-w-3xl text-ink-2 text-xs">{t("costFirst")}</p>
    </>
  );
}

/** A day of which nothing is left to look at opens with what was matched. */
function dayHref({ day, providerId, count, differing, missing, waiting, netted, costAhead }: ReconciledDay): string {
  const isMatched = count > 0 && differing + missing + waiting === 0 && netted + costAhead === 0;
  return `${FINANCE}/day?${new URLSearchParams({ day, provider: providerId, ...(isMatched ? { state: "matched" } : {}) })}`;
}

async function DayState({ day }: { day: ReconciledDay }) {
  const t = await getTranslations("finance");
  if (day.differing + day.missing > 0 || day.settled !== day.found) {
    return (
      <Badge tone="danger" icon={TriangleAlert}>
        {t("dayDiffers", { count: day.differing + day.missing })}
      </Badge>
    );
  }
  if (day.waiting > 0) return <Badge tone="neutral">{t("dayWaiting", { count: day.waiting })}</Badge>;
  if (day.uneven > 0) return <Badge tone="neutral">{t("dayUneven", { count: day.uneven })}</Badge>;
  return (
    <Badge tone="success" icon={CircleCheck}>
      {t("dayMatched", { count: day.count })}
    </Badge>
  );
}
