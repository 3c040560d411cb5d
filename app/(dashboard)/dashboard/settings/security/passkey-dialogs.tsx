import { getTranslations } from "next-intl/server";
import {
  addPasskeyAction,
  removePasskeyAction,
  renamePasskeyAction,
} from "@/app/(dashboard)/dashboard/settings/security/passkey-actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { AddPasskey } from "@/components/settings/add-passkey";
import { TaskForm } from "@/components/tasks/task-form";
import type { Passkey } from "@/lib/sign-in/passkeys";

const PAGE = "/dashboard/settings/security";

export async function PasskeyDialog({ doing, passkey }: { doing: string | undefined; passkey: Passkey | undefined }) {
  const t = await getTranslations("security");
  if (doing === "add-passkey") {
    return (
      <ActionDialog title={t("passkeyAddTitle")} text={t("passkeyAddText")} closeHref={PAGE}>
        <AddPasskey
          onAct={addPasskeyAction}
          closeHref={PAGE}
          texts={{
            ...(await taskTexts(t("passkeyAddButton"))),
            name: t("passkeyName"),
            nameHint: t("passkeyNameHint"),
            password: t("password"),
            failed: t("passkeyFailed"),
          }}
        />
      </ActionDialog>
    );
  }
  if (doing === "name-passkey" && passkey) {
    return (
      <ActionDialog title={t("passkeyRenameTitle")} text={t("passkeyNameHint")} closeHref={PAGE}>
        <TaskForm
          hidden={{ id: passkey.id }}
          onAct={renamePasskeyAction}
          closeHref={PAGE}
          texts={await taskTexts(t("passkeyRenameButton"))}
          fields={[{ name: "name", label: t("passkeyName"), initial: passkey.name, isRequired: true }]}
        />
      </ActionDialog>
    );
  }
  if (doing === "remove-passkey" && passkey) {
    return (
      <ActionDialog
        title={t("passkeyRemoveTitle", { name: passkey.name })}
        text={t("passkeyRemoveText")}
        closeHref={PAGE}
      >
        <TaskForm
          hidden={{ id: passkey.id }}
          isDangerous
          onAct={removePasskeyAction}
          closeHref={PAGE}
          texts={await taskTexts(t("passkeyRemoveButton"))}
          fields={[
            { name: "password", label: t("password"), kind: "current", isRequired: true },
            { name: "code", label: t("code"), hint: t("codeHint"), kind: "code", isRequired: true },
          ]}
        />
      </ActionDialog>
    );
  }
  return null;
}
