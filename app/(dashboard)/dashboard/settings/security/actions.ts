"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { passwordWords } from "@/app/(auth)/password-words";
import { rawOf, redrawFrame, shownOnce } from "@/app/(dashboard)/dashboard/settings/security/typed";
import { runAccessTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { isUuid } from "@/lib/ids";
import { revokeOtherSessions, revokeOwnSession } from "@/lib/operators/sessions";
import { changePassword } from "@/lib/sign-in/password-reset";
import { auditPerson } from "@/lib/sign-in/person-audit";
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes } from "@/lib/sign-in/totp";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/security";

export async function changePasswordAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const t = await getTranslations("security");
    const typed = { current: rawOf(form, "current"), next: rawOf(form, "next") };
    const outcome = await changePassword(systemDb(), doer, typed, realNow());
    if (outcome.kind === "locked") return { problem: t("locked") };
    if (outcome.kind === "wrong") return { problems: { current: t("passwordWrong") } };
    if (outcome.kind === "unfit") return { problems: { next: (await passwordWords()).problem(outcome.problem) } };
    return redirect(`${PAGE}?done=password`);
  });
}

export async function beginTotpAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ operator, doer }): Promise<TaskState> => {
    const outcome = await beginTotp(systemDb(), operator, realNow(), { doer, password: rawOf(form, "password") });
    if (outcome === "begun") return redirect(`${PAGE}?do=add-app`);
    if (outcome === "password_needed") return redirect(`${PAGE}?do=begin-app`);
    const t = await getTranslations("security");
    return outcome === "locked" ? { problem: t("locked") } : { problems: { password: t("passwordWrong") } };
  });
}

export async function confirmTotpAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const codes = await confirmTotp(systemDb(), doer, textOf(form, "code"), realNow());
    if (codes === "wrong") return { problems: { code: (await getTranslations("security"))("codeWrong") } };
    return shownOnce(codes);
  });
}

const proofIn = (form: FormData) => ({ password: rawOf(form, "password"), code: textOf(form, "code") });

export async function removeTotpAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const outcome = await removeTotp(systemDb(), doer, proofIn(form), realNow());
    if (outcome === "done") {
      redrawFrame();
      return redirect(`${PAGE}?done=app-removed`);
    }
    return { problem: (await getTranslations("security"))(outcome === "locked" ? "locked" : "proofWrong") };
  });
}

export async function renewCodesAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const codes = await renewRecoveryCodes(systemDb(), doer, proofIn(form), realNow());
    if (typeof codes !== "string") return shownOnce(codes);
    return { problem: (await getTranslations("security"))(codes === "locked" ? "locked" : "proofWrong") };
  });
}

export async function endSessionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const isEnded = isUuid(id) && (await revokeOwnSession(systemDb(), doer.operatorId, id, realNow()));
    if (isEnded) await auditPerson(systemDb(), doer, { action: "operator.end-session", after: { session: id } });
    return redirect(`${PAGE}?done=session`);
  });
}

export async function endOtherSessionsAction(): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const ended = await revokeOtherSessions(systemDb(), doer.operatorId, doer.sessionId, realNow());
    await auditPerson(systemDb(), doer, { action: "operator.end-sessions", after: { ended } });
    return redirect(`${PAGE}?done=sessions`);
  });
}
