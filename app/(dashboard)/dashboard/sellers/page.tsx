import { HandCoins, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { SellersTabs } from "@/app/(dashboard)/dashboard/sellers/tabs";
import { SELLER_LOOKS, SELLER_STATUS_TEXTS, shownDocument } from "@/app/(dashboard)/dashboard/sellers/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { planNamer } from "@/app/(dashboard)/plan-names";
import { WaitingCard } from "@/app/(dashboard)/waiting-card";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { SELLER_STATUSES } from "@/db/schema/sellers";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { may } from "@/lib/operators/permissions";
import { sellersLike } from "@/lib/search/sellers";
import { listSellersForOperator, SELLERS_PER_PAGE } from "@/lib/sellers/operator-queries";

const PAGE = "/dashboard/sellers";
const SEARCH_ID = "seller-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellers");
  return { title: t("title") };
}

export default async function SellersPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "sellers.see");
  const [t, format, locale, nameOf] = await Promise.all([
    getTranslations("sellers"),
    getFormatter(),
    getLocale(),
    planNamer(),
  ]);
  const [search, status, merchant, asked] = ["q", "status", "merchant", "asked"].map((name) => oneOf(given, name));
  const statuses = SELLER_STATUSES.filter((each) => each === status);
  const isFiltered = [search, status, merchant, asked].some(Boolean);
  const [merchants, { items, previous, next }] = await Promise.all([
    may(role, "payments.see") ? merchantsToChoose(ctx, role) : [],
    listSellersForOperator(ctx, role, {
      ids: search ? await sellersLike(ctx, role, search, SELLERS_PER_PAGE) : undefined,
      statuses,
      merchantId: merchant,
      isAsked: asked === "yes",
      after: oneOf(given, "after"),
      before: oneOf(given, "before"),
    }),
  ]);
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  return (
    <>
      <PageHead
        title={t("title")}
        aside={t("zone")}
        action={
          <>
            <ExportButton
              role={role}
              type="sellers"
              filters={{ status, merchant }}
              isNarrower={search !== undefined || asked !== undefined}
            />
            {may(role, "sellers.edit") ? (
              <LinkButton href={`${PAGE}/new`} tone="primary">
                {t("new")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <SellersTabs here="sellers" />
      <WaitingCard ctx={ctx} role={role} kinds={["adjustment"]} />
      {oneOf(given, "done") === "deleted" ? <DoneNote text={t("doneDeleted")} /> : null}
      <FilterForm
        path={PAGE}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={[]}
        choices={[
          {
            name: "status",
            label: t("status"),
            chosen: status ?? "",
            options: [
              { value: "", label: t("anyStatus") },
              ...SELLER_STATUSES.map((each) => ({ value: each, label: t(SELLER_STATUS_TEXTS[each]) })),
            ],
          },
          {
            name: "asked",
            label: t("waiting"),
            chosen: asked ?? "",
            options: [
              { value: "", label: t("waitingAny") },
              { value: "yes", label: t("waitingYes") },
            ],
          },
          ...(merchants.length > 1
            ? [
                {
                  name: "merchant",
                  label: t("merchant"),
                  chosen: merchant ?? "",
                  options: [
                    { value: "", label: t("anyMerchant") },
                    ...merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
                  ],
                },
              ]
            : []),
        ]}
        texts={{ searchLabel: t("searchLabel"), searchPlaceholder: t("searchPlaceholder"), searchAction: t("search") }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length === 0 ? (
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t("noneFoundTitle")}
              action={<LinkButton href={PAGE}>{t("clear")}</LinkButton>}
            >
              {t("noneFoundText")}
            </EmptyState>
          ) : (
            <EmptyState icon={HandCoins} title={t("emptyTitle")}>
              {t("emptyText")}
            </EmptyState>
          )
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "document", title: t("document"), isMinor: true },
              { key: "status", title: t("status") },
              { key: "plan", title: t("plan"), isMinor: true },
              { key: "available", title: t("available"), isNumeric: true },
              { key: "pending", title: t("toReceive"), isNumeric: true },
              { key: "since", title: t("since"), isNumeric: true },
            ]}
            rows={items.map((seller) => ({
              id: seller.id,
              href: `${PAGE}/${seller.id}`,
              cells: [
                seller.shown.name,
                shownDocument(seller.shown),
                <span key="status" className="inline-flex flex-wrap items-center gap-1.5">
                  <Badge {...SELLER_LOOKS[seller.status]}>{t(SELLER_STATUS_TEXTS[seller.status])}</Badge>
                  {seller.reviewDeadline ? (
                    <Badge tone="warning">
                      {t("askedUntil", { day: format.dateTime(seller.reviewDeadline, { dateStyle: "medium" }) })}
                    </Badge>
                  ) : null}
                </span>,
                seller.plan ? nameOf(seller.plan) : t("planUsual"),
                seller.balance.available < 0 ? (
                  <span key="available" className="text-danger">
                    {t("owes", { amount: money(-seller.balance.available) })}
                  </span>
                ) : (
                  money(seller.balance.available)
                ),
                money(seller.balance.pending),
                <Moment
                  key="since"
                  at={seller.createdAt}
                  text={format.dateTime(seller.createdAt, { dateStyle: "medium" })}
                />,
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(PAGE, given, { before: previous, after: undefined }),
              text: t("previous"),
            }}
            next={{ href: next && withParameters(PAGE, given, { after: next, before: undefined }), text: t("next") }}
          />
        </div>
      </Card>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}
