"use server";

import { redirect } from "next/navigation";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { now } from "@/lib/context";
import { cancelReplay, MOST_REPLAY_DAYS, requestReplay } from "@/lib/flows/replays/service";
import { reaching } from "@/lib/operators/reach";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export async function requestReplayAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const days = Math.min(MOST_REPLAY_DAYS, Math.max(1, Math.trunc(Number(textOf(form, "days"))) || MOST_REPLAY_DAYS));
    // What was paid a moment ago is in it.
    const until = addSeconds(now(ctx), 1);
    await requestReplay(await reaching(ctx, "flow", id), id, { since: addSeconds(until, -days * DAY_SECONDS), until });
    return redirect(`${LIST}/${id}/replay`);
  });
}

export async function cancelReplayAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await cancelReplay(await reaching(ctx, "flow", id), id, textOf(form, "replay"));
    return redirect(`${LIST}/${id}/replay`);
  });
}
