import { getTranslations } from "next-intl/server";
import { changeDefinitionAction } from "@/app/(dashboard)/dashboard/reports/actions";
import { cityOf, reportWords } from "@/app/(dashboard)/dashboard/reports/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { REPORT_CRONS } from "@/db/schema/reports";
import type { DefinitionRow } from "@/lib/reports/definitions";

interface EditDialogProps {
  kept: DefinitionRow;
  path: string;
}

/** What of a kept report can change: its name, where it goes and when it repeats. */
export async function EditDialog({ kept, path }: EditDialogProps) {
  const [t, words] = await Promise.all([getTranslations("reports"), reportWords()]);
  return (
    <ActionDialog title={t("editTitle")} text={t("editText")} closeHref={path}>
      <TaskForm
        hidden={{ id: kept.id }}
        onAct={changeDefinitionAction}
        closeHref={path}
        texts={await taskTexts(t("save"))}
        fields={[
          { name: "name", label: t("name"), initial: kept.name, isRequired: true },
          {
            name: "sendTo",
            label: t("sendTo"),
            hint: t("sendToHint"),
            kind: "email",
            initial: String(kept.request.sendTo),
            isRequired: true,
          },
          {
            name: "cron",
            label: t("cron"),
            kind: "choice",
            initial: kept.cron ?? "",
            options: [
              { value: "", label: t("cronNever") },
              ...REPORT_CRONS.map((cron) => ({ value: cron, label: words.cron(cron) })),
            ],
          },
          {
            name: "time",
            label: t("time"),
            kind: "time",
            initial: kept.time ?? "06:00",
            hint: t("timeHint", { zone: cityOf(kept.timezone) }),
          },
        ]}
      />
    </ActionDialog>
  );
}
