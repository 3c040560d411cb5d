import { ReceiptText } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { CsvButton, CutNote } from "@/app/(dashboard)/csv-button";
import { checkPlanAction, createPlanAction } from "@/app/(dashboard)/dashboard/sellers/plans/actions";
import { planFields } from "@/app/(dashboard)/dashboard/sellers/plans/fields";
import { SellersTabs } from "@/app/(dashboard)/dashboard/sellers/tabs";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { isUnnamedDefault, planNamer } from "@/app/(dashboard)/plan-names";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { plansWithSellers } from "@/lib/sale-plans/queries";

const PAGE = "/dashboard/sellers/plans";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("salePlans");
  return { title: t("title") };
}

export default async function SalePlansPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "sellers.see");
  const [t, format, locale, nameOf, { items: plans, next }] = await Promise.all([
    getTranslations("salePlans"),
    getFormatter(),
    getLocale(),
    planNamer(),
    inSnapshot(ctx, (inside) => plansWithSellers(inside)),
  ]);
  const mayEdit = may(role, "plans.edit");
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("text")}
        action={
          <>
            {plans.length > 0 ? <CsvButton path={PAGE} given={{}} /> : null}
            {mayEdit ? (
              <LinkButton href={`${PAGE}?do=new`} scroll={false} tone="primary" className="max-sm:h-11">
                {t("new")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <SellersTabs here="plans" />
      <Card className="overflow-hidden">
        {plans.length === 0 ? (
          <EmptyState icon={ReceiptText} title={t("none")} />
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "sellers", title: t("sellers"), isNumeric: true },
              { key: "withdrawal", title: t("payoutFee"), isNumeric: true },
              { key: "since", title: t("since"), isNumeric: true },
            ]}
            rows={plans.map((plan) => ({
              id: plan.id,
              href: `${PAGE}/${plan.id}`,
              cells: [
                <span key="name" className="inline-flex items-center gap-2">
                  {nameOf(plan)}
                  {plan.isDefault && !isUnnamedDefault(plan) ? <Badge tone="success">{t("default")}</Badge> : null}
                  {plan.status === "inactive" ? <Badge tone="neutral">{t("off")}</Badge> : null}
                </span>,
                format.number(plan.sellers),
                formatCents(plan.withdrawalFee, "BRL", locale),
                format.dateTime(plan.createdAt, { dateStyle: "medium" }),
              ],
            }))}
          />
        )}
        {next ? <CutNote /> : null}
      </Card>
      {oneOf(given, "do") === "new" && mayEdit ? (
        <ActionDialog title={t("newTitle")} text={t("newText")} closeHref={PAGE}>
          <TaskForm
            onAct={createPlanAction}
            onCheck={checkPlanAction}
            closeHref={PAGE}
            texts={await taskTexts(t("create"))}
            fields={await planFields()}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
