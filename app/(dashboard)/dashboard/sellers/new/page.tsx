import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { checkSellerAction, createSellerAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import {
  accountFields,
  businessFields,
  ownerFields,
  policyFields,
  termFields,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { merchantField } from "@/app/(dashboard)/merchant-field";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { StatusTabs } from "@/components/charges/status-tabs";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { Card } from "@/components/ui/card";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { inSnapshot } from "@/lib/context";
import { plansToChoose } from "@/lib/sale-plans/queries";

const LIST = "/dashboard/sellers";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellers");
  return { title: t("newTitle") };
}

export default async function NewSellerPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(`${LIST}/new`, "sellers.edit");
  const t = await getTranslations("sellers");
  const kind = oneOf(given, "kind") === "company" ? "company" : "person";
  const [merchants, plans] = await Promise.all([merchantsToChoose(ctx, role), inSnapshot(ctx, plansToChoose)]);
  const [only, ...others] = merchants;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead title={t("newTitle")} description={t("newText")} />
      <Card>
        <StatusTabs
          label={t("kind")}
          tabs={[
            { href: `${LIST}/new`, text: t("person"), isHere: kind === "person" },
            { href: `${LIST}/new?kind=company`, text: t("company"), isHere: kind === "company" },
          ]}
        />
        <TaskForm
          isWide
          onAct={createSellerAction}
          onCheck={checkSellerAction}
          closeHref={LIST}
          texts={await taskTexts(t("createButton"))}
          hidden={{ kind, ...(only && others.length === 0 ? { merchantId: only.id } : {}) }}
          fields={[
            ...merchantField({ label: t("merchant"), choose: t("merchantChoose") }, merchants),
            { name: "mcc", label: t("mcc"), hint: t("mccHint"), kind: "number", isRequired: true },
            ...(kind === "company" ? under(t("company"), await businessFields()) : []),
            ...under(t("owner"), await ownerFields()),
            ...under(t("account"), await accountFields()),
            ...under(t("transfers"), await policyFields()),
            ...under(t("terms"), await termFields(plans)),
          ]}
        />
      </Card>
    </>
  );
}

const under = (part: string, fields: readonly TaskField[]): TaskField[] =>
  fields.map((field, index) => (index === 0 ? { ...field, part } : field));
