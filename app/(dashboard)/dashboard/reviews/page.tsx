import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { CsvButton, CutNote } from "@/app/(dashboard)/csv-button";
import { TakeButton, TakenBy } from "@/app/(dashboard)/dashboard/reviews/take";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { ListKeys } from "@/components/dashboard/list-keys";
import { LiveRefresh } from "@/components/dashboard/live-refresh";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCents } from "@/components/ui/money-format";
import { now } from "@/lib/context";
import { lastSolved } from "@/lib/insights/last-solved";
import { proposedAmong } from "@/lib/insights/proposed";
import { takesOf } from "@/lib/insights/takes";
import { listWaiting } from "@/lib/insights/waiting";
import { may } from "@/lib/operators/permissions";

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
  const { items, isCut } = await listWaiting(ctx, role);
  const ids = items.map(({ id }) => id);
  const [takes, solved, proposed] = await Promise.all([
    takesOf(ctx, ids),
    items.length === 0 ? lastSolved(ctx, role) : undefined,
    proposedAmong(ctx, ids),
  ]);
  const mayTake = may(role, "reviews.resolve");
  const done = oneOf(given, "done");
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        aside={t("zone")}
        action={items.length > 0 ? <CsvButton path={PAGE} given={{}} /> : null}
      />
      {done === "resolved" || done === "proposed" ? <DoneNote text={t(DONE_TEXTS[done])} /> : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={t("emptyTitle")}>
            {t("emptyText")}{" "}
            {solved ? (
              <Link href={`/dashboard/payments/${solved.purchaseId}`} className="text-accent-ink underline">
                {t("lastSolved", {
                  who: solved.by ?? t("proposalSomebody"),
                  when: format.dateTime(solved.at, { dateStyle: "medium", timeStyle: "short" }),
                })}
              </Link>
            ) : null}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            actions={mayTake ? t("takeColumn") : undefined}
            columns={[
              { key: "what", title: t("what") },
              { key: "reason", title: t("reason") },
              { key: "amount", title: t("atStake"), isNumeric: true },
              { key: "since", title: t("since"), isNumeric: true },
              { key: "with", title: t("takenBy") },
            ]}
            rows={items.map((item) => ({
              id: `${item.kind}-${item.id}`,
              href: item.kind === "purchase" ? `${PAGE}/${item.id}` : `/dashboard/payments/${item.id}`,
              cells: [
                <span key="what" className="grid">
                  <span>{words.kind(item.kind)}</span>
                  {item.orderId ? (
                    <span className="truncate text-ink-3 text-xs">{t("orderOf", { order: item.orderId })}</span>
                  ) : null}
                </span>,
                <span key="reason" className="grid">
                  <span>{words.why(item)}</span>
                  {proposed.has(item.id) ? <span className="text-warning text-xs">{t("secondDecision")}</span> : null}
                </span>,
                formatCents(item.amount, item.currency, locale),
                <Moment key="since" at={item.since} text={format.relativeTime(item.since, now(ctx))} />,
                <TakenBy key="with" take={takes.get(item.id)} />,
              ],
              actions: mayTake ? (
                <TakeButton
                  id={item.id}
                  kind={item.kind === "purchase" ? "purchase" : "charge"}
                  take={takes.get(item.id)}
                />
              ) : null,
            }))}
          />
        )}
        {isCut ? <CutNote /> : null}
      </Card>
      <ListKeys searchId="" />
      <LiveRefresh />
    </>
  );
}
