import { Link2 } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { linkWords, STATE_TONES } from "@/app/(dashboard)/dashboard/links/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { inSnapshot, now } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { listSessions } from "@/lib/sessions/queries";
import { sessionFilters } from "@/lib/sessions/schema";
import { linkStateOf, multiplePaymentsOf } from "@/lib/sessions/state";

const PAGE = "/dashboard/links";
const PER_PAGE = 25;
const TABS = [
  { wording: "tabAll", status: undefined },
  { wording: "tabOpen", status: "created" },
  { wording: "tabPaid", status: "paid" },
  { wording: "tabCanceled", status: "canceled" },
] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("links");
  return { title: t("title") };
}

export default async function LinksPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "payments.see");
  const [t, words, format, locale] = await Promise.all([
    getTranslations("links"),
    linkWords(),
    getFormatter(),
    getLocale(),
  ]);
  const status = TABS.find((tab) => tab.status === oneOf(given, "status"))?.status;
  const page = Math.max(1, Number.parseInt(oneOf(given, "page") ?? "1", 10) || 1);
  const filters = sessionFilters.parse({ page: String(page), limit: String(PER_PAGE), ...(status ? { status } : {}) });
  const { items, totalItems } = await inSnapshot(ctx, (inside) => listSessions(inside, filters));
  const at = now(ctx);
  const create = may(role, "links.edit") ? (
    <LinkButton href={`${PAGE}/new`} tone="primary">
      {t("create")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} action={create} />
      <Card className="overflow-hidden">
        <StatusTabs
          label={t("tabs")}
          tabs={TABS.map((tab) => ({
            text: t(tab.wording),
            href: tab.status ? `${PAGE}?status=${tab.status}` : PAGE,
            isHere: tab.status === status,
          }))}
        />
        {items.length === 0 ? (
          <EmptyState icon={Link2} title={t("emptyTitle")} action={status ? null : create}>
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "amount", title: t("amount"), isNumeric: true },
              { key: "state", title: t("state") },
              { key: "paid", title: t("payments"), isNumeric: true },
              { key: "due", title: t("due"), isNumeric: true, isMinor: true },
              { key: "date", title: t("createdAt"), isNumeric: true },
            ]}
            rows={items.map((session) => {
              const state = linkStateOf(session, at);
              const { paymentCount, maxPayments } = multiplePaymentsOf(session, at);
              return {
                id: session.id,
                href: `${PAGE}/${session.id}`,
                cells: [
                  session.name ?? session.items[0]?.name ?? session.id,
                  formatCents(session.amount, session.currency, locale),
                  <Badge key="state" tone={STATE_TONES[state]}>
                    {words(state)}
                  </Badge>,
                  maxPayments === null || maxPayments < 0
                    ? format.number(paymentCount)
                    : t("paidOf", { count: paymentCount, most: maxPayments }),
                  session.dueAt ? format.dateTime(session.dueAt, { dateStyle: "short" }) : t("none"),
                  <Moment
                    key="date"
                    at={session.createdAt}
                    text={format.dateTime(session.createdAt, { dateStyle: "short", timeStyle: "short" })}
                  />,
                ],
              };
            })}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: page > 1 ? withParameters(PAGE, given, { page: String(page - 1) }) : undefined,
              text: t("previous"),
            }}
            next={{
              href: page * PER_PAGE < totalItems ? withParameters(PAGE, given, { page: String(page + 1) }) : undefined,
              text: t("next"),
            }}
          />
        </div>
      </Card>
      <ListKeys searchId="" />
    </>
  );
}
