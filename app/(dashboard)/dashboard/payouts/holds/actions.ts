"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { DomainError } from "@/lib/errors";
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
    const reached = await reaching(ctx, "seller", id);
    return unlessChanged(async () => {
      await holdPayouts(reached, id, reason);
      return redirect(`${SELLERS}/${id}?done=held`);
    });
  });
}

export async function resumePayoutsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.hold", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const reached = await reaching(ctx, "seller", id);
    return unlessChanged(async () => {
      await resumePayouts(reached, id);
      return redirect(`${SELLERS}/${id}?done=resumed`);
    });
  });
}

async function unlessChanged(work: () => Promise<TaskState>): Promise<TaskState> {
  const t = await getTranslations("sellers");
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DomainError) return { problem: t("holdChanged") };
    throw thrown;
  }
}
