"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { reaching } from "@/lib/operators/reach";
import { holdPayouts, resumePayouts } from "@/lib/payouts/holds";

const SELLERS = "/dashboard/sellers";
const LONGEST_REASON = 500;

export async function holdPayoutsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.hold", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("sellers");
    const [id, reason] = [textOf(form, "id"), textOf(form, "reason")];
    if (reason === "" || reason.length > LONGEST_REASON)
      return { problems: { reason: t("holdReasonProblem") }, given: { reason } };
    await holdPayouts(await reaching(ctx, "seller", id), id, reason);
    return redirect(`${SELLERS}/${id}?done=held`);
  });
}

export async function resumePayoutsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.hold", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    await resumePayouts(await reaching(ctx, "seller", id), id);
    return redirect(`${SELLERS}/${id}?done=resumed`);
  });
}
