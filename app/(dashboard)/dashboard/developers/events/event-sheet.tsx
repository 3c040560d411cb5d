import { getTranslations } from "next-intl/server";
import { replayFromAction } from "@/app/(dashboard)/dashboard/developers/events/actions";
import { placeOf } from "@/app/(dashboard)/dashboard/developers/places";
import { orNotFound } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { type Context, inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { inboxEvent } from "@/lib/webhooks/inbox";
import { listWebhooks } from "@/lib/webhooks/queries";

const MOST_WEBHOOKS = 100;

interface EventSheetProps {
  ctx: Context;
  role: OperatorRole;
  id: string;
  closeHref: string;
}

/** One event: its body, what it is about, where it went, and everything from it on once more. */
export async function EventSheet({ ctx, role, id, closeHref }: EventSheetProps) {
  const event = await orNotFound(inboxEvent(ctx, role, id));
  const t = await getTranslations("events");
  const place = placeOf(event.name, event.entityId);
  const webhooks = may(role, "webhooks.edit")
    ? (
        await inSnapshot(ctx, (inside) => listWebhooks(inside, { page: 1, limit: MOST_WEBHOOKS, order: "desc" }))
      ).items.filter(({ status }) => status)
    : [];
  return (
    <ActionDialog title={event.name} text={event.id} closeHref={closeHref} shape="sheet">
      <div className="grid gap-4 px-5 pt-4">
        <div className="flex flex-wrap gap-2">
          {place ? <LinkButton href={place}>{t("open")}</LinkButton> : null}
          <LinkButton href={`/dashboard/developers/webhooks/deliveries?q=${event.id}`}>{t("deliveries")}</LinkButton>
        </div>
        <CodeBlock title={t("body")} code={JSON.stringify(JSON.parse(event.body), null, 2)} copyLabel={t("copyBody")} />
      </div>
      {webhooks.length > 0 ? (
        <TaskForm
          hidden={{ id: event.id }}
          onAct={replayFromAction}
          closeHref={closeHref}
          texts={await taskTexts(t("replay"))}
          fields={[
            {
              name: "webhook",
              label: t("replayTo"),
              hint: t("replayHint"),
              kind: "choice",
              options: webhooks.map((webhook) => ({ value: webhook.id, label: webhook.endpoint })),
              initial: webhooks[0]?.id,
            },
          ]}
        />
      ) : (
        <p className="px-5 pt-4 pb-5 text-ink-3 text-sm">{t("noWebhooks")}</p>
      )}
    </ActionDialog>
  );
}
