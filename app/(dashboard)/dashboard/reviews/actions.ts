"use server";

import { redirect } from "next/navigation";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { releasePayment, takePayment } from "@/lib/insights/takes";
import { reaching } from "@/lib/operators/reach";

const LIST = "/dashboard/reviews";

/** What was pressed stands in the list or on the page of one purchase: there it is seen. */
function placeIn(form: FormData): { id: string; kind: "charge" | "purchase"; back: string } {
  const id = textOf(form, "id");
  if (!isUuid(id)) throw notFound("purchase");
  const kind = textOf(form, "kind") === "purchase" ? "purchase" : "charge";
  return { id, kind, back: textOf(form, "back") === "page" ? `${LIST}/${id}` : LIST };
}

export async function takeReviewAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx, role }) => {
    const { id, kind, back } = placeIn(form);
    await takePayment(await reaching(ctx, kind, id), role, id);
    return redirect(back);
  });
}

export async function releaseReviewAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx, role }) => {
    const { id, kind, back } = placeIn(form);
    await releasePayment(await reaching(ctx, kind, id), role, id);
    return redirect(back);
  });
}
