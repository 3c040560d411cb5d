import { SearchX, UsersRound } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { EmailText } from "@/components/dashboard/email-text";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import {
  CUSTOMERS_PER_PAGE,
  listCustomersForOperator,
  type PersonFigures,
  personFiguresOf,
} from "@/lib/customers/operator-queries";
import { may } from "@/lib/operators/permissions";
import { customersLike } from "@/lib/search/buyers";

const PAGE = "/dashboard/customers";
const SEARCH_ID = "customer-search";
const NOTHING: PersonFigures = { cards: 0, payments: 0, total: 0, isMore: false, records: 1 };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("customers");
  return { title: t("title") };
}

export default async function CustomersPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "payments.see");
  const [t, format, locale] = await Promise.all([getTranslations("customers"), getFormatter(), getLocale()]);
  const search = oneOf(given, "q");
  const { items, previous, next } = await listCustomersForOperator(ctx, role, {
    ids: search ? await customersLike(ctx, role, search, CUSTOMERS_PER_PAGE) : undefined,
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
  });
  const figures = await personFiguresOf(
    ctx,
    items.map(({ id }) => id),
  );
  const cellsOf = ({ cards, payments, total, isMore }: PersonFigures = NOTHING) => [
    format.number(cards),
    isMore ? t("manyPayments") : format.number(payments),
    isMore ? t("none") : formatCents(total, "BRL", locale),
  ];
  const nameOf = ({ name }: { name: string }, { records }: PersonFigures = NOTHING) =>
    records > 1 ? t("nameOfSeveral", { name, count: records }) : name;
  return (
    <>
      <PageHead
        title={t("title")}
        aside={t("zone")}
        action={<ExportButton role={role} type="customers" isNarrower={search !== undefined} />}
      />
      {oneOf(given, "done") === "deleted" ? <DoneNote text={t("doneDeleted")} /> : null}
      <FilterForm
        path={PAGE}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={[]}
        choices={[]}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t(may(role, "buyers.see") ? "searchPlaceholder" : "searchPlaceholderMasked"),
          searchAction: t("search"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length === 0 ? (
          search ? (
            <EmptyState
              icon={SearchX}
              title={t("noneFoundTitle")}
              action={<LinkButton href={PAGE}>{t("clear")}</LinkButton>}
            >
              {t("noneFoundText", { search })}
            </EmptyState>
          ) : (
            <EmptyState icon={UsersRound} title={t("emptyTitle")}>
              {t("emptyText")}
            </EmptyState>
          )
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "email", title: t("email"), isWhole: true },
              { key: "document", title: t("document"), isMinor: true },
              { key: "cards", title: t("cards"), isNumeric: true, isMinor: true },
              { key: "payments", title: t("payments"), isNumeric: true },
              { key: "total", title: t("total"), isNumeric: true },
              { key: "since", title: t("since"), isNumeric: true },
            ]}
            rows={items.map((customer) => ({
              id: customer.id,
              href: `${PAGE}/${customer.id}`,
              cells: [
                nameOf(customer, figures.get(customer.id)),
                customer.email && <EmailText key="email" address={customer.email} />,
                customer.document === null ? t("none") : maskTaxId(customer.document),
                ...cellsOf(figures.get(customer.id)),
                <Moment
                  key="since"
                  at={customer.createdAt}
                  text={format.dateTime(customer.createdAt, { dateStyle: "medium", timeStyle: "short" })}
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
