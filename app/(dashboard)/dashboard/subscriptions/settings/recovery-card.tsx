import { getTranslations } from "next-intl/server";
import { subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { Facts } from "@/components/dashboard/facts";
import { Card, CardHeader } from "@/components/ui/card";
import type { Recovery, RetryName } from "@/lib/subscriptions/recovery";

const CLASS_TEXTS = {
  now: "recoveryNow",
  later: "recoveryLater",
  changed_data: "recoveryChanged",
  never: "recoveryNever",
} as const satisfies Record<RetryName, string>;

/** What last month's declines became, day by day: enough to see what other days would have reached. */
export async function RecoveryCard({ recovery }: { recovery: Recovery }) {
  const [t, { money, month, share }] = await Promise.all([getTranslations("subscriptions"), subscriptionWords()]);
  const { declined, recovered, open, lost, byHand, byDay, byClass, churn } = recovery;
  const sums = { declined: declined.count, amount: money(declined.amount) };
  return (
    <Card className="mt-6 max-w-2xl">
      <CardHeader title={t("recovery", { month: month(recovery.month) })} description={t("recoveryText", sums)} />
      {declined.count === 0 ? null : (
        <Facts
          facts={[
            {
              name: t("recoveryShare"),
              value: t("recoveryOf", {
                share: share(recovered.count, declined.count),
                amount: money(recovered.amount),
              }),
            },
            ...byDay.map(({ days, count }) => ({
              name: t("recoveryDay", { days }),
              value: t("recoveryCount", { count }),
            })),
            ...(byHand.count > 0
              ? [{ name: t("recoveryHand"), value: t("recoveryCount", { count: byHand.count }) }]
              : []),
            { name: t("recoveryOpen"), value: t("recoverySum", { count: open.count, amount: money(open.amount) }) },
            { name: t("recoveryLost"), value: t("recoverySum", { count: lost.count, amount: money(lost.amount) }) },
            ...byClass.map((one) => ({
              name: t(CLASS_TEXTS[one.name]),
              value: t("recoveryPart", { recovered: one.recovered, declined: one.declined }),
            })),
          ]}
        />
      )}
      <Facts
        facts={[
          {
            name: t("churn"),
            value:
              churn.active === 0
                ? t("churnNone")
                : t("churnOf", { share: share(churn.left, churn.active), left: churn.left, active: churn.active }),
          },
        ]}
      />
      <details className="border-line border-t px-5 py-3 text-ink-2 text-sm">
        <summary className="cursor-pointer">{t("definitions")}</summary>
        <ul className="mt-2 grid list-disc gap-2 pl-5">
          <li>{t("definitionMonthly")}</li>
          <li>{t("definitionRecovered")}</li>
          <li>{t("definitionDays")}</li>
          <li>{t("definitionChurn")}</li>
        </ul>
      </details>
    </Card>
  );
}
