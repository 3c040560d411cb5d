"use server";

import { redirect } from "next/navigation";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { choose } from "@/lib/notices/choices";
import { kindsFor } from "@/lib/notices/kinds";
import { markRead } from "@/lib/notices/queries";
import { unlimited } from "@/lib/operators/reach";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/notices";

export async function markReadAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payments.see", async ({ ctx }) => {
    const asked = new Date(textOf(form, "until"));
    const present = realNow();
    // What came since the page was read stays new.
    if (!Number.isNaN(asked.getTime())) await markRead(unlimited(ctx), asked < present ? asked : present);
    return redirect(`${PAGE}?done=read`);
  });
}

export async function chooseNoticesAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payments.see", async ({ ctx, role }) => {
    const isOn = (name: string) => textOf(form, name) === "yes";
    if (!isOn("isWhole")) return redirect(`${PAGE}/choices`);
    await choose(
      unlimited(ctx),
      role,
      new Map(
        kindsFor(role).map((kind) => [
          kind,
          { onDashboard: isOn(`${kind}-dashboard`), byEmail: isOn(`${kind}-email`) },
        ]),
      ),
    );
    return redirect(`${PAGE}/choices?done=saved`);
  });
}
