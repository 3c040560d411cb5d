"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { BATCHES } from "@/app/(dashboard)/dashboard/payouts/words";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { RequestError } from "@/lib/errors";
import { reaching } from "@/lib/operators/reach";
import { endMark, markInput, proposeMark } from "@/lib/payouts/marking";

const LONGEST_REASON = 500;
const FIELDS = ["paidOn", "bankReference", "error", "reason"] as const;

/** How a transfer ended, as one person says; another one approves it. */
export async function markPayoutAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("payouts");
    const id = textOf(form, "id");
    const given = Object.fromEntries(FIELDS.map((name) => [name, textOf(form, name)]));
    const mark = markInput.safeParse({ ...given, how: textOf(form, "how") });
    const reason = textOf(form, "reason");
    const problems: Record<string, string> = {};
    if (reason === "" || reason.length > LONGEST_REASON) problems.reason = t("markReasonProblem");
    for (const { path } of mark.error?.issues ?? []) {
      if (path[0] === "bankReference") problems.bankReference = t("markReferenceProblem");
      if (path[0] === "paidOn") problems.paidOn = t("markDayProblem");
      if (path[0] === "error") problems.error = t("markErrorProblem");
    }
    if (!mark.success || Object.keys(problems).length > 0) return { problems, given };
    const reached = await reaching(ctx, "payment_batch", id);
    try {
      const done = await proposeMark(reached, id, mark.data, reason);
      countAnew();
      return redirect(`${BATCHES}/${id}?done=${done}`);
    } catch (thrown) {
      if (!(thrown instanceof RequestError && thrown.status === 400)) throw thrown;
      return { problems: { paidOn: t("markDayProblem") }, given };
    }
  });
}

/** The second person's word; whoever asked takes it back so. */
export async function endMarkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }) => {
    const id = textOf(form, "id");
    const outcome = textOf(form, "how") === "approved" ? "approved" : "refused";
    const reached = await reaching(ctx, "payment_batch", id);
    return unlessOver(async () => {
      await endMark(reached, id, textOf(form, "proposal"), outcome);
      countAnew();
      return redirect(`${BATCHES}/${id}?done=${outcome === "approved" ? "done" : "refused"}`);
    });
  });
}
