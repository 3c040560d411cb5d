import { getTranslations } from "next-intl/server";
import {
  changeMonitorAction,
  deleteMonitorAction,
  muteMonitorAction,
} from "@/app/(dashboard)/dashboard/settings/alerts/actions";
import { monitorFields } from "@/app/(dashboard)/dashboard/settings/alerts/fields";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { MonitorRow } from "@/lib/monitors/service";

const HOURS = ["1", "4", "24", "168"] as const;

interface MonitorDialogsProps {
  doing: string;
  monitor: MonitorRow;
  path: string;
}

export async function MonitorDialogs({ doing, monitor, path }: MonitorDialogsProps) {
  const t = await getTranslations("alerts");
  const { id, name } = monitor;
  if (doing === "edit")
    return (
      <ActionDialog title={t("editTitle")} text={t("editText")} closeHref={path}>
        <TaskForm
          hidden={{ id }}
          onAct={changeMonitorAction}
          closeHref={path}
          texts={await taskTexts(t("save"))}
          fields={await monitorFields(monitor)}
        />
      </ActionDialog>
    );
  if (doing === "mute")
    return (
      <ActionDialog title={t("muteTitle")} text={t("muteText")} closeHref={path}>
        <TaskForm
          hidden={{ id }}
          onAct={muteMonitorAction}
          closeHref={path}
          texts={await taskTexts(t("muteButton"))}
          fields={[
            {
              name: "hours",
              label: t("muteFor"),
              kind: "choice",
              options: HOURS.map((hours) => ({ value: hours, label: t("hours", { hours: Number(hours) }) })),
              initial: HOURS[0],
            },
          ]}
        />
      </ActionDialog>
    );
  if (doing === "delete")
    return (
      <ActionDialog title={t("deleteTitle")} text={t("deleteText", { name })} closeHref={path}>
        <TaskForm
          hidden={{ id }}
          isDangerous
          onAct={deleteMonitorAction}
          closeHref={path}
          texts={await taskTexts(t("deleteButton"))}
        />
      </ActionDialog>
    );
  return null;
}
