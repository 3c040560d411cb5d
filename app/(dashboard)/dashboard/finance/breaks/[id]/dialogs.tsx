import { getTranslations } from "next-intl/server";
import {
  assignBreakAction,
  closeBreakAction,
  noteBreakAction,
} from "@/app/(dashboard)/dashboard/finance/breaks/actions";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { BreakView } from "@/lib/finance/breaks";

interface BreakDialogsProps {
  view: BreakView;
  path: string;
  given: GivenParameters;
}

export async function BreakDialogs({ view, path, given }: BreakDialogsProps) {
  const t = await getTranslations("finance");
  const { row, people } = view;
  const doing = oneOf(given, "do");
  const whole = { hidden: { id: row.id }, closeHref: path };
  if (doing === "owner") {
    return (
      <ActionDialog title={t("doOwner")} text={t("ownerText")} closeHref={path}>
        <TaskForm
          {...whole}
          onAct={assignBreakAction}
          texts={await taskTexts(t("save"))}
          fields={[
            {
              name: "owner",
              label: t("owner"),
              kind: "choice",
              initial: row.ownerId ?? "",
              options: [
                { value: "", label: t("nobody") },
                ...people.map(({ id, name }) => ({ value: id, label: name })),
              ],
            },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "note") {
    return (
      <ActionDialog title={t("doNote")} text={t("noteText")} closeHref={path}>
        <TaskForm
          {...whole}
          onAct={noteBreakAction}
          texts={await taskTexts(t("save"))}
          fields={[{ name: "note", label: t("note"), kind: "long", initial: row.note ?? "", isRequired: true }]}
        />
      </ActionDialog>
    );
  }
  if (doing !== "close") return null;
  return (
    <ActionDialog title={t("closeTitle")} text={t("closeText")} closeHref={path}>
      <TaskForm
        {...whole}
        onAct={closeBreakAction}
        texts={await taskTexts(t("doClose"))}
        fields={[{ name: "reason", label: t("reason"), kind: "long", isRequired: true }]}
      />
    </ActionDialog>
  );
}
