import { getTranslations } from "next-intl/server";
import {
  moveSubscriptionAction,
  retryCycleAction,
  sendCardLinkAction,
} from "@/app/(dashboard)/dashboard/subscriptions/actions";
import { subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { isOver } from "@/lib/subscriptions/machine";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";

/** Each thing that can be done, with its consequence told before. */
const DIALOGS = {
  pause: { headed: "pauseTitle", told: "pauseText", button: "pause", isDangerous: false },
  resume: { headed: "resumeTitle", told: "resumeText", button: "resume", isDangerous: false },
  cancel: { headed: "cancelTitle", told: "cancelText", button: "cancelButton", isDangerous: true },
  end: { headed: "endTitle", told: "endText", button: "end", isDangerous: true },
  keep: { headed: "keepTitle", told: "keepText", button: "keep", isDangerous: false },
} as const;

/** What the page offers now: an address that is gone back to may name what was done meanwhile. */
const OFFERED: Readonly<Record<keyof typeof DIALOGS, (row: SubscriptionOverview["row"]) => boolean>> = {
  pause: ({ status }) => status === "active",
  resume: ({ status }) => status === "paused" || status === "unpaid",
  cancel: () => true,
  end: ({ cancelOn, nextDueOn }) => cancelOn === null && nextDueOn !== null,
  keep: ({ cancelOn }) => cancelOn !== null,
};

const OF_MANDATE = { pause: "pauseTextMandate", resume: "resumeTextMandate", cancel: "cancelTextMandate" } as const;

interface SubscriptionDialogsProps {
  overview: SubscriptionOverview;
  path: string;
  given: GivenParameters;
}

export async function SubscriptionDialogs({ overview, path, given }: SubscriptionDialogsProps) {
  const { row, cycles, mandate } = overview;
  const [t, { money, day }] = await Promise.all([getTranslations("subscriptions"), subscriptionWords()]);
  const doing = oneOf(given, "do") ?? "";
  const periodEnd = row.status === "trialing" ? row.trialEndAt : row.nextDueOn;
  if (doing === "retry") {
    const cycle = cycles.find((one) => one.cycle.id === oneOf(given, "cycle"))?.cycle;
    if (!cycle) return null;
    return (
      <ActionDialog
        title={t("retryTitle", { cycle: cycle.cycle })}
        text={t(mandate ? "retryTextMandate" : "retryText", { amount: money(cycle.amount ?? row.amount) })}
        closeHref={path}
      >
        <TaskForm
          hidden={{ id: row.id, cycle: cycle.id }}
          onAct={retryCycleAction}
          closeHref={path}
          texts={await taskTexts(t("retry"))}
        />
      </ActionDialog>
    );
  }
  if (doing === "link" && !mandate && !isOver(row.status)) {
    return (
      <ActionDialog title={t("linkTitle")} text={t("linkText")} closeHref={path}>
        <TaskForm
          hidden={{ id: row.id }}
          onAct={sendCardLinkAction}
          closeHref={path}
          texts={await taskTexts(t("link"))}
        />
      </ActionDialog>
    );
  }
  if (!Object.hasOwn(DIALOGS, doing) || isOver(row.status)) return null;
  // Guarantee: looked up only where the key exists.
  if (!OFFERED[doing as keyof typeof DIALOGS](row)) return null;
  // Guarantee: looked up only where the key exists.
  const { headed, told, button, isDangerous } = DIALOGS[doing as keyof typeof DIALOGS];
  // Guarantee: looked up only where the key exists.
  const ofMandate =
    mandate && Object.hasOwn(OF_MANDATE, doing) ? OF_MANDATE[doing as keyof typeof OF_MANDATE] : undefined;
  const amount = money(row.amount);
  const date = periodEnd ? day(periodEnd) : t("none");
  return (
    <ActionDialog title={t(headed)} text={t(ofMandate ?? told, { amount, date })} closeHref={path}>
      <TaskForm
        hidden={{ id: row.id, what: doing }}
        isDangerous={isDangerous}
        onAct={moveSubscriptionAction}
        closeHref={path}
        texts={await taskTexts(t(button))}
        fields={
          doing === "pause" || doing === "cancel"
            ? [{ name: "why", label: t("reason"), hint: t("reasonHint"), kind: "long" }]
            : []
        }
      />
    </ActionDialog>
  );
}
