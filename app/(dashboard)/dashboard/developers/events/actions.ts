"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { audit } from "@/lib/audit";
import { inTransaction, now } from "@/lib/context";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import { inboxEvent } from "@/lib/webhooks/inbox";
import { replay } from "@/lib/webhooks/resend";
import { LONGEST_REPLAY_DAYS } from "@/lib/webhooks/schema";

/** That event and everything after it, once more, to one webhook or to who listens. */
export async function replayFromAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx, role }): Promise<TaskState> => {
    const webhookId = textOf(form, "webhook");
    const { createdAt: since } = await inboxEvent(ctx, role, textOf(form, "id"));
    if (since < addSeconds(now(ctx), -LONGEST_REPLAY_DAYS * DAY_SECONDS)) {
      const t = await getTranslations("events");
      return { problem: t("tooOld", { days: LONGEST_REPLAY_DAYS }) };
    }
    const count = await inTransaction(ctx, async (inside) => {
      const sent = await replay(inside, webhookId, { since, until: addSeconds(now(inside), 1), event: undefined });
      await audit(inside, { action: "webhook.replay", object: "webhook", objectId: webhookId, after: { sent } });
      return sent;
    });
    return redirect(`/dashboard/developers/webhooks/${webhookId}?done=replayed&count=${count}`);
  });
}
