"use server";

import { redirect } from "next/navigation";
import { getTimeZone, getTranslations } from "next-intl/server";
import { chosenIds, deliverySearch } from "@/app/(dashboard)/dashboard/developers/webhooks/deliveries/filters";
import { hostOf } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { audit } from "@/lib/audit";
import { inTransaction, now } from "@/lib/context";
import { sendSample } from "@/lib/event-catalogue/sample";
import { instantOnWall } from "@/lib/i18n/time-zones";
import { resendMatching } from "@/lib/webhooks/bulk";
import { replay, resendDelivery } from "@/lib/webhooks/resend";
import { newWebhook, webhookChange } from "@/lib/webhooks/schema";
import {
  createWebhook,
  deleteWebhook,
  discardBacklog,
  reopenWithLatest,
  rotateKey,
  updateWebhook,
  webhookAt,
} from "@/lib/webhooks/service";

const PAGE = "/dashboard/developers/webhooks";

const given = (form: FormData) => ({ endpoint: textOf(form, "endpoint"), event: textOf(form, "event") });

async function unfit(form: FormData): Promise<TaskState> {
  const t = await getTranslations("webhooks");
  return { problems: { endpoint: t("unfit") }, given: given(form) };
}

export async function createWebhookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const parsed = newWebhook.safeParse({ endpoint: textOf(form, "endpoint"), event: textOf(form, "event") });
    if (!parsed.success) return unfit(form);
    const { id } = await inTransaction(ctx, (inside) => createWebhook(inside, parsed.data));
    return redirect(`${PAGE}/${id}?done=created`);
  });
}

export async function changeWebhookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const parsed = webhookChange.safeParse({ endpoint: textOf(form, "endpoint"), event: textOf(form, "event") });
    if (!parsed.success) return unfit(form);
    await inTransaction(ctx, (inside) => updateWebhook(inside, id, parsed.data));
    return redirect(`${PAGE}/${id}?done=saved`);
  });
}

const UNCHANGED = { event: undefined, endpoint: undefined, version: undefined };

export async function turnWebhookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await inTransaction(ctx, (inside) =>
      textOf(form, "how") === "latest"
        ? reopenWithLatest(inside, id)
        : updateWebhook(inside, id, { ...UNCHANGED, status: textOf(form, "how") === "on" }),
    );
    return redirect(`${PAGE}/${id}?done=saved`);
  });
}

export async function rotateWebhookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await inTransaction(ctx, (inside) => rotateKey(inside, id));
    return redirect(`${PAGE}/${id}?done=rotated`);
  });
}

export async function deleteWebhookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    await inTransaction(ctx, (inside) => deleteWebhook(inside, textOf(form, "id")));
    return redirect(`${PAGE}?done=deleted`);
  });
}

export async function replayAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const zone = await getTimeZone();
    const [since, until] = [instantOnWall(zone, textOf(form, "since")), instantOnWall(zone, textOf(form, "until"))];
    if (!since || !until || since >= until) {
      const t = await getTranslations("webhooks");
      return {
        problems: { [since ? "until" : "since"]: t("rangeProblem") },
        given: { since: textOf(form, "since"), until: textOf(form, "until"), event: textOf(form, "event") },
      };
    }
    const count = await inTransaction(ctx, async (inside) => {
      const sent = await replay(inside, id, { since, until, event: textOf(form, "event") || undefined });
      await audit(inside, { action: "webhook.replay", object: "webhook", objectId: id, after: { sent } });
      return sent;
    });
    return redirect(`${PAGE}/${id}?done=replayed&count=${count}`);
  });
}

export async function resendAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.resend", async ({ ctx }) => {
    const id = textOf(form, "id");
    const again = await inTransaction(ctx, async (inside) => {
      const delivery = await resendDelivery(inside, textOf(form, "webhook"), id);
      await audit(inside, { action: "webhook.resend", object: "webhook_delivery", objectId: id });
      return delivery.row.id;
    });
    const back = textOf(form, "back");
    return redirect(
      back.startsWith("/dashboard/payments/") ? `${back}?done=resent` : `${PAGE}/deliveries/${again}?done=resent`,
    );
  });
}

/** Never more than what was shown: filters, moment and count travel with the confirmation. */
export async function resendMatchingAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.resend", async ({ ctx }) => {
    const query = new URLSearchParams(textOf(form, "query"));
    const [shown, until] = [Number(textOf(form, "shown")), new Date(textOf(form, "until"))];
    const ids = chosenIds({ ids: textOf(form, "ids").split(",") });
    if (!Number.isInteger(shown) || Number.isNaN(until.getTime())) {
      return { problem: (await getTranslations("webhooks"))("resendUnfit") };
    }
    const count = await inTransaction(ctx, (inside) => {
      const search = deliverySearch(Object.fromEntries(query), now(inside));
      return resendMatching(inside, { ...search, until, ...(ids.length > 0 ? { ids } : {}) }, shown);
    });
    query.set("done", "resent");
    query.set("count", String(count));
    return redirect(`${PAGE}/deliveries?${query}`);
  });
}

export async function discardAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const typed = textOf(form, "typed");
    const count = await inTransaction(ctx, async (inside) => {
      const { endpoint } = await webhookAt(inside, id);
      return typed === hostOf(endpoint) ? discardBacklog(inside, id) : undefined;
    });
    if (count === undefined) {
      return { problems: { typed: (await getTranslations("webhooks"))("typedProblem") }, given: { typed } };
    }
    return redirect(`${PAGE}/${id}?done=discarded&count=${count}`);
  });
}

export async function sampleAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("webhooks.edit", async ({ ctx }) => {
    const id = await inTransaction(ctx, (inside) => sendSample(inside, textOf(form, "webhook"), textOf(form, "event")));
    return redirect(`${PAGE}/deliveries/${id}?done=resent`);
  });
}
