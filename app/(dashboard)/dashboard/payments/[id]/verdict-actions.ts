"use server";

import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { LONGEST_REASON } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import { orNotFound } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { resolveCharge, withdrawVerdict } from "@/lib/charges/review/service";
import { TRUTHS } from "@/lib/charges/review/statement";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { reconcileNow } from "@/lib/purchases/due";

const LONGEST_ID = 200;
const DONE = { done: "resolved", proposed: "resolve_proposed", answered: "answered" } as const;

/** A person says how a payment in review ended, or proposes it to a second one. */
export async function resolveChargeAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx }) => {
    const t = await getTranslations("payments");
    const id = textOf(form, "id");
    if (!isUuid(id)) return notFound();
    const truth = TRUTHS.find((each) => each === textOf(form, "truth"));
    const transaction = textOf(form, "transaction").slice(0, LONGEST_ID);
    const reason = textOf(form, "reason").slice(0, LONGEST_REASON);
    const given = { truth: truth ?? "", transaction, reason };
    const needsId = truth !== "absent" && transaction === "";
    if (!truth || needsId || reason === "")
      return {
        given,
        problems: {
          ...(truth ? {} : { truth: t("vMissingWhat") }),
          ...(truth && needsId ? { transaction: t("vMissingId") } : {}),
          ...(reason === "" ? { reason: t("vMissingReason") } : {}),
        },
      };
    const reached = await orNotFound(reaching(ctx, "charge", id));
    const asked = { truth, plan: textOf(form, "plan"), reason, providerTransactionId: transaction || undefined };
    const done = await resolveCharge(reached, id, asked, reconcileNow).catch((thrown: unknown) => {
      if (thrown instanceof ChargeBusy) return undefined;
      throw thrown;
    });
    if (!done) return { given, problem: t("problemBusy") };
    countAnew();
    return redirect(`/dashboard/payments/${id}?done=${DONE[done]}`);
  });
}

export async function withdrawVerdictAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reviews.resolve", async ({ ctx }) => {
    const id = textOf(form, "id");
    if (!isUuid(id)) return notFound();
    await withdrawVerdict(await orNotFound(reaching(ctx, "charge", id)), id);
    countAnew();
    return redirect(`/dashboard/payments/${id}?done=withdrawn`);
  });
}
