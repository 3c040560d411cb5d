"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PREPAYMENTS } from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { confirmPrepayment } from "@/lib/finance/commit";
import { prepaymentChoice } from "@/lib/finance/prepayments";
import { reaching } from "@/lib/operators/reach";
import { simulatePrepayment } from "@/lib/prepayments/service";

const REFUSALS = {
  prepayment_not_enabled: "notEnabledTitle",
  prepayment_not_pending: "problemNotPending",
  prepayment_window_closed: "problemWindow",
  receivables_changed: "problemChanged",
  nothing_available: "problemNothing",
  no_receivables: "problemNothing",
  plan_changed: "problemChanged",
} as const;

async function inOwnWords(work: () => Promise<TaskState>): Promise<TaskState> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || !Object.hasOwn(REFUSALS, thrown.businessCode)) throw thrown;
    const t = await getTranslations("prepayments");
    // Guarantee: looked up only where the key exists.
    return { problem: t(REFUSALS[thrown.businessCode as keyof typeof REFUSALS]) };
  }
}

/** Prices what was chosen and keeps the price until the window closes. */
export async function simulateAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("prepayment.simulate", ({ ctx, role }) =>
    inOwnWords(async () => {
      const t = await getTranslations("prepayments");
      const sellerId = textOf(form, "seller") || undefined;
      if (ctx.merchants && sellerId === undefined) return { problem: t("problemWhole") };
      const acting = sellerId === undefined ? ctx : await reaching(ctx, "seller", sellerId);
      const [from, until] = [textOf(form, "from"), textOf(form, "until")];
      const choice = await prepaymentChoice(ctx, role, { sellerId, from, until: until || undefined });
      const dates = choice.chosen.map(({ day }) => day);
      const last = dates.at(-1);
      if (choice.isTooMuch || last === undefined)
        return { problem: t(choice.isTooMuch ? "problemTooMuch" : "problemNothing") };
      const asked = dates[0] === choice.first ? { endDate: last } : { receiptDates: dates };
      const { row } = await inTransaction(acting, (inside) =>
        simulatePrepayment(inside, { receiptDates: undefined, endDate: undefined, sellerId, ...asked }),
      );
      return redirect(`${PREPAYMENTS}/${row.id}`);
    }),
  );
}

export async function commitAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("prepayment.commit", ({ ctx }) =>
    inOwnWords(async () => {
      const id = textOf(form, "id");
      const planHash = textOf(form, "planHash");
      const reached = await reaching(ctx, "prepayment", id);
      const done = await confirmPrepayment(planHash ? { ...reached, planHash } : reached, id);
      return redirect(`${PREPAYMENTS}/${id}?done=${done}`);
    }),
  );
}
