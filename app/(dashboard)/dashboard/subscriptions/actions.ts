"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LIST } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import type { Context } from "@/lib/context";
import { inTransaction } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { reaching } from "@/lib/operators/reach";
import { settingsChanges } from "@/lib/subscriptions/schema";
import { cancelById, pauseById, resumeById, retryCycle, sendCardLink } from "@/lib/subscriptions/service";
import { changeSubscriptionSettings } from "@/lib/subscriptions/settings";
import { updateSubscription } from "@/lib/subscriptions/update";

const LONGEST_WHY = 500;

type Move = (ctx: Context, id: string, reason: string | undefined) => Promise<unknown>;

const endWith =
  (cancelAtPeriodEnd: boolean): Move =>
  (ctx, id) =>
    updateSubscription(ctx, id, {
      ...NOTHING,
      cancelAtPeriodEnd,
      ...(cancelAtPeriodEnd ? {} : { scheduledCancellationAt: null }),
    });

const NOTHING = {
  name: undefined,
  merchantId: undefined,
  referenceKey: undefined,
  items: undefined,
  recurrence: undefined,
  splitRules: undefined,
  paymentMethod: undefined,
  trial: undefined,
  cancelAtPeriodEnd: undefined,
};

/** What a dialog of the page asked about, by its name. */
const MOVES: Readonly<Record<string, Move>> = {
  pause: (ctx, id, reason) => pauseById(ctx, id, { reason }),
  resume: (ctx, id, reason) => resumeById(ctx, id, { reason }),
  cancel: (ctx, id, reason) => cancelById(ctx, id, { reason }),
  end: endWith(true),
  keep: endWith(false),
};

export async function moveSubscriptionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx }) => {
    const [id, what] = [textOf(form, "id"), textOf(form, "what")];
    const move = Object.hasOwn(MOVES, what) ? MOVES[what] : undefined;
    if (!move) throw invalid("what");
    const reached = await reaching(ctx, "subscription", id);
    await move(reached, id, textOf(form, "why").slice(0, LONGEST_WHY) || undefined);
    return redirect(`${LIST}/${id}?done=${what}`);
  });
}

/** E-mails the buyer a link for another card. */
export async function sendCardLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const isSent = await sendCardLink(await reaching(ctx, "subscription", id), id);
    if (!isSent) return { problem: (await getTranslations("subscriptions"))("linkProblem") };
    return redirect(`${LIST}/${id}?done=link`);
  });
}

export async function retryCycleAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx }) => {
    const [id, cycleId] = [textOf(form, "id"), textOf(form, "cycle")];
    await retryCycle(await reaching(ctx, "subscription", id), id, cycleId);
    return redirect(`${LIST}/${id}?done=retry`);
  });
}

/** Of the whole account: closed to whoever is limited to some merchants. */
export async function changeRetriesAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("subscriptions");
    const given = {
      days: textOf(form, "days"),
      statementDescriptor: textOf(form, "statementDescriptor"),
      after: textOf(form, "after"),
    };
    if (ctx.merchants) return { problem: t("settingsWhole"), given };
    const read = settingsChanges.safeParse({
      retryPolicy: given.days
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((days) => ({ daysAfterLastAttempt: Number(days) })),
      statementDescriptor: given.statementDescriptor || undefined,
      cancelAfterAllRetries: given.after === "cancel",
    });
    if (!read.success) {
      const isOfText = read.error.issues.some(({ path }) => path[0] === "statementDescriptor");
      return isOfText
        ? { problems: { statementDescriptor: t("settingsTextProblem") }, given }
        : { problems: { days: t("settingsDaysProblem") }, given };
    }
    await inTransaction(ctx, (inside) => changeSubscriptionSettings(inside, read.data));
    return redirect(`${LIST}/settings?done=saved`);
  });
}
