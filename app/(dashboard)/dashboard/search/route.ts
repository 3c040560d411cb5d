import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { linkWords } from "@/app/(dashboard)/dashboard/links/words";
import { payerOf, paymentWords, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { STATUS_TEXTS } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import type { SearchAnswer, SearchGroup } from "@/components/search/answer";
import { formatCents } from "@/components/ui/money-format";
import { type FoundThings, searchEverything } from "@/lib/search/everything";
import type { ListedItem } from "@/lib/search/payments";

/** What the search box shows while something is typed into it; for the person signed in, on the account they look at. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { searchParams } = new URL(request.url);
  const isPatient = searchParams.get("patient") === "1";
  const typed = (searchParams.get("q") ?? "").trim();
  const found = await searchEverything(member.ctx, member.role, typed, { isPatient });
  return Response.json(await answerOf(found, typed), { headers: { "cache-control": "no-store" } });
}

async function answerOf(found: FoundThings, typed: string): Promise<SearchAnswer> {
  const t = await getTranslations("search");
  const [words, linkState, subscriptionTexts, format, locale] = await Promise.all([
    paymentWords(),
    linkWords(),
    getTranslations("subscriptions"),
    getFormatter(),
    getLocale(),
  ]);
  const paidWith = (payment: ListedItem): string => {
    const { text, detail } = words.paidWith(payment);
    return [text, detail, ...shownItem(payment).cards].filter(Boolean).join(" ");
  };
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const groups: SearchGroup[] = [
    {
      title: t("payments"),
      all:
        typed === ""
          ? undefined
          : { href: `/dashboard/payments?${new URLSearchParams({ q: typed })}`, text: t("seeAll") },
      icon: "payment",
      items: found.payments.map((payment) => {
        const payer = payerOf(payment);
        return {
          href: `/dashboard/payments/${payment.id}`,
          title: formatCents(payment.originalAmount, payment.currency, locale),
          status: payment.needsReview ? t("inReview") : words.item(payment),
          who: payer || payment.orderId || undefined,
          detail: [paidWith(payment), payer && payment.orderId].filter(Boolean).join(" · "),
          at: date(payment.createdAt),
        };
      }),
    },
    {
      title: t("customers"),
      all: undefined,
      icon: "customer",
      items: found.customers.map(({ id, name, email }) => ({
        href: `/dashboard/customers/${id}`,
        title: name,
        detail: email,
      })),
    },
    {
      title: t("links"),
      all: undefined,
      icon: "link",
      items: found.links.map(({ id, name, state }) => ({
        href: `/dashboard/links/${id}`,
        title: name,
        detail: linkState(state),
      })),
    },
    {
      title: t("subscriptions"),
      all: undefined,
      icon: "subscription",
      items: found.subscriptions.map(({ id, name, status, buyer }) => ({
        href: `/dashboard/subscriptions/${id}`,
        title: name,
        status: subscriptionTexts(STATUS_TEXTS[status]),
        detail: buyer ?? "",
      })),
    },
    {
      title: t("sellers"),
      all: undefined,
      icon: "seller",
      items: found.sellers.map(({ id, name, email }) => ({
        href: `/dashboard/sellers/${id}`,
        title: name,
        detail: email,
      })),
    },
    {
      title: t("merchants"),
      all: undefined,
      icon: "merchant",
      items: found.merchants.map(({ id, name }) => ({
        href: `/dashboard/merchants/${id}`,
        title: name ?? id,
        detail: id,
      })),
    },
    {
      title: t("providers"),
      all: undefined,
      icon: "provider",
      // Several of one merchant lead to its page, each by an address of its own.
      items: found.providers.map(({ id, name, merchantId, merchant }) => ({
        href: `/dashboard/merchants/${merchantId}#provider-${id}`,
        title: name,
        detail: merchant ?? merchantId,
      })),
    },
    {
      title: t("flows"),
      all: undefined,
      icon: "flow",
      items: found.flows.map(({ id, name, version }) => ({
        href: `/dashboard/flows/${id}`,
        title: name,
        detail: t("flowVersion", { version }),
      })),
    },
  ];
  // What a text was taken for explains what was found by it; beside commands alone it explains nothing.
  const { payments, customers, links, subscriptions, sellers } = found;
  const isOthers = [customers, links, subscriptions, sellers].some(({ length }) => length > 0);
  // An id is read as one of a payment: whatever else has it was found by its own.
  const isExplained = payments.length > 0 || (isOthers && !found.readAs.includes("id"));
  const kinds = isExplained ? found.readAs.map(words.kind) : [];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isPartial: found.isPartial,
    note: found.isPartial
      ? t("partial")
      : kinds.length > 0
        ? t("readAs", { kinds: format.list(kinds, { type: "disjunction" }) })
        : undefined,
  };
}
