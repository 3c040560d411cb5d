import { getLocale, getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { isPeriod, type Period, paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { formatCents } from "@/components/ui/money-format";
import type { BrandName } from "@/lib/brazil/card-brand";

const PERIOD_TEXTS = {
  today: "periodToday",
  "7d": "period7d",
  "30d": "period30d",
  "90d": "period90d",
} as const satisfies Record<Period, string>;

/** Only what an address says is needed of the day. */
const ANY_DAY = "2000-01-01";
const CURRENCY = "BRL";

/** The filters of the list in words, as an empty list and a saved view tell them. */
export async function filterWords(merchants: readonly { id: string; name: string | null }[]) {
  const [t, words, reasons, locale] = await Promise.all([
    getTranslations("payments"),
    paymentWords(),
    declineWords(),
    getLocale(),
  ]);
  const brand = (name: BrandName): string => (name === "Unknown" ? t("brandUnknown") : name);
  const period = (name: Period): string => t(PERIOD_TEXTS[name]);
  const money = (cents: number): string => formatCents(cents, CURRENCY, locale);
  return {
    brand,
    period,
    /** One text for each filter that narrows the list; what the address says wrongly is not there. */
    filters(given: GivenParameters): string[] {
      const read = paymentFilters(given, ANY_DAY);
      const during = oneOf(given, "period");
      const said = (name: string, value: string | undefined): string[] =>
        value === undefined || value === "" ? [] : [t("filterSaid", { name, value })];
      return [
        ...said(t("searchSaid"), read.search),
        ...said(
          t("columnStatus"),
          read.status?.map((status) => words.status({ status, refundedAmount: 1 })).join(", "),
        ),
        ...said(t("methodFilter"), read.method?.map((method) => words.method(method)).join(", ")),
        ...said(t("periodFilter"), isPeriod(during) ? period(during) : undefined),
        ...said(
          t("merchantFilter"),
          read.merchantId && (merchants.find(({ id }) => id === read.merchantId)?.name ?? read.merchantId),
        ),
        ...said(t("brandFilter"), read.brand && brand(read.brand)),
        ...said(t("providerFilter"), read.provider?.join(", ")),
        ...said(t("declineFilter"), read.declineCode && reasons(read.declineCode)),
        ...(read.hasSplit ? [t("splitYes")] : []),
        ...said(t("minFilter"), read.minAmount === undefined ? undefined : money(read.minAmount)),
        ...said(t("maxFilter"), read.maxAmount === undefined ? undefined : money(read.maxAmount)),
        ...said(t("buyerFilter"), read.buyer),
        ...said(t("linkFilter"), read.sessionId),
        ...said(t("metadataFilter"), read.metadata && `${read.metadata.key}=${read.metadata.value}`),
      ];
    },
  };
}
