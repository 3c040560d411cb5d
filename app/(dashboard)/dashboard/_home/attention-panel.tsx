import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { failingSince } from "@/app/(dashboard)/failing-since";
import { attentionNow } from "@/app/(dashboard)/waiting";
import { AttentionList } from "@/components/insights/attention-list";
import { formatCents } from "@/components/ui/money-format";
import { type Context, now } from "@/lib/context";
import type { Attention, AttentionKind } from "@/lib/insights/attention";
import { failedFrom, overdueUntil } from "@/lib/insights/left-behind";

const TEXTS = {
  invariants_broken: "needInvariants",
  charges_in_review: "needChargesInReview",
  purchases_in_review: "needPurchasesInReview",
  unanswered: "needUnanswered",
  not_returned: "needNotReturned",
  kept_apart: "needKeptApart",
  second_person: "needSecondPerson",
  credentials_proposed: "needCredentials",
  seller_accounts: "needAccounts",
  seller_reviews: "needReviewsDue",
  payouts_waiting: "needPayouts",
  prepayments_waiting: "needPrepayments",
  adjustments_waiting: "needAdjustments",
  payouts_failed: "needPayoutsFailed",
  payouts_overdue: "needPayoutsOverdue",
  sellers_held: "needSellersHeld",
  subscriptions_unpaid: "needSubscriptionsUnpaid",
  discrepancies_open: "needDiscrepancies",
  chargebacks_new: "needChargebacks",
  holds_ending: "needHoldsEnding",
  card_testing: "needCardTesting",
  links_failing: "needLinksFailing",
  webhooks_stopped: "needWebhooksStopped",
  webhooks_failing: "needWebhooksFailing",
} as const satisfies Record<AttentionKind, string>;

const PAGES: Record<AttentionKind, string> = {
  invariants_broken: "/dashboard/proof",
  charges_in_review: "/dashboard/reviews",
  purchases_in_review: "/dashboard/reviews",
  unanswered: "/dashboard/reviews?show=unanswered",
  not_returned: "/dashboard/reviews",
  kept_apart: "/dashboard/reviews",
  second_person: "/dashboard/reviews",
  credentials_proposed: "/dashboard/merchants",
  seller_accounts: "/dashboard/sellers",
  seller_reviews: "/dashboard/sellers/reviews",
  payouts_waiting: "/dashboard/payouts",
  prepayments_waiting: "/dashboard/payouts/prepayments",
  adjustments_waiting: "/dashboard/sellers",
  payouts_failed: "/dashboard/payouts/batches?status=failed",
  payouts_overdue: "/dashboard/payouts/batches?status=pending&whose=sellers",
  sellers_held: "/dashboard/payouts/holds",
  subscriptions_unpaid: "/dashboard/subscriptions?status=unpaid",
  discrepancies_open: "/dashboard/finance/breaks",
  chargebacks_new: "/dashboard/disputes?stage=new",
  holds_ending: "/dashboard/payments?status=pre_authorized&status=capture_pending",
  card_testing: "/dashboard/settings/protection",
  links_failing: "/dashboard/links",
  webhooks_stopped: "/dashboard/developers/webhooks",
  webhooks_failing: "/dashboard/developers/webhooks",
};

const SERIOUS = new Set<AttentionKind>([
  "invariants_broken",
  "charges_in_review",
  "purchases_in_review",
  "not_returned",
  "kept_apart",
  "chargebacks_new",
  "card_testing",
  "links_failing",
  "payouts_failed",
  "payouts_overdue",
  "webhooks_stopped",
  "webhooks_failing",
]);

/** Lists of a span of days say which, so that they show the counted ones. */
const daysOf = (ctx: Context): Partial<Record<AttentionKind, string>> => ({
  payouts_failed: `&from=${failedFrom(ctx)}`,
  payouts_overdue: `&until=${overdueUntil(ctx)}`,
});

export async function AttentionPanel({ ctx }: { ctx: Context }) {
  const t = await getTranslations("home");
  const days = daysOf(ctx);
  const [items, format, locale, failing] = await Promise.all([
    attentionNow(),
    getFormatter(),
    getLocale(),
    failingSince(),
  ]);
  const sinceOf = ({ kind, count, since }: Attention): string | undefined => {
    if (since === null) return undefined;
    return kind === "webhooks_failing"
      ? failing(since)
      : t("needSince", { count, when: format.relativeTime(since, now(ctx)) });
  };
  return (
    <AttentionList
      title={t("needsTitle")}
      none={t("needsNothing")}
      items={items.map((item) => ({
        href: `${PAGES[item.kind]}${days[item.kind] ?? ""}`,
        text: t(TEXTS[item.kind], { count: item.count }),
        detail: item.amount > 0 ? t("needAmount", { amount: formatCents(item.amount, "BRL", locale) }) : undefined,
        since: sinceOf(item),
        isSerious: SERIOUS.has(item.kind),
      }))}
    />
  );
}
