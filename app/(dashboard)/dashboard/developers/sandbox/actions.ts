"use server";

import { revalidatePath } from "next/cache";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { WRITTEN } from "@/app/(dashboard)/dashboard/developers/sandbox/scenario-fields";
import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { dueNext } from "@/lib/insights/due-next";
import { beginTestClock } from "@/lib/providers/sandbox/api/clock";
import { lastMove } from "@/lib/providers/sandbox/api/clock-moves";
import { addScenario, removeScenario } from "@/lib/providers/sandbox/api/scenarios";
import { clockInput, scenarioText } from "@/lib/providers/sandbox/api/schema";

const PAGE = "/dashboard/developers/sandbox";

const onSandbox = (sender: OnAccount): OnAccount => {
  if (sender.account.mode !== "sandbox") notFound();
  return sender;
};

/** Forward only: by a duration, to the next thing that falls due, or standing still. */
export async function moveClockAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sandbox.control", async (sender) => {
    const { ctx } = onSandbox(sender);
    const how = textOf(form, "how");
    const next = how === "next" ? (await dueNext(ctx))[0] : undefined;
    const parsed = clockInput.safeParse(
      how === "next"
        ? { to: next?.dueAt.toISOString() }
        : how === "freeze"
          ? { freeze: true }
          : how === "run"
            ? { freeze: false }
            : { advance: how },
    );
    if (!parsed.success) {
      const t = await getTranslations("sandbox");
      return { problem: t("clockProblem") };
    }
    if ((await lastMove(ctx))?.state === "moving") return { problem: (await getTranslations("sandbox"))("moveOpen") };
    await beginTestClock(ctx, parsed.data);
    // The frame around the pages shows the clock.
    revalidatePath("/dashboard", "layout");
    return redirect(PAGE);
  });
}

export async function addScenarioAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sandbox.control", async (sender): Promise<TaskState> => {
    const { ctx } = onSandbox(sender);
    const [kind, typed, outcome] = [textOf(form, "kind"), textOf(form, "target"), textOf(form, "outcome")];
    const [times, written, merchant] = [textOf(form, "times"), textOf(form, "scenario"), textOf(form, "merchant")];
    const given = { kind, merchant, target: typed, outcome, times, scenario: written };
    const t = await getTranslations("sandbox");
    const id = kind === "merchant" ? merchant : typed;
    if (!isUuid(id)) return { problems: { [kind === "merchant" ? "merchant" : "target"]: t("targetProblem") }, given };
    const isWritten = outcome === WRITTEN;
    const parsed = scenarioText.safeParse(isWritten ? written : `outcome=${outcome};times=${times}`);
    if (!parsed.success) {
      if (!isWritten) return { problems: { times: t("scenarioTimesProblem") }, given };
      const details = parsed.error.issues.map(({ message }) => message).join("; ");
      return { problems: { scenario: t("scenarioUnfit", { details }) }, given };
    }
    const target = kind === "card" ? { cardId: id } : kind === "customer" ? { customerId: id } : { merchantId: id };
    await inTransaction(ctx, (inside) => addScenario(inside, { target, scenario: parsed.data }));
    return redirect(`${PAGE}?done=scenario`);
  });
}

export async function removeScenarioAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sandbox.control", async (sender) => {
    const { ctx } = onSandbox(sender);
    await inTransaction(ctx, (inside) => removeScenario(inside, textOf(form, "id")));
    return redirect(`${PAGE}?done=removed`);
  });
}
