"use server";

import { redirect } from "next/navigation";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { readFollowUp, readStatements } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/statements";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { invalid } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { readReview } from "@/lib/purchases/review/read";
import { proposeResolution, resolveReview, withdrawResolution } from "@/lib/purchases/review/service";

const LIST = "/dashboard/reviews";

/** Confirms what was planned, or proposes it to a second person. */
export async function resolveAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx: own }) => {
    const purchaseId = textOf(form, "id");
    const key = textOf(form, "key");
    if (!isUuid(purchaseId) || !isUuid(key)) throw invalid("key");
    const ctx = await reaching(own, "purchase", purchaseId);
    const review = await readReview(ctx, purchaseId);
    const asked = {
      purchaseId,
      slots: readStatements(review, (name) => textOf(form, name)),
      followUp: readFollowUp(textOf(form, "followUp")),
      plan: textOf(form, "plan"),
    };
    if (textOf(form, "propose") === "yes") {
      await proposeResolution(ctx, asked);
      countAnew();
      return redirect(`${LIST}?done=proposed`);
    }
    await resolveReview(ctx, { ...asked, key });
    countAnew();
    return redirect(`${LIST}?done=resolved`);
  });
}

/** Whoever proposed it takes it back. */
export async function withdrawResolutionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx: own }) => {
    const purchaseId = textOf(form, "id");
    if (!isUuid(purchaseId)) throw invalid("id");
    await withdrawResolution(await reaching(own, "purchase", purchaseId), purchaseId);
    countAnew();
    return redirect(`${LIST}/${purchaseId}`);
  });
}
