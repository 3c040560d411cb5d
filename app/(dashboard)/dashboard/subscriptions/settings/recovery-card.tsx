import { getTranslations } from "next-intl/server";
import { subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { Facts } from "@/components/dashboard/facts";
import { WhyLink } from "@/components/dashboard/why-link";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { Recovery, RetryName } from "@/lib/subscriptions/recovery";
import { estimateRecovery, typedPolicy } from "@/lib/subscriptions/recovery-estimate";

const CLASS_TEXTS = {
  now: "recoveryNow",
  later: "recoveryLater",
  changed_data: "recoveryChanged",
  never: "recoveryNever",
} as const satisfies Record<RetryName, string>;

interface Props {
  recovery: Recovery;
  path: string;
  /** Days between tries: those that are in force, and others to look at. */
  policy: readonly number[];
  asked: string | undefined;
}

/** What last month's declines became, day by day, and what other days would have made of them. */
export async function RecoveryCard({ recovery, path, policy, asked }: Props) {
  const [t, { money, month, share }] = await Promise.all([getTranslations("subscriptions"), subscriptionWords()]);
  const { declined, recovered, open, lost, byHand, byDay, byClass, churn } = recovery;
  const why = (figure: string, text: string) => <WhyLink href={`${path}?why=subscriptions.${figure}`}>{text}</WhyLink>;
  const sums = { declined: declined.count, amount: money(declined.amount) };
  return (
    <Card className="mt-6 max-w-2xl">
      <CardHeader
        title={t("recovery", { month: month(recovery.month) })}
        description={declined.count === 0 ? t("recoveryText", sums) : why("declined", t("recoveryText", sums))}
      />
      {declined.count === 0 ? null : (
        <Facts
          facts={[
            {
              name: t("recoveryShare"),
              value: why(
                "recovered",
                t("recoveryOf", {
                  share: share(recovered.count, declined.count),
                  amount: money(recovered.amount),
                }),
              ),
            },
            ...byDay.map(({ days, count }) => ({
              name: t("recoveryDay", { days }),
              value: t("recoveryCount", { count }),
            })),
            ...(byHand.count > 0
              ? [{ name: t("recoveryHand"), value: t("recoveryCount", { count: byHand.count }) }]
              : []),
            {
              name: t("recoveryOpen"),
              value: why("retried", t("recoverySum", { count: open.count, amount: money(open.amount) })),
            },
            {
              name: t("recoveryLost"),
              value: why("lost", t("recoverySum", { count: lost.count, amount: money(lost.amount) })),
            },
            ...byClass.map((one) => ({
              name: t(CLASS_TEXTS[one.name]),
              value: t("recoveryPart", { recovered: one.recovered, declined: one.declined }),
            })),
          ]}
        />
      )}
      {declined.count === 0 ? null : <OtherDays recovery={recovery} path={path} policy={policy} asked={asked} />}
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

async function OtherDays({ recovery, path, policy, asked }: Props) {
  const [t, { share }] = await Promise.all([getTranslations("subscriptions"), subscriptionWords()]);
  const typed = typedPolicy(asked);
  const isWrong = asked !== undefined && typed === undefined;
  const { days, least, most } = estimateRecovery(recovery, typed ?? policy, policy);
  const { count } = recovery.declined;
  const values = {
    days: days.join(", "),
    least,
    most,
    declined: count,
    leastShare: share(least, count),
    mostShare: share(most, count),
    recovered: recovery.recovered.count,
  };
  return (
    <form action={`${path}#other-days`} id="other-days" className="grid gap-3 border-line border-t px-5 py-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t("otherDays")} hint={t("settingsDaysHint")} error={isWrong ? t("otherDaysProblem") : undefined}>
          {(control) => <Input {...control} name="days" defaultValue={asked ?? policy.join(", ")} />}
        </Field>
        <Button type="submit">{t("otherDaysShow")}</Button>
      </div>
      {typed ? <p role="status">{t(least === most ? "otherDaysExact" : "otherDaysSpan", values)}</p> : null}
    </form>
  );
}
