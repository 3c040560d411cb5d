import { SearchX, WalletCards } from "lucide-react";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { shortDeclineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-names";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { isNarrowed } from "@/app/(dashboard)/dashboard/payments/filters";
import { printWords } from "@/app/(dashboard)/dashboard/payments/print-words";
import { recheckItemAction } from "@/app/(dashboard)/dashboard/payments/recheck";
import { reportOfList } from "@/app/(dashboard)/dashboard/payments/report-of-list";
import { payerParts, paymentWords, shownAmount, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { dayAndTime, SHORT_DAY } from "@/app/(dashboard)/day-and-time";
import { type GivenParameters, oneOf, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { chosenColumns, type Several } from "@/components/charges/columns";
import type { Density } from "@/components/charges/density";
import { DensitySwitch } from "@/components/charges/density-switch";
import { ListTools } from "@/components/charges/list-tools";
import { LiveNotice } from "@/components/charges/live-notice";
import { PaymentList } from "@/components/charges/payment-list";
import { PrintHead } from "@/components/charges/print-head";
import type { RowAct } from "@/components/charges/row-menu";
import { PageLinks } from "@/components/dashboard/page-links";
import { kindName } from "@/components/merchants/provider-names";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { Segments } from "@/components/ui/segments";
import { positionOf } from "@/lib/charges/list-position";
import { rightFor } from "@/lib/charges/operator-actions";
import { isAnswered, MOST_COUNTED, PAYMENTS_PER_PAGE } from "@/lib/charges/search";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { readClues } from "@/lib/search/clues";
import { type ListedItem, type ListFilters, listPayments, PAGE_SIZES, type Sort } from "@/lib/search/payments";

interface PaymentResultsProps {
  ctx: Context;
  role: OperatorRole;
  filters: ListFilters;
  given: GivenParameters;
  path: string;
  several: Several;
  density: Density;
  /** For paper: whose the list is, and its filters in words. */
  printed: { account: string; filters: readonly string[] };
}

export async function PaymentResults({
  ctx,
  role,
  filters,
  given,
  path,
  several,
  density,
  printed,
}: PaymentResultsProps) {
  const report = may(role, "reports.create") ? reportOfList(given, filters) : undefined;
  const [{ items, counted = 0, sums, previous, next }, t, words, format, locale] = await Promise.all([
    listPayments(ctx, role, filters),
    getTranslations("payments"),
    paymentWords(),
    getFormatter(),
    getLocale(),
  ]);
  if (items.length === 0) return <NoPayments filters={filters} path={path} given={given} />;
  const [names, reasons] = await Promise.all([shortDeclineWords(), declineWords()]);
  const kinds = (readClues(filters.search ?? "", now(ctx))?.readAs ?? [])
    .filter((kind) => isAnswered(role, kind))
    .map(words.kind);
  const print = await printWords();
  const columns = chosenColumns(severalOf(given, "columns"), several);
  const inReais = (cents: number) => formatCents(cents, "BRL", locale);
  const sorted = filters.sort ?? "newest";
  const sortedBy = (down: Sort, up: Sort) => ({
    href: withParameters(path, given, {
      sort: sorted === down ? up : down === "newest" ? undefined : down,
      after: undefined,
      before: undefined,
    }),
    state: sorted === down ? ("descending" as const) : sorted === up ? ("ascending" as const) : undefined,
  });
  const total = format.number(Math.min(counted, MOST_COUNTED));
  const first = items[0];
  const isTop = previous === undefined;
  const exportHref = withParameters(`${path}/export`, given, PLACE_OF_LIST);
  const beginning = withParameters(path, given, { after: undefined, before: undefined });
  return (
    <>
      <PrintHead
        title={t("title")}
        account={printed.account}
        when={print.when(now(ctx))}
        filters={print.filters(printed.filters)}
        rows={print.rows({
          shown: items.length,
          counted,
          most: MOST_COUNTED,
          isFirst: filters.after === undefined && filters.before === undefined,
        })}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b px-5 py-2.5 text-ink-2 text-sm">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span role="status" className="tabular-nums">
            {counted > MOST_COUNTED ? t("countMore", { count: total }) : t("count", { count: counted })}
          </span>
          {sums ? (
            <>
              <span className="tabular-nums">{t("sumAsked", { amount: inReais(sums.amount) })}</span>
              {sums.captured > 0 ? (
                <span className="text-ink-3 tabular-nums">
                  {t("sumKept", { amount: inReais(sums.captured - sums.refunded - sums.chargedBack) })}
                </span>
              ) : null}
            </>
          ) : null}
          {sums?.isOfParts ? <span className="text-ink-3">{t("sumOfParts")}</span> : null}
          {isTop && sorted === "newest" && !filters.search && !filters.metadata ? (
            <LiveNotice
              source={newerAddress(path, given, first ?? { createdAt: now(ctx), id: newId() })}
              href={beginning}
              texts={{ one: t("newerOne"), other: t("newerOther", { count: "{count}" }) }}
            />
          ) : null}
        </p>
        {kinds.length > 0 ? (
          <p className="text-ink-3">{t("readAs", { kinds: format.list(kinds, { type: "disjunction" }) })}</p>
        ) : null}
        <div className="ml-auto flex items-center gap-2 print:hidden">
          <DensitySwitch
            label={t("density")}
            chosen={density}
            choices={[
              { value: "compact", text: t("densityCompact") },
              { value: "comfortable", text: t("densityComfortable") },
            ]}
          />
          <LinkButton href={exportHref} size="sm" data-export download prefetch={false}>
            {t("export")}
          </LinkButton>
          {report ? (
            <LinkButton href={report} size="sm">
              {t("exportReport")}
            </LinkButton>
          ) : null}
        </div>
      </div>
      {/* The bar of what is chosen stands below the list, and is before it by keyboard. */}
      <div className="flex flex-col print:block">
        <ListTools
          key={oneOf(given, "after") ?? oneOf(given, "before") ?? "first"}
          exportHref={exportHref}
          onRecheck={may(role, "payments.recheck") ? recheckItemAction : undefined}
          texts={{
            selected: { one: t("selectedOne"), other: t("selectedOther", { count: "{count}" }) },
            recheck: t("bulkRecheck"),
            open: t("bulkOpen"),
            export: { one: t("bulkExportOne"), other: t("bulkExportOther", { count: "{count}" }) },
            exported: {
              one: t("bulkExportedOne"),
              other: t("bulkExportedOther", { count: "{count}" }),
              all: t("exportedAll"),
            },
            clear: t("bulkClear"),
            progress: t("bulkProgress", { done: "{done}", count: "{count}" }),
            result: t("bulkResult", { asked: "{asked}", nothing: "{nothing}", failed: "{failed}" }),
            menu: {
              open: t("menuOpen"),
              newTab: t("menuNewTab"),
              copyId: t("copyId"),
              copyLink: t("menuCopyLink"),
              select: t("menuSelect"),
              deselect: t("menuDeselect"),
              refund: t("menuRefund"),
              capture: t("menuCapture"),
            },
          }}
        />
        <PaymentList
          columns={columns}
          density={density}
          sorts={{ amount: sortedBy("highest", "lowest"), date: sortedBy("newest", "oldest") }}
          texts={{
            caption: t("caption"),
            status: t("columnStatus"),
            amount: t("columnAmount"),
            method: t("columnMethod"),
            buyer: t("columnBuyer"),
            order: t("columnOrder"),
            link: t("columnLink"),
            merchant: t("columnMerchant"),
            provider: t("columnProvider"),
            decline: t("columnDecline"),
            date: t("columnDate"),
            none: t("none"),
            select: t("selectRow"),
            selectAll: t("selectAll"),
            menu: t("rowMenu"),
            sort: t("sortLabel"),
          }}
          rows={items.map((item) => {
            const shown = shownItem(item);
            const money = (cents: number) => formatCents(cents, item.currency, locale);
            return {
              id: item.id,
              href: `${path}/${item.id}`,
              name: money(shownAmount(item)),
              acts: actsAllowed(item).filter((act) => may(role, rightFor(act))),
              // Whole it would be the widest of all states: who declined it stands below.
              status: { value: shown.status, text: isRefused(item) ? words.state("failed") : words.item(item) },
              review: item.needsReview ? t("review") : undefined,
              amount: money(shownAmount(item)),
              beside: words.beside(item, money),
              method: { value: item.kind === "purchase" ? "credit" : item.method, ...words.paidWith(item) },
              cards: shown.cards,
              buyer: payerParts(item),
              orderId: item.orderId ?? undefined,
              link: item.link
                ? { href: `/dashboard/links/${item.link.id}`, text: item.link.name ?? item.link.id.slice(0, SHORT_ID) }
                : undefined,
              merchant: item.merchant ?? undefined,
              provider: item.connection ?? (item.provider ? kindName(item.provider) : undefined),
              decline: isRefused(item)
                ? { short: t("rowRefused"), full: words.item(item) }
                : item.declineCode
                  ? { short: names(item.declineCode), full: reasons(item.declineCode) }
                  : undefined,
              created: {
                at: item.createdAt,
                text: dayAndTime(
                  format,
                  item.createdAt,
                  item.createdAt.getFullYear() === now(ctx).getFullYear() ? SHORT_DAY : EARLIER,
                  "short",
                ),
              },
            };
          })}
        />
        <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3">
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <Segments
              label={t("rows")}
              segments={PAGE_SIZES.map((size) => ({
                text: format.number(size),
                href: withParameters(path, given, {
                  limit: size === PAYMENTS_PER_PAGE ? undefined : String(size),
                  after: undefined,
                  before: undefined,
                }),
                isHere: (filters.limit ?? PAYMENTS_PER_PAGE) === size,
              }))}
            />
            <p className="hidden text-ink-3 text-xs md:block print:hidden">{t("keys")}</p>
          </div>
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(path, given, { before: previous, after: undefined }),
              text: t("previous"),
            }}
            next={{ href: next && withParameters(path, given, { after: next, before: undefined }), text: t("next") }}
          />
        </div>
      </div>
    </>
  );
}

const isRefused = (item: ListedItem): boolean => item.kind === "charge" && item.isRefused;

/** What the row itself tells; its page decides when it is asked for. */
function actsAllowed(item: ListedItem): RowAct[] {
  if (item.kind !== "charge" || item.needsReview) return [];
  if (item.status === "pre_authorized") return ["capture"];
  const isRefundable = item.status === "authorized" && item.capturedAmount > item.refundedAmount;
  return isRefundable && item.method !== "boleto" ? ["refund"] : [];
}

/** An export begins at the top of the list. */
const PLACE_OF_LIST = { after: undefined, before: undefined, limit: undefined, columns: undefined };
const SHORT_ID = 8;
const CENTS = 100;
const EARLIER = { ...SHORT_DAY, year: "numeric" } as const;

const newerAddress = (path: string, given: GivenParameters, first: { createdAt: Date; id: string }): string =>
  withParameters(`${path}/newer`, given, { before: undefined, after: undefined, since: positionOf(first) });

/** Which filters they are stands above the list, each with its way out. */
async function NoPayments({ filters, path, given }: Pick<PaymentResultsProps, "filters" | "path" | "given">) {
  const [t, format] = await Promise.all([getTranslations("payments"), getFormatter()]);
  const digits = /^\d{1,9}$/.test(filters.search ?? "") ? Number(filters.search) : undefined;
  const inReais = (amount: number) => format.number(amount, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return isNarrowed(filters) ? (
    <EmptyState
      icon={SearchX}
      title={t("emptyFilteredTitle")}
      action={<LinkButton href={path}>{t("clear")}</LinkButton>}
    >
      {t("emptyFilteredText")}
      {digits === undefined ? null : (
        <span className="mt-2 flex flex-wrap justify-center gap-x-3">
          {t("emptyFilteredAmount")}
          {[digits, digits / CENTS].map(inReais).map((amount) => (
            <Link
              key={amount}
              href={withParameters(path, given, { q: amount, after: undefined, before: undefined })}
              className="text-accent-ink underline underline-offset-2"
            >
              {amount}
            </Link>
          ))}
        </span>
      )}
    </EmptyState>
  ) : (
    <EmptyState
      icon={WalletCards}
      title={t("emptyTitle")}
      action={
        <LinkButton href="/dashboard" tone="primary">
          {t("emptyAction")}
        </LinkButton>
      }
    >
      {t("emptyText")}
    </EmptyState>
  );
}
