import Image from "next/image";
import { getTranslations } from "next-intl/server";
import { passwordWords } from "@/app/(auth)/password-words";
import {
  beginTotpAction,
  changePasswordAction,
  confirmTotpAction,
  removeTotpAction,
  renewCodesAction,
} from "@/app/(dashboard)/dashboard/settings/security/actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { CopyButton } from "@/components/ui/copy-button";
import type { Enrolment } from "@/lib/sign-in/totp";

const PAGE = "/dashboard/settings/security";
const QR_PIXELS = 192;
const SECRET_GROUP = /.{1,4}/g;

interface SecurityDialogProps {
  doing: string | undefined;
  /** The app that is being added. */
  enrolment: Enrolment | undefined;
  hasApp: boolean;
  /** The app or a passkey: then there are recovery codes. */
  hasFactor: boolean;
}

/** The form that the address asks for. */
export async function SecurityDialog({ doing, enrolment, hasApp, hasFactor }: SecurityDialogProps) {
  const t = await getTranslations("security");
  const proof = [
    { name: "password", label: t("password"), kind: "current", isRequired: true },
    { name: "code", label: t("code"), hint: t("codeHint"), kind: "code", isRequired: true },
  ] as const;
  if (doing === "password") {
    const words = await passwordWords();
    return (
      <ActionDialog title={t("passwordTitle")} text={t("passwordText")} closeHref={PAGE}>
        <TaskForm
          onAct={changePasswordAction}
          closeHref={PAGE}
          texts={await taskTexts(t("passwordButton"))}
          fields={[
            { name: "current", label: t("currentPassword"), kind: "current", isRequired: true },
            { name: "next", label: t("newPassword"), hint: words.hint, kind: "secret", isRequired: true },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "begin-app" && hasFactor && !hasApp) {
    return (
      <ActionDialog title={t("addTitle")} text={t("beginText")} closeHref={PAGE}>
        <TaskForm
          onAct={beginTotpAction}
          closeHref={PAGE}
          texts={await taskTexts(t("beginButton"))}
          fields={[{ name: "password", label: t("password"), kind: "current", isRequired: true }]}
        />
      </ActionDialog>
    );
  }
  // The form stays while it shows the recovery codes: by then the app has been added.
  if (doing === "add-app" && (enrolment || hasApp)) {
    return (
      <ActionDialog title={t("addTitle")} text={t("addText")} closeHref={PAGE}>
        <TaskForm
          onAct={confirmTotpAction}
          closeHref={PAGE}
          texts={await taskTexts(t("addButton"))}
          fields={[{ name: "code", label: t("code"), hint: t("firstCodeHint"), kind: "code", isRequired: true }]}
        >
          {enrolment ? (
            <div className="grid justify-items-center gap-3">
              <Image
                src={enrolment.qr}
                alt={t("qr")}
                width={QR_PIXELS}
                height={QR_PIXELS}
                unoptimized
                className="rounded-md border border-line bg-white"
              />
              <div className="w-full">
                <p className="text-ink-2 text-sm">{t("byHand")}</p>
                <div className="mt-1 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
                  <code className="min-w-0 flex-1 break-words font-mono text-ink text-sm">
                    {enrolment.secret.match(SECRET_GROUP)?.join(" ")}
                  </code>
                  <CopyButton text={enrolment.secret} label={t("copySecret")} />
                </div>
              </div>
            </div>
          ) : null}
        </TaskForm>
      </ActionDialog>
    );
  }
  if (doing === "remove-app" && hasApp) {
    return (
      <ActionDialog title={t("removeTitle")} text={t("removeText")} closeHref={PAGE}>
        <TaskForm
          isDangerous
          onAct={removeTotpAction}
          closeHref={PAGE}
          texts={await taskTexts(t("removeButton"))}
          fields={proof}
        />
      </ActionDialog>
    );
  }
  if (doing === "new-codes" && hasFactor) {
    return (
      <ActionDialog title={t("renewTitle")} text={t("renewText")} closeHref={PAGE}>
        <TaskForm onAct={renewCodesAction} closeHref={PAGE} texts={await taskTexts(t("renewButton"))} fields={proof} />
      </ActionDialog>
    );
  }
  return null;
}
