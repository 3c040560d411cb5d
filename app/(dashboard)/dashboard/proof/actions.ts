"use server";

import { redirect } from "next/navigation";
import { runTask } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { auditNow } from "@/lib/invariants/audit";

/** The audit of each minute, once more. It only looks. */
export async function runAuditAction(_before: TaskState, _form: FormData): Promise<TaskState> {
  return runTask("proof.see", async () => {
    await auditNow();
    return redirect("/dashboard/proof?done=run");
  });
}
