"use server";

import { redirect } from "next/navigation";
import { isMonitor, monitorIn } from "@/app/(dashboard)/dashboard/settings/alerts/fields";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { changeMonitor, createMonitor, deleteMonitor, muteMonitor, unmuteMonitor } from "@/lib/monitors/service";

const PAGE = "/dashboard/settings/alerts";

export async function createMonitorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("monitors.edit", async ({ ctx, role }) => {
    const given = await monitorIn(form);
    if (!isMonitor(given)) return given;
    const id = await createMonitor(ctx, role, given);
    return redirect(`${PAGE}/${id}?done=created`);
  });
}

export async function changeMonitorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("monitors.edit", async ({ ctx, role }) => {
    const given = await monitorIn(form);
    if (!isMonitor(given)) return given;
    const id = textOf(form, "id");
    await changeMonitor(ctx, role, id, given);
    return redirect(`${PAGE}/${id}?done=saved`);
  });
}

export async function muteMonitorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("monitors.edit", async ({ ctx, role }) => {
    const id = textOf(form, "id");
    const hours = textOf(form, "hours");
    if (hours === "") await unmuteMonitor(ctx, role, id);
    else await muteMonitor(ctx, role, id, Number(hours));
    return redirect(`${PAGE}/${id}?done=${hours === "" ? "heard" : "muted"}`);
  });
}

export async function deleteMonitorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("monitors.edit", async ({ ctx, role }) => {
    await deleteMonitor(ctx, role, textOf(form, "id"));
    return redirect(`${PAGE}?done=deleted`);
  });
}
