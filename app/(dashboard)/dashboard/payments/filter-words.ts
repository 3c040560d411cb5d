import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { isPeriod, type Period } from "@/app/(dashboard)/dashboard/payments/periods";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { kindName } from "@/components/merchants/provider-names";
import { formatCents } from "@/components/ui/money-format";
import type { BrandName } from "@/lib/brazil/card-brand";

const PERIOD_TEXTS = {
  today: "periodToday",
  "7d": "period7d",
  "30d": "period30d",
  "90d": "period90d",
  month: "periodMonth",
  lastMonth: "periodLastMonth",
} as const satisfies Record<Period, string>;

/** Only what an address says is needed of the day. */
const ANY_DAY = "2000-01-01";
const CURRENCY = "BRL";

export interface FilterChip {
  text: string;
  /** Of the address: without it the filter is off. */
  drop: string;
}

/** The filters of the list in words, as the list and a saved view tell them; connections by their id. */
export async function filterWords(
  merchants: readonly { id: string; name: string | null }[],
  connections: Readonly<Record<string, string>> = {},
) {
  const [t, words, reasons, format, locale] = await Promise.all([
    getTranslations("payments"),
    paymentWords(),
    declineWords(),
    getFormatter(),
    getLocale(),
  ]);
  const brand = (name: BrandName): string => (name === "Unknown" ? t("brandUnknown") : name);
  const period = (name: Period): string => t(PERIOD_TEXTS[name]);
  /** A whole day is said without its midnight. */
  const momentSaid = (typed: string | undefined, at: Date | undefined): string | undefined =>
    typed && at
      ? format.dateTime(typed.includes("T") ? at : new Date(`${typed}T12:00:00-03:00`), {
          dateStyle: "medium",
          ...(typed.includes("T") ? ({ timeStyle: "short" } as const) : {}),
        })
      : undefined;
  const money = (cents: number): string => formatCents(cents, CURRENCY, locale);
  /** One for each filter that narrows the list, with the parts of the address that make it. */
  const chips = (given: GivenParameters): FilterChip[] => {
    const read = paymentFilters(given, ANY_DAY, locale);
    const during = oneOf(given, "period");
    const said = (drop: string, name: string, value: string | undefined): FilterChip[] =>
      value === undefined || value === "" ? [] : [{ drop, text: t("filterSaid", { name, value }) }];
    return [
      ...said("q", t("searchSaid"), read.search),
      ...said("status", t("columnStatus"), read.status?.map((state) => words.state(state)).join(", ")),
      ...said("method", t("methodFilter"), read.method?.map((method) => words.method(method)).join(", ")),
      ...said("period", t("periodFilter"), isPeriod(during) ? period(during) : undefined),
      ...said("from", t("fromFilter"), momentSaid(oneOf(given, "from"), read.from)),
      ...said("to", t("toFilter"), momentSaid(oneOf(given, "to"), read.until)),
      ...said(
        "merchant",
        t("merchantFilter"),
        read.merchantId && (merchants.find(({ id }) => id === read.merchantId)?.name ?? read.merchantId),
      ),
      ...said("brand", t("brandFilter"), read.brand && brand(read.brand)),
      ...said("provider", t("providerFilter"), read.provider?.map(kindName).join(", ")),
      ...said(
        "connection",
        t("providerFilter"),
        read.connectionId && (connections[read.connectionId] ?? t("providerGone")),
      ),
      ...said("decline", t("declineFilter"), read.declineCode && reasons(read.declineCode)),
      ...(read.hasSplit ? [{ drop: "split", text: t("splitYes") }] : []),
      ...said("min", t("minFilter"), read.minAmount === undefined ? undefined : money(read.minAmount)),
      ...said("max", t("maxFilter"), read.maxAmount === undefined ? undefined : money(read.maxAmount)),
      ...said("buyer", t("buyerFilter"), read.buyer),
      ...said("link", t("linkFilter"), read.sessionId),
      ...said("metadata", t("metadataFilter"), read.metadata && `${read.metadata.key}=${read.metadata.value}`),
    ];
  };
  return {
    brand,
    period,
    chips,
    filters: (given: GivenParameters): string[] => chips(given).map(({ text }) => text),
  };
}
