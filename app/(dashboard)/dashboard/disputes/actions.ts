"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { addNote, LONGEST_NOTE, markDispute } from "@/lib/disputes/notes";
import { reaching } from "@/lib/operators/reach";

export async function addNoteAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("disputes.note", async ({ ctx, role }): Promise<TaskState> => {
    const [id, text] = [textOf(form, "id"), textOf(form, "text")];
    if (text === "" || text.length > LONGEST_NOTE) {
      const t = await getTranslations("disputes");
      return { problems: { text: t("noteUnfit", { most: LONGEST_NOTE }) }, given: { text } };
    }
    await addNote(await reaching(ctx, "dispute", id), role, id, text);
    return redirect(`/dashboard/disputes/${id}?done=noted`);
  });
}

/** Handled, or not after all. */
export async function markDisputeAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("disputes.note", async ({ ctx, role }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const how = textOf(form, "how") === "handled" ? "handled" : "reopened";
    await markDispute(await reaching(ctx, "dispute", id), role, id, how);
    return redirect(`/dashboard/disputes/${id}?done=${how}`);
  });
}
