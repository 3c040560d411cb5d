"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { addressProblem, readAddresses } from "@/app/(dashboard)/typed-addresses";
import type { TaskState } from "@/components/tasks/task-form";
import { allowAddresses } from "@/lib/accounts/settings";

export async function allowAddressesAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    const text = textOf(form, "addresses");
    const typed = readAddresses(text);
    if ("problem" in typed) return { problems: { addresses: await addressProblem(typed.problem) }, given: typed.given };
    if ((await allowAddresses(ctx, typed.addresses)) === "done")
      return redirect("/dashboard/settings/security?done=addresses");
    const t = await getTranslations("addresses");
    const problem = ctx.ip ? t("outside", { address: ctx.ip }) : t("outsideUnknown");
    return { problems: { addresses: problem }, given: { addresses: text } };
  });
}
