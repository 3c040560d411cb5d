import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { exactText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { Card, CardHeader } from "@/components/ui/card";
import type { PaymentOverview } from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
import { isDispute } from "@/lib/disputes/queries";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { requestsBehind } from "@/lib/request-logs/behind";

interface RelatedCardProps {
  ctx: Context;
  role: OperatorRole;
  payment: PaymentOverview;
  words: Words;
}

const linked = (href: string, text: ReactNode) => (
  <Link href={href} className="break-all text-accent-ink underline underline-offset-2">
    {text}
  </Link>
);

/** What this payment belongs to, and the call that made it with whatever repeated it. */
export async function RelatedCard({ ctx, role, payment, words }: RelatedCardProps) {
  const t = await getTranslations("payments");
  const { row, buyer, splits, attempts } = payment;
  const { made, repeats } = await requestsBehind(ctx, role, row);
  const facts: Fact[] = [
    ...(row.purchaseId
      ? [{ name: t("factPurchase"), value: linked(`/dashboard/payments/${row.purchaseId}`, t("relatedPurchase")) }]
      : []),
    ...(row.subscriptionId && may(role, "subscriptions.see")
      ? [
          {
            name: t("factSubscription"),
            value: linked(`/dashboard/subscriptions/${row.subscriptionId}`, t("factOpenSubscription")),
          },
        ]
      : []),
    ...(row.sessionId
      ? [{ name: t("factSession"), value: linked(`/dashboard/links/${row.sessionId}`, t("factOpenLink")) }]
      : []),
    ...(may(role, "disputes.see") ? attempts.filter((notice) => isDispute(row, notice)) : []).map(
      ({ id, createdAt }) => ({
        name: t("relatedDispute"),
        value: linked(`/dashboard/disputes/${id}`, exactText(words, createdAt)),
      }),
    ),
    ...(buyer ? [{ name: t("buyerTitle"), value: linked(`/dashboard/customers/${buyer.id}`, buyer.name) }] : []),
    // Who may see sellers finds them in the split, with their names.
    ...(may(role, "sellers.see") ? [] : splits).map((split) => ({
      name: t("relatedSeller"),
      value: (
        <>
          <span className="break-all font-mono text-xs">{split.sellerId}</span>
          <span className="block tabular-nums">
            {split.amount === null
              ? t("relatedShare", { share: (split.percentageBps ?? 0) / BPS_PER_PERCENT })
              : words.money(split.amount)}
          </span>
        </>
      ),
    })),
    ...(row.idempotencyKey
      ? [
          {
            name: t("relatedKey"),
            value: <span className="break-all font-mono text-xs">{row.idempotencyKey}</span>,
          },
        ]
      : []),
    ...(made
      ? [
          {
            name: t("relatedRequest"),
            value: linked(`/dashboard/developers/requests/${made.id}`, [made.method, made.path, made.status].join(" ")),
          },
        ]
      : []),
    ...(repeats.length > 0
      ? [
          {
            name: t("relatedRepeats"),
            value: (
              <ul>
                {repeats.map((repeat) => (
                  <li key={repeat.id}>
                    {linked(`/dashboard/developers/requests/${repeat.id}`, exactText(words, repeat.createdAt))}
                  </li>
                ))}
              </ul>
            ),
          },
        ]
      : []),
  ];
  if (facts.length === 0) return null;
  return (
    <Card>
      <CardHeader title={t("relatedTitle")} />
      <Facts facts={facts} />
    </Card>
  );
}

const BPS_PER_PERCENT = 100;
