import { Store } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createMerchantAction } from "@/app/(dashboard)/dashboard/merchants/actions";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { listMerchants } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";

const PAGE = "/dashboard/merchants";
const MOST_SHOWN = 100;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("merchants");
  return { title: t("title") };
}

export default async function MerchantsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "merchants.see");
  const t = await getTranslations("merchants");
  const { items } = await inSnapshot(ctx, (inside) =>
    listMerchants(inside, { page: 1, limit: MOST_SHOWN, order: "desc" }),
  );
  const mayEdit = may(role, "merchants.edit");
  const create = mayEdit ? (
    <LinkButton href={`${PAGE}?do=create`} scroll={false} tone="primary" data-new>
      {t("create")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} action={items.length > 0 ? create : null} />
      {oneOf(given, "done") === "deleted" ? <DoneNote text={t("doneDeleted")} /> : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={Store} title={t("emptyTitle")} action={create}>
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("name") },
              { key: "status", title: t("status") },
              { key: "providers", title: t("providers") },
              { key: "mcc", title: t("mcc"), isNumeric: true },
            ]}
            rows={items.map(({ merchant, providers }) => ({
              id: merchant.id,
              href: `${PAGE}/${merchant.id}`,
              cells: [
                merchant.name ?? merchant.id,
                <Badge key="status" tone={merchant.status ? "success" : "neutral"}>
                  {merchant.status ? t("active") : t("inactive")}
                </Badge>,
                providers.map(({ name }) => name).join(" → ") || t("noProviders"),
                merchant.mcc,
              ],
            }))}
          />
        )}
      </Card>
      {mayEdit && oneOf(given, "do") === "create" ? (
        <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={PAGE}>
          <TaskForm
            onAct={createMerchantAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createButton"))}
            fields={[
              { name: "name", label: t("name"), isRequired: true },
              { name: "mcc", label: t("mcc"), hint: t("mccHint"), kind: "number", isRequired: true },
            ]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
