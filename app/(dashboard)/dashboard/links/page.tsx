import { Link2, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { AttackFlag } from "@/app/(dashboard)/dashboard/links/attack";
import { EXAMPLES, type Example } from "@/app/(dashboard)/dashboard/links/fields";
import { linkWords, STATE_TONES } from "@/app/(dashboard)/dashboard/links/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
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
import { aroundOf } from "@/lib/charges/around";
import { requestsWaiting } from "@/lib/checkout/new-link";
import { figuresOfLinks } from "@/lib/checkout/visits";
import { inSnapshot, now } from "@/lib/context";
import { listFailingLinks } from "@/lib/insights/failing-links";
import { may } from "@/lib/operators/permissions";
import { lastBuyersOf } from "@/lib/search/last-buyers";
import { linksMeant } from "@/lib/search/links";
import { listSessions } from "@/lib/sessions/queries";
import { sessionFilters } from "@/lib/sessions/schema";
import { linkStateOf, multiplePaymentsOf } from "@/lib/sessions/state";
import { inForceOn } from "@/lib/velocity/alarms";

const PAGE = "/dashboard/links";
const SEARCH_ID = "link-search";
const PER_PAGE = 25;
const MOST_FOUND = 500;
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
  const t = await getTranslations("links");
  const [words, format, locale] = await Promise.all([linkWords(), getFormatter(), getLocale()]);
  const status = TABS.find((tab) => tab.status === oneOf(given, "status"))?.status;
  const page = Math.max(1, Number.parseInt(oneOf(given, "page") ?? "1", 10) || 1);
  const filters = sessionFilters.parse({ page: String(page), limit: String(PER_PAGE), ...(status ? { status } : {}) });
  const search = oneOf(given, "q");
  const meant = search ? await linksMeant(ctx, role, search, MOST_FOUND) : undefined;
  const { items, totalItems, failing, figures, asked, alarms, around, buyers } = await inSnapshot(
    ctx,
    async (inside) => {
      const found = await listSessions(inside, filters, meant);
      const ids = found.items.map(({ id }) => id);
      return {
        ...found,
        failing: await listFailingLinks(inside),
        figures: await figuresOfLinks(inside, ids),
        asked: await requestsWaiting(inside, ids),
        around: await aroundOf(
          inside,
          role,
          found.items.map(({ customerId, merchantId }) => ({ buyerId: customerId, merchantId, sessionId: null })),
        ),
        buyers: await lastBuyersOf(
          inside,
          role,
          found.items.flatMap(({ id, customerId }) => (customerId === null ? [id] : [])),
        ),
        alarms: await inForceOn(inside, [...ids, ...new Set(found.items.map(({ merchantId }) => merchantId))]),
      };
    },
  );
  const at = now(ctx);
  const create = may(role, "links.edit") ? (
    <LinkButton href={`${PAGE}/new`} tone="primary" data-new>
      {t("create")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          <>
            <ExportButton role={role} type="sessions" filters={{ status }} isNarrower={search !== undefined} />
            {create}
          </>
        }
      />
      <FilterForm
        path={PAGE}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={status ? [["status", status]] : []}
        choices={[]}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t(may(role, "buyers.see") ? "searchPlaceholder" : "searchPlaceholderMasked"),
          searchAction: t("searchAction"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        <StatusTabs
          label={t("tabs")}
          tabs={TABS.map((tab) => ({
            text: t(tab.wording),
            href: withParameters(PAGE, given, { status: tab.status, page: undefined }),
            isHere: tab.status === status,
          }))}
        />
        {items.length === 0 && search ? (
          <EmptyState
            icon={SearchX}
            title={t("noneFoundTitle")}
            action={<LinkButton href={PAGE}>{t("clearSearch")}</LinkButton>}
          >
            {t("noneFoundText", { search })}
          </EmptyState>
        ) : items.length === 0 ? (
          <>
            <EmptyState icon={Link2} title={t("emptyTitle")} action={status ? null : create}>
              {t("emptyText")}
            </EmptyState>
            {!status && create ? <Examples /> : null}
          </>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name"), isFlexible: true },
              { key: "amount", title: t("amount"), isNumeric: true },
              { key: "buyer", title: t("buyerAndOrder"), isFlexible: true },
              { key: "state", title: t("state") },
              { key: "paid", title: t("payments"), isNumeric: true, isFolded: true },
              { key: "conversion", title: t("conversion"), isNumeric: true, isMinor: true, isWideOnly: true },
              { key: "failed", title: t("failedAttempts"), isNumeric: true, isMinor: true, isWideOnly: true },
              { key: "date", title: t("createdAt"), isNumeric: true, isFolded: true },
            ]}
            rows={items.map((session) => {
              const state = linkStateOf(session, at);
              const { paymentCount, maxPayments, pendingCount } = multiplePaymentsOf(session, at);
              const { visits, payments, failed } = figures.get(session.id) ?? { visits: 0, payments: 0, failed: 0 };
              const paid =
                maxPayments === null || maxPayments < 0
                  ? format.number(paymentCount)
                  : t("paidOf", { count: paymentCount, most: maxPayments });
              return {
                id: session.id,
                href: `${PAGE}/${session.id}`,
                cells: [
                  session.name ?? session.items[0]?.name ?? session.id,
                  formatCents(session.amount, session.currency, locale),
                  <BuyerAndOrder
                    key="buyer"
                    buyer={around.buyer(session.customerId)?.name ?? buyers.get(session.id)}
                    order={session.orderId}
                    none={t("none")}
                  />,
                  <span key="state" className="inline-flex flex-wrap gap-1.5">
                    {failing.has(session.id) ? (
                      <Badge tone="danger">{t("failing")}</Badge>
                    ) : (
                      <Badge tone={STATE_TONES[state]}>{words(state)}</Badge>
                    )}
                    {asked.has(session.id) ? (
                      <Badge tone="info">{t("asked", { count: asked.get(session.id) ?? 0 })}</Badge>
                    ) : null}
                    <AttackFlag
                      alarms={alarms.filter(({ refId }) => refId === session.id || refId === session.merchantId)}
                    />
                    {session.dueAt ? (
                      <span className="basis-full text-ink-3 text-xs">
                        {t("dueOn", { date: format.dateTime(session.dueAt, { dateStyle: "medium" }) })}
                      </span>
                    ) : null}
                  </span>,
                  pendingCount > 0 ? t("paidAndWaiting", { paid, count: pendingCount }) : paid,
                  visits > 0
                    ? format.number(Math.min(1, payments / visits), { style: "percent", maximumFractionDigits: 0 })
                    : t("none"),
                  format.number(failed),
                  <Moment
                    key="date"
                    at={session.createdAt}
                    text={format.dateTime(session.createdAt, { dateStyle: "medium", timeStyle: "short" })}
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
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

interface BuyerAndOrderProps {
  buyer: string | undefined;
  order: string | null;
  none: string;
}

/** On two lines where both are known. */
function BuyerAndOrder({ buyer, order, none }: BuyerAndOrderProps) {
  if (!buyer && !order) return none;
  return (
    <span className="grid grid-cols-1 leading-4">
      {buyer ? (
        <span title={buyer} className="truncate">
          {buyer}
        </span>
      ) : null}
      {order ? (
        <span title={order} className={buyer ? "truncate text-ink-3 text-xs" : "truncate"}>
          {order}
        </span>
      ) : null}
    </span>
  );
}

/** Three orders that many shops have, each as a form already filled in. */
async function Examples() {
  const t = await getTranslations("links");
  // Object.keys of the literal gives exactly its keys.
  const names = Object.keys(EXAMPLES) as Example[];
  return (
    <section aria-labelledby="examples" className="border-line border-t px-5 py-5">
      <h2 id="examples" className="font-semibold text-base text-ink">
        {t("examples")}
      </h2>
      <ul className="mt-3 grid gap-3 sm:grid-cols-3">
        {names.map((name) => (
          <li key={name} className="relative rounded-lg border border-line bg-surface p-4 hover:border-line-strong">
            <Link
              href={`${PAGE}/new?example=${name}`}
              className="font-medium text-accent-ink after:absolute after:inset-0"
            >
              {t(EXAMPLES[name].heading)}
            </Link>
            <p className="mt-1 text-ink-2 text-sm">{t(EXAMPLES[name].body)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
