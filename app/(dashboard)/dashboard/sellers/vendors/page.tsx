import { Store } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { CsvButton } from "@/app/(dashboard)/csv-button";
import { SellersTabs } from "@/app/(dashboard)/dashboard/sellers/tabs";
import {
  checkVendorAction,
  createVendorAction,
  deleteVendorAction,
  updateVendorAction,
} from "@/app/(dashboard)/dashboard/sellers/vendors/actions";
import { vendorFields } from "@/app/(dashboard)/dashboard/sellers/vendors/fields";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { inSnapshot } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { findVendor, listVendors } from "@/lib/vendors/queries";
import { vendorFilters } from "@/lib/vendors/schema";

const PAGE = "/dashboard/sellers/vendors";
const PER_PAGE = 25;
const DONE_TEXTS = { created: "doneVendor", saved: "doneSaved", deleted: "doneVendorGone" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellers");
  return { title: t("vendors") };
}

export default async function VendorsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "sellers.see");
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  const page = Math.max(1, Number.parseInt(oneOf(given, "page") ?? "1", 10) || 1);
  const chosen = oneOf(given, "vendor") ?? "";
  const filters = vendorFilters.parse({ page: String(page), limit: String(PER_PAGE) });
  const [{ items, totalItems }, vendor] = await inSnapshot(ctx, async (inside) => [
    await listVendors(inside, filters),
    isUuid(chosen) ? await findVendor(inside, chosen) : undefined,
  ]);
  // Of the whole account: somebody limited to some merchants only looks.
  const mayEdit = may(role, "sellers.edit") && !ctx.merchants;
  const [doing, done] = [mayEdit ? oneOf(given, "do") : undefined, oneOf(given, "done")];
  return (
    <>
      <PageHead
        title={t("vendors")}
        description={t("vendorsText")}
        action={
          <>
            {items.length > 0 ? <CsvButton path={PAGE} given={{}} /> : null}
            {mayEdit ? (
              <LinkButton href={`${PAGE}?do=new`} scroll={false} tone="primary" className="max-sm:h-11">
                {t("vendorNew")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <SellersTabs here="vendors" />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={Store} title={t("vendorsNone")}>
            {t("vendorsNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("vendors")}
            columns={[
              { key: "name", title: t("name") },
              { key: "reference", title: t("vendorReference") },
              { key: "document", title: t("document") },
              { key: "mcc", title: t("mcc"), isMinor: true },
              { key: "since", title: t("since"), isNumeric: true },
            ]}
            {...(mayEdit ? { actions: t("edit") } : {})}
            rows={items.map((each) => ({
              id: each.id,
              cells: [
                each.name,
                each.referenceId,
                may(role, "buyers.see") ? maskTaxId(each.identity) : t("none"),
                each.mcc,
                format.dateTime(each.createdAt, { dateStyle: "medium" }),
              ],
              actions: mayEdit ? (
                <>
                  <LinkButton href={`${PAGE}?do=edit&vendor=${each.id}`} scroll={false} size="sm">
                    {t("edit")}
                  </LinkButton>
                  <LinkButton href={`${PAGE}?do=delete&vendor=${each.id}`} scroll={false} size="sm" tone="quiet">
                    {t("delete")}
                  </LinkButton>
                </>
              ) : null,
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: page > 1 ? withParameters(PAGE, {}, { page: String(page - 1) }) : undefined,
              text: t("previous"),
            }}
            next={{
              href: page * PER_PAGE < totalItems ? withParameters(PAGE, {}, { page: String(page + 1) }) : undefined,
              text: t("next"),
            }}
          />
        </div>
      </Card>
      {doing === "new" || (doing === "edit" && vendor) ? (
        <ActionDialog
          title={vendor ? t("vendorTitle") : t("vendorNew")}
          text={vendor ? t("vendorEditText") : t("vendorNewText")}
          closeHref={PAGE}
          shape="sheet"
        >
          <TaskForm
            hidden={vendor ? { id: vendor.id } : {}}
            onAct={vendor ? updateVendorAction : createVendorAction}
            onCheck={checkVendorAction}
            closeHref={PAGE}
            texts={await taskTexts(t("save"))}
            fields={await vendorFields(vendor)}
          />
        </ActionDialog>
      ) : null}
      {doing === "delete" && vendor ? (
        <ActionDialog title={t("vendorDelete")} text={t("vendorDeleteText", { name: vendor.name })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id: vendor.id }}
            isDangerous
            onAct={deleteVendorAction}
            closeHref={PAGE}
            texts={await taskTexts(t("vendorDelete"))}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
