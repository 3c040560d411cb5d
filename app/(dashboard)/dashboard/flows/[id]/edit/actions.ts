"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { invalid } from "@/lib/errors";
import { updateFlow } from "@/lib/flows/service";
import { reaching } from "@/lib/operators/reach";

const LONGEST_NAME = 100;
const LONGEST_WHY = 500;

/** A draft is saved in place; of an active flow the next version is made, and edited from then on. */
export async function saveFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }): Promise<TaskState> => {
    const [id, name] = [textOf(form, "id"), textOf(form, "name")];
    if (name === "" || name.length > LONGEST_NAME) return { problem: (await getTranslations("flows"))("nameProblem") };
    const saved = await updateFlow(await reaching(ctx, "flow", id), id, {
      version: textOf(form, "version") || undefined,
      name,
      merchants: undefined,
      flow: { root: rootIn(textOf(form, "root")) },
      status: undefined,
      note: textOf(form, "why").slice(0, LONGEST_WHY) || undefined,
    });
    return redirect(`${LIST}/${saved.id}/edit?done=saved`);
  });
}

/** The rules say what is wrong with its nodes. */
function rootIn(text: string): unknown[] {
  try {
    const root: unknown = JSON.parse(text);
    if (Array.isArray(root)) return root;
  } catch {
    // Told below.
  }
  throw invalid("root: must be a list of nodes");
}
