"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { rawOf, redrawFrame, shownOnce } from "@/app/(dashboard)/dashboard/settings/security/typed";
import { runAccessTask, textOf } from "@/app/(dashboard)/task";
import type { PasskeyState } from "@/components/settings/add-passkey";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { isUuid } from "@/lib/ids";
import { addPasskey, beginPasskey, PASSKEY_NAME_MAX_CHARS, removePasskey, renamePasskey } from "@/lib/sign-in/passkeys";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/security";

const isName = (name: string): boolean => name !== "" && name.length <= PASSKEY_NAME_MAX_CHARS;

/** First the password, for which the browser is told what to make; then what it made. */
export async function addPasskeyAction(_before: PasskeyState, form: FormData): Promise<PasskeyState> {
  return runAccessTask(async ({ operator, doer }): Promise<PasskeyState> => {
    const t = await getTranslations("security");
    const name = textOf(form, "name");
    const answer = textOf(form, "answer");
    if (!isName(name)) return { problems: { name: t("passkeyNameUnfit") }, given: { name } };
    if (answer === "") {
      const asked = await beginPasskey(systemDb(), doer, operator, rawOf(form, "password"), realNow());
      if (asked === "locked") return { problem: t("locked"), given: { name } };
      if (asked === "wrong") return { problems: { password: t("passwordWrong") }, given: { name } };
      if (asked === "too_many") return { problem: t("passkeysTooMany"), given: { name } };
      return { asked, given: { name } };
    }
    const added = await addPasskey(systemDb(), doer, { answer, name }, realNow());
    if (added === "refused") return { problem: t("passkeyRefused"), given: { name } };
    if (added.codes) return shownOnce(added.codes);
    redrawFrame();
    return redirect(`${PAGE}?done=passkey`);
  });
}

export async function renamePasskeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const [id, name] = [textOf(form, "id"), textOf(form, "name")];
    if (!isName(name)) {
      const t = await getTranslations("security");
      return { problems: { name: t("passkeyNameUnfit") }, given: { name } };
    }
    if (isUuid(id)) await renamePasskey(systemDb(), doer, id, name);
    return redirect(`${PAGE}?done=passkey-named`);
  });
}

export async function removePasskeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runAccessTask(async ({ doer }): Promise<TaskState> => {
    const t = await getTranslations("security");
    const id = textOf(form, "id");
    const proof = { password: rawOf(form, "password"), code: textOf(form, "code") };
    const outcome = isUuid(id) ? await removePasskey(systemDb(), doer, id, proof, realNow()) : "wrong";
    if (outcome === "done") {
      redrawFrame();
      return redirect(`${PAGE}?done=passkey-removed`);
    }
    return { problem: t(outcome === "locked" ? "locked" : "proofWrong") };
  });
}
