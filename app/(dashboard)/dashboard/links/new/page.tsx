import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { merchantsToChoose } from "@/lib/charges/search";

const LIST = "/dashboard/links";
const MOST_INSTALLMENTS = 12;
const REPEATS = ["5", "10", "50", "100"] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("links");
  return { title: t("newTitle") };
}

export default async function NewLinkPage() {
  const { ctx, role } = await requireRight(`${LIST}/new`, "links.edit");
  const t = await getTranslations("links");
  const merchants = await merchantsToChoose(ctx, role);
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink href={LIST} text={t("title")} />
      <PageHead title={t("newTitle")} description={t("newText")} />
      <Card>
        <TaskForm
          onAct={createLinkAction}
          closeHref={LIST}
          texts={await taskTexts(t("createButton"))}
          hidden={merchants.length === 1 ? { merchantId: merchants[0]?.id ?? "" } : {}}
          fields={[
            { name: "name", label: t("what"), hint: t("whatHint"), isRequired: true },
            { name: "amount", label: t("amountLabel"), hint: t("amountHint"), isRequired: true },
            {
              name: "methods",
              label: t("methods"),
              kind: "choices",
              initial: "credit,pix",
              options: [
                { value: "credit", label: t("methodCard") },
                { value: "pix", label: t("methodPix") },
                { value: "boleto", label: t("methodBoleto") },
              ],
            },
            {
              name: "installments",
              label: t("installments"),
              kind: "choice",
              initial: "1",
              options: Array.from({ length: MOST_INSTALLMENTS }, (_, index) => ({
                value: String(index + 1),
                label: t("installmentsUpTo", { count: index + 1 }),
              })),
            },
            {
              name: "payments",
              label: t("howOften"),
              hint: t("howOftenHint"),
              kind: "choice",
              initial: "once",
              options: [
                { value: "once", label: t("once") },
                ...REPEATS.map((count) => ({ value: count, label: t("upTo", { count: Number(count) }) })),
                { value: "many", label: t("always") },
              ],
            },
            { name: "dueDate", label: t("dueLabel"), hint: t("dueHint"), kind: "day" },
            { name: "orderId", label: t("order"), hint: t("orderHint") },
            { name: "description", label: t("note"), kind: "long" },
            ...(merchants.length > 1
              ? [
                  {
                    name: "merchantId",
                    label: t("merchant"),
                    kind: "choice" as const,
                    options: merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
                  },
                ]
              : []),
          ]}
        />
      </Card>
    </div>
  );
}
