import { FastForward, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import {
  PREPAYMENT_LOOKS,
  PREPAYMENT_TEXTS,
  PREPAYMENTS,
  prepaymentWords,
} from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { PayoutsTabs } from "@/app/(dashboard)/dashboard/payouts/tabs";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PREPAYMENT_STATUSES } from "@/db/schema/prepayments";
import { listPrepaymentsForOperator } from "@/lib/finance/prepayments";
import { may } from "@/lib/operators/permissions";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("prepayments");
  return { title: t("title") };
}

export default async function PrepaymentsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PREPAYMENTS, given, {}), "payouts.see");
  const status = oneOf(given, "status");
  const [{ t, money, day, cost }, { items, previous, next }] = await Promise.all([
    prepaymentWords(),
    listPrepaymentsForOperator(ctx, role, { status, after: oneOf(given, "after"), before: oneOf(given, "before") }),
  ]);
  const isNewOpen = may(role, "prepayment.simulate");
  const begin = isNewOpen ? (
    <LinkButton href={`${PREPAYMENTS}/new`} tone="primary">
      {t("new")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead
        title={t("title")}
        aside={t("bankZone")}
        description={t("text")}
        action={
          <>
            <ExportButton role={role} type="prepayments" filters={{ status }} isNarrower={false} />
            {begin}
          </>
        }
      />
      <PayoutsTabs here="prepayments" />
      <Card className="overflow-hidden">
        <StatusTabs
          label={t("status")}
          tabs={[
            { href: PREPAYMENTS, text: t("statusAll"), isHere: !status },
            ...PREPAYMENT_STATUSES.map((each) => ({
              href: `${PREPAYMENTS}?status=${each}`,
              text: t(PREPAYMENT_TEXTS[each]),
              isHere: each === status,
            })),
          ]}
        />
        {items.length === 0 ? (
          <EmptyState icon={status ? SearchX : FastForward} title={status ? t("noneTitle") : t("emptyTitle")}>
            {status ? null : t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "whose", title: t("whose") },
              { key: "status", title: t("status") },
              { key: "payment", title: t("paidOn"), isNumeric: true },
              { key: "gross", title: t("gross"), isNumeric: true },
              { key: "cost", title: t("cost"), isNumeric: true, isMinor: true },
              { key: "net", title: t("net"), isNumeric: true },
            ]}
            rows={items.map(({ row, seller }) => ({
              id: row.id,
              href: `${PREPAYMENTS}/${row.id}`,
              cells: [
                <span key="whose" className="grid">
                  <span className="truncate">{seller ?? t("own")}</span>
                  {row.automatic ? <span className="text-ink-3 text-xs">{t("automatic")}</span> : null}
                </span>,
                <Badge key="status" {...PREPAYMENT_LOOKS[row.status]}>
                  {t(PREPAYMENT_TEXTS[row.status])}
                </Badge>,
                day(row.paymentDate),
                money(row.grossAmount),
                t("costText", {
                  amount: money(row.grossAmount - row.netAmount),
                  rate: cost(row.grossAmount, row.netAmount),
                }),
                money(row.netAmount),
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(PREPAYMENTS, given, { before: previous, after: undefined }),
              text: t("newer"),
            }}
            next={{
              href: next && withParameters(PREPAYMENTS, given, { after: next, before: undefined }),
              text: t("older"),
            }}
          />
        </div>
      </Card>
    </>
  );
}
