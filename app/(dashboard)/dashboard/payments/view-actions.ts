"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { refuseCardNumber } from "@/app/(dashboard)/typed-text";
import type { TaskState } from "@/components/tasks/task-form";
import { invalid } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { unlimited } from "@/lib/operators/reach";
import { deleteView, LONGEST_VIEW_NAME, MOST_VIEWS, saveView, viewsOf } from "@/lib/operators/saved-views";

const LIST = "/dashboard/payments";

export async function saveViewAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payments.see", async ({ ctx: own }) => {
    const t = await getTranslations("payments");
    const name = textOf(form, "name");
    const asked = new URLSearchParams(textOf(form, "query"));
    for (const value of asked.values()) refuseCardNumber("query", value);
    const query = asked.toString();
    if (name === "" || name.length > LONGEST_VIEW_NAME)
      return { problems: { name: t("viewNameProblem") }, given: { name } };
    if ((await viewsOf(own, "payments")).length >= MOST_VIEWS) return { problem: t("viewTooMany"), given: { name } };
    await saveView(unlimited(own), { list: "payments", name, query, isShared: textOf(form, "isShared") === "yes" });
    return redirect(query ? `${LIST}?${query}` : LIST);
  });
}

export async function deleteViewAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payments.see", async ({ ctx: own }) => {
    const id = textOf(form, "id");
    if (!isUuid(id)) throw invalid("id");
    await deleteView(unlimited(own), id);
    const back = textOf(form, "back");
    return redirect(back.startsWith(`${LIST}?`) ? back : LIST);
  });
}
