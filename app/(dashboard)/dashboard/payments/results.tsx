import { SearchX, WalletCards } from "lucide-react";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { PaymentList } from "@/components/charges/payment-list";
import { PageLinks } from "@/components/dashboard/page-links";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { type ListedPayment, MOST_COUNTED, type PaymentFilters, searchPayments } from "@/lib/charges/search";
import { readSearch } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";

interface PaymentResultsProps {
  ctx: Context;
  role: OperatorRole;
  filters: PaymentFilters;
  given: GivenParameters;
  path: string;
  withMerchant: boolean;
}

export async function PaymentResults({ ctx, role, filters, given, path, withMerchant }: PaymentResultsProps) {
  const { items, counted, previous, next } = await searchPayments(ctx, role, filters);
  const t = await getTranslations("payments");
  const [words, format, locale] = await Promise.all([paymentWords(), getFormatter(), getLocale()]);
  if (items.length === 0) return <NoPayments isFiltered={Object.values(filters).some(isSet)} path={path} />;
  const kinds = readSearch(filters.search ?? "").map(({ kind }) => words.kind(kind));
  const money = (cents: number, { currency }: ListedPayment) => formatCents(cents, currency, locale);
  const total = format.number(Math.min(counted, MOST_COUNTED));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b px-5 py-2.5 text-ink-2 text-sm">
        <p role="status" className="tabular-nums">
          {counted > MOST_COUNTED ? t("countMore", { count: total }) : t("count", { count: counted })}
        </p>
        {kinds.length > 0 ? (
          <p className="text-ink-3">{t("readAs", { kinds: format.list(kinds, { type: "disjunction" }) })}</p>
        ) : null}
      </div>
      <PaymentList
        withMerchant={withMerchant}
        texts={{
          caption: t("caption"),
          status: t("columnStatus"),
          amount: t("columnAmount"),
          method: t("columnMethod"),
          buyer: t("columnBuyer"),
          order: t("columnOrder"),
          merchant: t("columnMerchant"),
          provider: t("columnProvider"),
          date: t("columnDate"),
          none: t("none"),
        }}
        rows={items.map((item) => ({
          id: item.id,
          href: `${path}/${item.id}`,
          status: { value: item.status, text: words.status(item) },
          review: item.needsReview ? t("review") : undefined,
          amount: money(item.originalAmount, item),
          refunded:
            item.refundedAmount > 0 ? t("rowRefunded", { amount: money(item.refundedAmount, item) }) : undefined,
          method: {
            value: item.method,
            text: item.card ? item.card.brand : words.method(item.method),
            detail: item.card
              ? `•••• ${item.card.lastFour}`
              : item.installments && item.installments > 1
                ? t("rowInstallments", { count: item.installments })
                : undefined,
          },
          buyer: item.buyer?.email,
          orderId: item.orderId ?? undefined,
          merchant: item.merchant ?? undefined,
          provider: item.provider ?? undefined,
          created: {
            at: item.createdAt,
            text: format.dateTime(item.createdAt, { dateStyle: "short", timeStyle: "short" }),
          },
        }))}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3">
        <p className="hidden text-ink-3 text-xs md:block">{t("keys")}</p>
        <PageLinks
          label={t("pages")}
          previous={{
            href: previous && withParameters(path, given, { before: previous, after: undefined }),
            text: t("previous"),
          }}
          next={{ href: next && withParameters(path, given, { after: next, before: undefined }), text: t("next") }}
        />
      </div>
    </>
  );
}

const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined);

async function NoPayments({ isFiltered, path }: { isFiltered: boolean; path: string }) {
  const t = await getTranslations("payments");
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      title={t("emptyFilteredTitle")}
      action={<LinkButton href={path}>{t("clear")}</LinkButton>}
    >
      {t("emptyFilteredText")}
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
