import { getTranslations } from "next-intl/server";
import {
  allowKeyAction,
  createPublicKeyAction,
  createSecretKeyAction,
  revokePublicKeyAction,
  revokeSecretKeyAction,
  rotateSecretKeysAction,
} from "@/app/(dashboard)/dashboard/developers/keys/actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { KEY_SCOPES } from "@/lib/public-keys/schema";
import { DAY_SECONDS } from "@/lib/time";

const PAGE = "/dashboard/developers/keys";
const LIVES = [
  { days: 0, wording: "lifeForever" },
  { days: 1, wording: "lifeDay" },
  { days: 30, wording: "lifeMonth" },
  { days: 365, wording: "lifeYear" },
] as const;

interface KeyDialogProps {
  doing: string | undefined;
  id: string;
  hint: string;
  /** From where the key is taken now. */
  allowed: readonly string[];
}

/** The confirmation that the address asks for. */
export async function KeyDialog({ doing, id, hint, allowed }: KeyDialogProps) {
  const t = await getTranslations("keys");
  switch (doing) {
    case "create":
      return (
        <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={PAGE}>
          <TaskForm onAct={createSecretKeyAction} closeHref={PAGE} texts={await taskTexts(t("createButton"))} />
        </ActionDialog>
      );
    case "rotate":
      return (
        <ActionDialog title={t("rotateTitle")} text={t("rotateText")} closeHref={PAGE}>
          <TaskForm onAct={rotateSecretKeysAction} closeHref={PAGE} texts={await taskTexts(t("rotateButton"))} />
        </ActionDialog>
      );
    case "revoke":
      return (
        <ActionDialog title={t("revokeTitle")} text={t("revokeText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            isDangerous
            onAct={revokeSecretKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("revokeButton"))}
          />
        </ActionDialog>
      );
    case "addresses":
      if (hint === "") return null;
      return (
        <ActionDialog title={t("addressesTitle")} text={t("addressesText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            onAct={allowKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("addressesButton"))}
            fields={[
              {
                name: "addresses",
                label: t("addresses"),
                hint: t("addressesHint"),
                kind: "long",
                initial: allowed.join("\n"),
              },
            ]}
          />
        </ActionDialog>
      );
    case "create-public":
      return (
        <ActionDialog title={t("createPublicTitle")} text={t("createPublicText")} closeHref={PAGE}>
          <TaskForm
            onAct={createPublicKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createPublicButton"))}
            fields={[
              {
                name: "scope",
                label: t("scopes"),
                kind: "choices",
                initial: "tokens",
                options: KEY_SCOPES.filter((scope) => scope !== "*").map((scope) => ({ value: scope, label: scope })),
              },
              {
                name: "expires",
                label: t("life"),
                kind: "choice",
                initial: "0",
                options: LIVES.map(({ days, wording }) => ({ value: String(days * DAY_SECONDS), label: t(wording) })),
              },
            ]}
          />
        </ActionDialog>
      );
    case "revoke-public":
      return (
        <ActionDialog title={t("revokePublicTitle")} text={t("revokePublicText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            isDangerous
            onAct={revokePublicKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("revokeButton"))}
          />
        </ActionDialog>
      );
    default:
      return null;
  }
}
