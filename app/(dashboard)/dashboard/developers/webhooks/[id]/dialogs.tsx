import { getTimeZone, getTranslations } from "next-intl/server";
import {
  changeWebhookAction,
  deleteWebhookAction,
  discardAction,
  replayAction,
  rotateWebhookAction,
  turnWebhookAction,
} from "@/app/(dashboard)/dashboard/developers/webhooks/actions";
import { endpointHint, hostOf } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { Account } from "@/lib/context";
import { EVENT_GROUPS, EVENT_NAMES } from "@/lib/event-names";
import { wallIn } from "@/lib/i18n/time-zones";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import type { WebhookRow } from "@/lib/webhooks/queries";

const MINUTE_SECONDS = 60;

interface WebhookDialogProps {
  doing: string | undefined;
  webhook: WebhookRow;
  /** How many events wait for it. */
  waiting: number;
  /** On the account's clock. */
  now: Date;
  path: string;
  account: Account;
}

/** The form or confirmation that the address asks for. */
export async function WebhookDialog({ doing, webhook, waiting, now, path, account }: WebhookDialogProps) {
  const t = await getTranslations("webhooks");
  const hidden = { id: webhook.id };
  switch (doing) {
    case "edit":
      return (
        <ActionDialog title={t("editTitle")} text={t("editText")} closeHref={path}>
          <TaskForm
            hidden={hidden}
            onAct={changeWebhookAction}
            closeHref={path}
            texts={await taskTexts(t("save"))}
            fields={[
              {
                name: "endpoint",
                label: t("endpoint"),
                hint: await endpointHint(account),
                initial: webhook.endpoint,
                isRequired: true,
              },
              {
                name: "event",
                label: t("event"),
                kind: "choice",
                initial: webhook.event,
                options: [
                  { value: "*", label: t("allEvents") },
                  ...[...EVENT_GROUPS, ...EVENT_NAMES].map((name) => ({ value: name, label: name })),
                ],
              },
            ]}
          />
        </ActionDialog>
      );
    case "off":
      return (
        <ActionDialog title={t("offTitle")} text={t("offText")} closeHref={path}>
          <TaskForm
            hidden={{ ...hidden, how: "off" }}
            isDangerous
            onAct={turnWebhookAction}
            closeHref={path}
            texts={await taskTexts(t("turnOff"))}
          />
        </ActionDialog>
      );
    case "on": {
      const isHeld = webhook.disabledReason === "delivery_failures";
      return (
        <ActionDialog title={t("onTitle")} text={t("onText")} closeHref={path}>
          <TaskForm
            hidden={isHeld ? hidden : { ...hidden, how: "on" }}
            onAct={turnWebhookAction}
            closeHref={path}
            texts={await taskTexts(t("turnOn"))}
            fields={
              isHeld
                ? [
                    {
                      name: "how",
                      label: t("onHeld"),
                      kind: "choice",
                      initial: "on",
                      options: [
                        { value: "on", label: t("onAll") },
                        { value: "latest", label: t("onLatest") },
                      ],
                    },
                  ]
                : []
            }
          />
        </ActionDialog>
      );
    }
    case "rotate":
      return (
        <ActionDialog title={t("rotateTitle")} text={t("rotateText")} closeHref={path}>
          <TaskForm hidden={hidden} onAct={rotateWebhookAction} closeHref={path} texts={await taskTexts(t("rotate"))} />
        </ActionDialog>
      );
    case "replay": {
      const zone = await getTimeZone();
      return (
        <ActionDialog title={t("replayTitle")} text={t("replayText")} closeHref={path}>
          <TaskForm
            hidden={hidden}
            onAct={replayAction}
            closeHref={path}
            texts={await taskTexts(t("replayButton"))}
            fields={[
              {
                name: "since",
                label: t("since"),
                hint: t("zone"),
                kind: "moment",
                initial: wallIn(zone, addSeconds(now, -DAY_SECONDS)),
                isRequired: true,
              },
              {
                name: "until",
                label: t("until"),
                kind: "moment",
                // What happened in this minute is in it.
                initial: wallIn(zone, addSeconds(now, MINUTE_SECONDS)),
                isRequired: true,
              },
              {
                name: "event",
                label: t("event"),
                kind: "choice",
                initial: "",
                options: [
                  { value: "", label: t("allItTakes") },
                  ...EVENT_NAMES.map((name) => ({ value: name, label: name })),
                ],
              },
            ]}
          />
        </ActionDialog>
      );
    }
    case "discard":
      return (
        <ActionDialog
          title={t("discardTitle")}
          text={t("discardText", { count: waiting, endpoint: webhook.endpoint })}
          closeHref={path}
        >
          <TaskForm
            hidden={hidden}
            isDangerous
            onAct={discardAction}
            closeHref={path}
            texts={await taskTexts(t("discardButton"))}
            fields={[{ name: "typed", label: t("typeHost", { host: hostOf(webhook.endpoint) }), isRequired: true }]}
          />
        </ActionDialog>
      );
    case "delete":
      return (
        <ActionDialog title={t("deleteTitle")} text={t("deleteText", { endpoint: webhook.endpoint })} closeHref={path}>
          <TaskForm
            hidden={hidden}
            isDangerous
            onAct={deleteWebhookAction}
            closeHref={path}
            texts={await taskTexts(t("deleteButton"))}
          />
        </ActionDialog>
      );
    default:
      return null;
  }
}
