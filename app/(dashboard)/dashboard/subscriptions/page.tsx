import { Repeat, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import {
  chargedNextOn,
  LIST,
  STATUS_LOOKS,
  STATUS_TEXTS,
  subscriptionWords,
} from "@/app/(dashboard)/dashboard/subscriptions/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { WhyLink } from "@/components/dashboard/why-link";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { SUBSCRIPTION_STATUSES } from "@/db/schema/subscriptions";
import { may } from "@/lib/operators/permissions";
import { listSubscriptionsForOperator, subscriptionFiguresOf } from "@/lib/subscriptions/operator-queries";

const SEARCH_ID = "subscription-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("subscriptions");
  return { title: t("title") };
}

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(LIST, given, {}), "subscriptions.see");
  const { t, money, day, plan } = await subscriptionWords();
  const [search, status, customerId] = ["q", "status", "customer"].map((name) => oneOf(given, name));
  const [{ items, previous, next }, figures] = await Promise.all([
    listSubscriptionsForOperator(ctx, role, {
      search,
      status,
      customerId,
      after: oneOf(given, "after"),
      before: oneOf(given, "before"),
    }),
    subscriptionFiguresOf(ctx, role),
  ]);
  const why = (figure: string) => withParameters(LIST, given, { why: figure });
  const isFiltered = [search, status, customerId].some(Boolean);
  return (
    <>
      <PageHead
        title={t("title")}
        description={t.rich("figures", {
          active: figures.active,
          monthlyAmount: money(figures.monthly),
          open: figures.retrying + figures.unpaid,
          atRisk: money(figures.atRisk),
          monthly: (text) => <WhyLink href={why("subscriptions.monthly")}>{text}</WhyLink>,
          risk: (text) => <WhyLink href={why("subscriptions.atRisk")}>{text}</WhyLink>,
        })}
        action={
          <>
            <ExportButton
              role={role}
              type="subscriptions"
              filters={{ status }}
              isNarrower={search !== undefined || customerId !== undefined}
            />
            <LinkButton href={`${LIST}/settings`}>{t("settings")}</LinkButton>
            {may(role, "subscriptions.edit") ? (
              <LinkButton href={`${LIST}/new`} tone="primary">
                {t("newButton")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <FilterForm
        path={LIST}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={customerId ? [["customer", customerId]] : []}
        choices={[
          {
            name: "status",
            label: t("status"),
            chosen: status ?? "",
            options: [
              { value: "", label: t("anyStatus") },
              ...SUBSCRIPTION_STATUSES.map((each) => ({ value: each, label: t(STATUS_TEXTS[each]) })),
            ],
          },
        ]}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t(may(role, "buyers.see") ? "searchPlaceholder" : "searchPlaceholderMasked"),
          searchAction: t("search"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length === 0 ? (
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t("noneFoundTitle")}
              action={<LinkButton href={LIST}>{t("clear")}</LinkButton>}
            >
              {t("noneFoundText")}
            </EmptyState>
          ) : (
            <EmptyState icon={Repeat} title={t("emptyTitle")}>
              {t("emptyText")}
            </EmptyState>
          )
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "status", title: t("status") },
              { key: "plan", title: t("plan"), isMinor: true },
              { key: "next", title: t("nextDue"), isNumeric: true },
              { key: "risk", title: t("atRisk"), isNumeric: true },
            ]}
            rows={items.map(({ row, buyer, atRisk, nextRetryOn }) => {
              const nextOn = chargedNextOn(row);
              return {
                id: row.id,
                href: `${LIST}/${row.id}`,
                cells: [
                  <span key="name" className="grid">
                    {row.name}
                    <span className="text-ink-3 text-xs">{buyer?.name ?? t("nobody")}</span>
                  </span>,
                  <Badge key="status" {...STATUS_LOOKS[row.status]}>
                    {t(STATUS_TEXTS[row.status])}
                  </Badge>,
                  plan(row),
                  nextRetryOn ? t("retryOn", { date: day(nextRetryOn) }) : nextOn ? day(nextOn) : t("none"),
                  atRisk > 0 ? money(atRisk) : t("none"),
                ],
              };
            })}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(LIST, given, { before: previous, after: undefined }),
              text: t("newer"),
            }}
            next={{ href: next && withParameters(LIST, given, { after: next, before: undefined }), text: t("older") }}
          />
        </div>
      </Card>
      <p className="mt-3 text-ink-3 text-xs">{t("figuresText")}</p>
      <ExplanationSheet ctx={ctx} role={role} path={LIST} given={given} subject={{}} />
    </>
  );
}
