"use server";

import { redirect } from "next/navigation";
import { nothing, withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import { PLAN_MEMBERS, RATE_MEMBERS } from "@/app/(dashboard)/dashboard/sellers/plans/fields";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import {
  addRate,
  changeTerms,
  createPlan,
  makeDefault,
  newRate,
  planTerms,
  retireRate,
  switchPlan,
} from "@/lib/sale-plans/operator-service";

const LIST = "/dashboard/sellers/plans";

/** What is wrong with a plan's terms, and nothing else. */
export async function checkPlanAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", () => withBody(form, PLAN_MEMBERS, planTerms, {}, nothing));
}

/** What is wrong with a new rate, which is not added. */
export async function checkRateAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", () => withBody(form, RATE_MEMBERS, newRate, {}, nothing));
}

export async function createPlanAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", ({ ctx }) =>
    withBody(form, PLAN_MEMBERS, planTerms, {}, async (terms) => {
      const id = await inTransaction(ctx, (inside) => createPlan(inside, terms));
      return redirect(`${LIST}/${id}?done=created`);
    }),
  );
}

export async function changePlanAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", ({ ctx }) =>
    withBody(form, PLAN_MEMBERS, planTerms, {}, async (terms) => {
      const id = textOf(form, "id");
      await inTransaction(ctx, (inside) => changeTerms(inside, id, terms));
      return redirect(`${LIST}/${id}?done=saved`);
    }),
  );
}

export async function addRateAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", ({ ctx }) =>
    withBody(form, RATE_MEMBERS, newRate, {}, async (rate) => {
      const id = textOf(form, "id");
      await inTransaction(ctx, (inside) => addRate(inside, id, rate));
      return redirect(`${LIST}/${id}?done=rate`);
    }),
  );
}

export async function retireRateAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await inTransaction(ctx, (inside) => retireRate(inside, id, textOf(form, "rate")));
    return redirect(`${LIST}/${id}?done=retired`);
  });
}

/** Makes it the account's default, or switches it on or off. */
export async function switchPlanAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("plans.edit", async ({ ctx }) => {
    const [id, how] = [textOf(form, "id"), textOf(form, "how")];
    await inTransaction(ctx, (inside) =>
      how === "default" ? makeDefault(inside, id) : switchPlan(inside, id, how === "on" ? "active" : "inactive"),
    );
    return redirect(`${LIST}/${id}?done=saved`);
  });
}
