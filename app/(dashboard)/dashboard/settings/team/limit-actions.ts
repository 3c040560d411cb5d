"use server";

import { redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { formatCents } from "@/components/ui/money-format";
import { typedCents } from "@/lib/charges/typed-amount";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { approveAloneLimits, changeAloneLimits, endAloneLimits, MOST_ALONE } from "@/lib/operators/alone-limits";
import { SamePerson } from "@/lib/operators/second-person";

const PAGE = "/dashboard/settings/team";

function idIn(form: FormData): string {
  const id = textOf(form, "id");
  if (!isUuid(id)) throw notFound("proposal");
  return id;
}

export async function changeLimitsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    const [t, locale] = [await getTranslations("team"), await getLocale()];
    const given = { reviews: textOf(form, "reviews"), refunds: textOf(form, "refunds") };
    const [reviews, refunds] = [typedCents(given.reviews, locale), typedCents(given.refunds, locale)];
    const problem = t("limitsUnfit", { most: formatCents(MOST_ALONE, "BRL", locale) });
    const isFit = (cents: number | undefined): cents is number => cents !== undefined && cents <= MOST_ALONE;
    if (!isFit(reviews) || !isFit(refunds)) {
      const problems = {
        ...(isFit(reviews) ? {} : { reviews: problem }),
        ...(isFit(refunds) ? {} : { refunds: problem }),
      };
      return { problems, given };
    }
    const outcome = await changeAloneLimits(ctx, { reviews, refunds });
    return redirect(`${PAGE}?done=${outcome === "proposed" ? "limitsProposed" : "limits"}`);
  });
}

export async function approveLimitsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    try {
      await approveAloneLimits(ctx, idIn(form));
    } catch (thrown) {
      if (!(thrown instanceof SamePerson)) throw thrown;
      return { problem: (await getTranslations("team"))("limitsSamePerson") };
    }
    return redirect(`${PAGE}?done=limits`);
  });
}

export async function endLimitsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    await endAloneLimits(ctx, idIn(form));
    return redirect(`${PAGE}?done=limitsEnded`);
  });
}
