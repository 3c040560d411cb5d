import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCents } from "@/components/ui/money-format";
import { listWaiting } from "@/lib/insights/waiting";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/reviews";
const DONE_TEXTS = { resolved: "doneResolved", proposed: "doneProposed" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reviews");
  return { title: t("title") };
}

export default async function ReviewsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "payments.see");
  const [t, words, format, locale] = await Promise.all([
    getTranslations("reviews"),
    reviewWords(),
    getFormatter(),
    getLocale(),
  ]);
  const items = await listWaiting(ctx, role);
  const done = oneOf(given, "done");
  return (
    <>
      <PageHead title={t("title")} description={t("description")} aside={t("zone")} />
      {done === "resolved" || done === "proposed" ? <DoneNote text={t(DONE_TEXTS[done])} /> : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={t("emptyTitle")}>
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "what", title: t("what") },
              { key: "reason", title: t("reason") },
              { key: "amount", title: t("atStake"), isNumeric: true },
              { key: "since", title: t("since"), isNumeric: true },
            ]}
            rows={items.map((item) => ({
              id: `${item.kind}-${item.id}`,
              href: item.kind === "purchase" ? `${PAGE}/${item.id}` : `/dashboard/payments/${item.id}`,
              cells: [
                words.kind(item.kind),
                item.kind === "unanswered"
                  ? t("silent", { provider: item.reason })
                  : item.kind === "proposed"
                    ? t("secondPerson")
                    : words.reason(item.reason),
                formatCents(item.amount, item.currency, locale),
                <Moment key="since" at={item.since} text={format.relativeTime(item.since, realNow())} />,
              ],
            }))}
          />
        )}
      </Card>
      <ListKeys searchId="" />
    </>
  );
}
