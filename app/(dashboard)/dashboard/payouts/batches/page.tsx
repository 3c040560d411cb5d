import { Banknote, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PayoutsTabs } from "@/app/(dashboard)/dashboard/payouts/tabs";
import {
  BATCH_LOOKS,
  BATCH_TEXTS,
  BATCHES,
  payoutWords,
  TRANSFER_LOOKS,
  TRANSFER_TEXTS,
} from "@/app/(dashboard)/dashboard/payouts/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { BATCH_STATUSES } from "@/db/schema/payouts";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { type ListedBatch, listBatchesForOperator, MOST_BATCHES_COUNTED } from "@/lib/finance/batches";
import { may } from "@/lib/operators/permissions";

const SEARCH_ID = "batch-search";
const NAMES = ["q", "status", "whose", "seller", "merchant", "from", "until", "after", "before"] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payouts");
  return { title: t("batches") };
}

export default async function BatchesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(BATCHES, given, {}), "payouts.see");
  const { t, money } = await payoutWords();
  const [search, status, whose, sellerId, merchantId, from, until, after, before] = NAMES.map((name) =>
    oneOf(given, name),
  );
  const filters = { search, status, whose, sellerId, merchantId, from, until, after, before };
  const isFiltered = [search, status, whose, sellerId, merchantId, from, until].some(Boolean);
  const [{ items, total, previous, next }, merchants] = await Promise.all([
    listBatchesForOperator(ctx, role, filters),
    may(role, "payments.see") ? merchantsToChoose(ctx, role) : [],
  ]);
  return (
    <>
      <PageHead
        title={t("batches")}
        aside={t("zone")}
        description={
          total.count > 0
            ? t(total.isMore ? "totalsMore" : "totals", {
                count: total.isMore ? MOST_BATCHES_COUNTED : total.count,
                amount: money(total.amount),
              })
            : undefined
        }
        action={
          <ExportButton
            role={role}
            type="payout_batches"
            filters={{ status, merchant: merchantId }}
            isNarrower={[search, whose, sellerId, from, until].some(Boolean)}
          />
        }
      />
      <PayoutsTabs here="batches" />
      <FilterForm
        path={BATCHES}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={sellerId ? [["seller", sellerId]] : []}
        choices={[
          {
            name: "status",
            label: t("status"),
            chosen: status ?? "",
            options: [
              { value: "", label: t("anyStatus") },
              ...BATCH_STATUSES.map((each) => ({ value: each, label: t(BATCH_TEXTS[each]) })),
            ],
          },
          {
            name: "whose",
            label: t("whose"),
            chosen: whose ?? "",
            options: [
              { value: "", label: t("whoseAll") },
              { value: "own", label: t("whoseOwn") },
              { value: "sellers", label: t("whoseSellers") },
            ],
          },
          ...(merchants.length > 1
            ? [
                {
                  name: "merchant",
                  label: t("merchant"),
                  chosen: merchantId ?? "",
                  options: [
                    { value: "", label: t("anyMerchant") },
                    ...merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
                  ],
                },
              ]
            : []),
        ]}
        more={{
          label: t("moreFilters"),
          isOpen: Boolean(from ?? until),
          choices: [],
          texts: [
            { name: "from", label: t("from"), placeholder: "", value: from ?? "", kind: "day" },
            { name: "until", label: t("until"), placeholder: "", value: until ?? "", kind: "day" },
          ],
        }}
        texts={{ searchLabel: t("searchLabel"), searchPlaceholder: t("searchPlaceholder"), searchAction: t("search") }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length === 0 ? (
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t("noneFoundTitle")}
              action={<LinkButton href={BATCHES}>{t("clear")}</LinkButton>}
            >
              {t("noneFoundText")}
            </EmptyState>
          ) : (
            <EmptyState icon={Banknote} title={t("emptyTitle")}>
              {t("emptyText")}
            </EmptyState>
          )
        ) : (
          <BatchTable batches={items} />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(BATCHES, given, { before: previous, after: undefined }),
              text: t("newer"),
            }}
            next={{
              href: next && withParameters(BATCHES, given, { after: next, before: undefined }),
              text: t("older"),
            }}
          />
        </div>
      </Card>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

async function BatchTable({ batches }: { batches: readonly ListedBatch[] }) {
  const { t, money, day, group } = await payoutWords();
  return (
    <DataList
      caption={t("batches")}
      columns={[
        { key: "whose", title: t("whose") },
        { key: "status", title: t("status") },
        { key: "group", title: t("group"), isMinor: true },
        { key: "day", title: t("paymentDate"), isNumeric: true },
        { key: "carried", title: t("carried"), isNumeric: true, isMinor: true },
        { key: "final", title: t("final"), isNumeric: true },
      ]}
      rows={batches.map(({ row, paidWith, seller, merchant, transfer }) => ({
        id: row.id,
        href: `${BATCHES}/${row.id}`,
        cells: [
          <span key="whose" className="grid">
            <span className="truncate">{seller ?? t("ownShort")}</span>
            <span className="truncate text-ink-3 text-xs">{merchant}</span>
          </span>,
          <span key="status" className="flex flex-wrap gap-1">
            <Badge {...BATCH_LOOKS[row.status]}>{t(BATCH_TEXTS[row.status])}</Badge>
            {transfer === "returned" || transfer === "unknown" ? (
              <Badge {...TRANSFER_LOOKS[transfer]}>{t(TRANSFER_TEXTS[transfer])}</Badge>
            ) : null}
          </span>,
          group(row, paidWith),
          day(row.payoutDate ?? row.paymentDate),
          row.balanceAmount === 0 ? t("none") : money(row.balanceAmount),
          row.finalBalance <= 0 ? t("nothingSent", { amount: money(row.finalBalance) }) : money(row.finalBalance),
        ],
      }))}
    />
  );
}
