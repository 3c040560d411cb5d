import { getTranslations } from "next-intl/server";
import {
  answerRequestAction,
  cancelLinkAction,
  pauseCardsAction,
  turnLinkAction,
} from "@/app/(dashboard)/dashboard/links/actions";
import { PAUSES } from "@/app/(dashboard)/dashboard/links/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { AskedLink } from "@/lib/checkout/new-link";

interface LinkDialogProps {
  doing: string | undefined;
  id: string;
  name: string;
  path: string;
  isClosable: boolean;
  isOpen: boolean;
  asked: AskedLink | undefined;
}

/** The form or confirmation that the address asks for. */
export async function LinkDialog({ doing, id, name, path, isClosable, isOpen, asked }: LinkDialogProps) {
  const t = await getTranslations("links");
  if (doing === "cancel" && isClosable) {
    return (
      <ActionDialog title={t("cancelTitle")} text={t("cancelText", { name })} closeHref={path}>
        <TaskForm
          hidden={{ id }}
          isDangerous
          onAct={cancelLinkAction}
          closeHref={path}
          texts={await taskTexts(t("cancelButton"))}
        />
      </ActionDialog>
    );
  }
  if (doing === "off" && isOpen) {
    return (
      <ActionDialog title={t("offTitle")} text={t("offText", { name })} closeHref={path}>
        <TaskForm
          hidden={{ id, how: "off" }}
          onAct={turnLinkAction}
          closeHref={path}
          texts={await taskTexts(t("turnOff"))}
        />
      </ActionDialog>
    );
  }
  if (doing === "pause") {
    return (
      <ActionDialog title={t("pauseTitle")} text={t("pauseText")} closeHref={path}>
        <TaskForm
          hidden={{ id }}
          onAct={pauseCardsAction}
          closeHref={path}
          texts={await taskTexts(t("pauseButton"))}
          fields={[
            {
              name: "hours",
              label: t("pauseFor"),
              kind: "choice",
              initial: "24",
              options: PAUSES.map(({ hours, wording }) => ({ value: String(hours), label: t(wording) })),
            },
            { name: "reason", label: t("reason"), hint: t("reasonHint"), isRequired: true },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "answer" && asked?.email && !asked.answeredWith) {
    return (
      <ActionDialog title={t("answerTitle")} text={t("answerText", { email: asked.email })} closeHref={path}>
        <TaskForm
          hidden={{ id, request: asked.id }}
          onAct={answerRequestAction}
          closeHref={path}
          texts={await taskTexts(t("answerButton"))}
          fields={[{ name: "message", label: t("answerMessage"), hint: t("answerHint"), kind: "long" }]}
        />
      </ActionDialog>
    );
  }
  return null;
}
