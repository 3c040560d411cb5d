import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { paymentWords, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import type { SearchAnswer, SearchGroup } from "@/components/search/answer";
import { formatCents } from "@/components/ui/money-format";
import { type Found, searchEverything } from "@/lib/search/everything";

/** What the search box shows while something is typed into it; for the person signed in, on the account they look at. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { searchParams } = new URL(request.url);
  const isPatient = searchParams.get("patient") === "1";
  const found = await searchEverything(member.ctx, member.role, searchParams.get("q") ?? "", { isPatient });
  return Response.json(await answerOf(found), { headers: { "cache-control": "no-store" } });
}

async function answerOf(found: Found): Promise<SearchAnswer> {
  const t = await getTranslations("search");
  const [words, format, locale] = await Promise.all([paymentWords(), getFormatter(), getLocale()]);
  const date = (at: Date) => format.dateTime(at, { dateStyle: "short", timeStyle: "short" });
  const groups: SearchGroup[] = [
    {
      title: t("payments"),
      icon: "payment",
      items: found.payments.map((payment) => ({
        href: `/dashboard/payments/${payment.id}`,
        title: formatCents(payment.originalAmount, payment.currency, locale),
        status: payment.needsReview ? t("inReview") : words.item(payment),
        detail:
          payment.buyer?.email ??
          payment.orderId ??
          (payment.kind === "charge" ? words.method(payment.method) : shownItem(payment).cards.join(" + ")),
        at: date(payment.createdAt),
      })),
    },
    {
      title: t("customers"),
      icon: "customer",
      items: found.customers.map(({ id, name, email }) => ({
        href: `/dashboard/customers/${id}`,
        title: name,
        detail: email,
      })),
    },
    {
      title: t("merchants"),
      icon: "merchant",
      items: found.merchants.map(({ id, name }) => ({
        href: `/dashboard/merchants/${id}`,
        title: name ?? id,
        detail: id,
      })),
    },
  ];
  const kinds = found.readAs.map(words.kind);
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
