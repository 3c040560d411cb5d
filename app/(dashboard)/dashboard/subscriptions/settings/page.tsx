import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { changeRetriesAction } from "@/app/(dashboard)/dashboard/subscriptions/actions";
import { RecoveryCard } from "@/app/(dashboard)/dashboard/subscriptions/settings/recovery-card";
import { LIST, subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { findSettings } from "@/lib/subscriptions/queries";
import { lastMonth, recoveryOf } from "@/lib/subscriptions/recovery";
import { daysOfPolicy } from "@/lib/subscriptions/recovery-estimate";
import { DEFAULT_POLICY } from "@/lib/subscriptions/settings";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("subscriptions");
  return { title: t("settings") };
}

export default async function SettingsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const path = `${LIST}/settings`;
  const { ctx, role } = await requireRight(path, "subscriptions.see");
  const [{ t }, settings, recovery] = await Promise.all([
    subscriptionWords(),
    inSnapshot(ctx, findSettings),
    recoveryOf(ctx, role, lastMonth(ctx)),
  ]);
  const policy = settings?.retryPolicy ?? DEFAULT_POLICY;
  const isCanceling = settings?.cancelAfterAllRetries ?? false;
  const days = daysOfPolicy(policy);
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead title={t("settings")} description={t("settingsText")} />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      <Card className="max-w-2xl">
        <CardHeader title={t("retries")} />
        {may(role, "subscriptions.edit") && !ctx.merchants ? (
          <TaskForm
            onAct={changeRetriesAction}
            closeHref={LIST}
            texts={await taskTexts(t("save"))}
            fields={[
              {
                name: "days",
                label: t("settingsDays"),
                hint: t("settingsDaysHint"),
                initial: policy.join(", "),
                isRequired: true,
              },
              {
                name: "after",
                label: t("settingsAfter"),
                kind: "choice",
                initial: isCanceling ? "cancel" : "unpaid",
                options: [
                  { value: "unpaid", label: t("settingsUnpaid") },
                  { value: "cancel", label: t("settingsCancel") },
                ],
              },
              {
                name: "statementDescriptor",
                label: t("settingsStatement"),
                hint: t("settingsStatementHint"),
                initial: settings?.statementDescriptor ?? "",
              },
            ]}
          />
        ) : (
          <Facts
            facts={[
              { name: t("retries"), value: t("settingsShown", { days: days.join(", "), last: days.at(-1) ?? 0 }) },
              { name: t("settingsAfter"), value: isCanceling ? t("settingsCancel") : t("settingsUnpaid") },
              { name: t("settingsStatement"), value: settings?.statementDescriptor ?? t("none") },
            ]}
          />
        )}
      </Card>
      <RecoveryCard recovery={recovery} path={path} policy={policy} asked={oneOf(given, "days")} />
      <ExplanationSheet ctx={ctx} role={role} path={path} given={given} subject={{ month: recovery.month }} />
    </>
  );
}
