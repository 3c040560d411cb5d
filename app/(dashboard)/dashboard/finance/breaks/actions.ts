"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { BREAKS } from "@/app/(dashboard)/dashboard/finance/words";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { reaching } from "@/lib/operators/reach";
import {
  assignDiscrepancy,
  endClosing,
  noteDiscrepancy,
  noteText,
  proposeClosing,
} from "@/lib/settlement/discrepancies";

export async function assignBreakAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }) => {
    const id = textOf(form, "id");
    await assignDiscrepancy(await reaching(ctx, "settlement_break", id), id, textOf(form, "owner") || null);
    return redirect(`${BREAKS}/${id}?done=assigned`);
  });
}

export async function noteBreakAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const note = noteText.safeParse(textOf(form, "note"));
    if (!note.success) return { problems: { note: (await getTranslations("finance"))("noteProblem") } };
    await noteDiscrepancy(await reaching(ctx, "settlement_break", id), id, note.data);
    return redirect(`${BREAKS}/${id}?done=noted`);
  });
}

export async function closeBreakAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("finance");
    const id = textOf(form, "id");
    const reason = noteText.safeParse(textOf(form, "reason"));
    if (!reason.success) return { problems: { reason: t("noteProblem") } };
    const done = await proposeClosing(await reaching(ctx, "settlement_break", id), id, reason.data);
    countAnew();
    return redirect(`${BREAKS}/${id}?done=${done}`);
  });
}

export async function endClosingAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }) => {
    const id = textOf(form, "id");
    const how = textOf(form, "how") === "approved" ? "approved" : "refused";
    const reached = await reaching(ctx, "settlement_break", id);
    return unlessOver(async () => {
      await endClosing(reached, id, textOf(form, "proposal"), how);
      countAnew();
      return redirect(`${BREAKS}/${id}?done=${how === "approved" ? "done" : "refused"}`);
    });
  });
}
