"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { reasonWords } from "@/app/(dashboard)/dashboard/settings/account/words";
import { rawOf } from "@/app/(dashboard)/dashboard/settings/security/typed";
import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { chooseTimeZone } from "@/app/preferences";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { closeAccount, REOPEN_DAYS, reopenAccount } from "@/lib/accounts/closure";
import { recordExport } from "@/lib/accounts/export";
import { exportPass } from "@/lib/accounts/export-pass";
import { ACCOUNT_NAME_MAX_CHARS, accountSettings, changeAccount } from "@/lib/accounts/settings";
import { TIME_ZONES, timeZoneOf } from "@/lib/i18n/time-zones";
import { profileOf } from "@/lib/sign-in/profile";
import { reauthenticate } from "@/lib/sign-in/reauthentication";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/account";

/** The frame around the pages names the account and says that it is closed; by itself it would stay as it is. */
function backWith(done: string): never {
  revalidatePath("/dashboard", "layout");
  return redirect(`${PAGE}?done=${done}`);
}

const personIn = ({ ctx }: OnAccount): string => (ctx.principal.kind === "operator" ? ctx.principal.operatorId : "");

export async function changeAccountAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async (sender): Promise<TaskState> => {
    const [name, zone] = [textOf(form, "name"), textOf(form, "timeZone")];
    if (name === "" || name.length > ACCOUNT_NAME_MAX_CHARS) {
      const t = await getTranslations("account");
      return { problems: { name: t("nameUnfit", { most: ACCOUNT_NAME_MAX_CHARS }) }, given: { name, timeZone: zone } };
    }
    const timeZone = TIME_ZONES.find((each) => each === zone) ?? null;
    await changeAccount(sender.ctx, { name, timeZone });
    const own = await profileOf(systemDb(), personIn(sender));
    if (own?.timeZone === null) await chooseTimeZone(timeZoneOf(timeZone));
    return backWith("saved");
  });
}

/** What the person signs in with, once more; the answer says what did not fit, or nothing. */
async function provenBy(sender: OnAccount, form: FormData): Promise<TaskState | undefined> {
  const doer = { operatorId: personIn(sender), address: sender.ctx.ip ?? null };
  const typed = { password: rawOf(form, "password"), code: textOf(form, "code") };
  const outcome = await reauthenticate(systemDb(), doer, typed, realNow());
  if (outcome === "right") return undefined;
  return { problem: (await getTranslations("security"))(outcome === "locked" ? "locked" : "proofWrong") };
}

export async function exportAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async (sender): Promise<TaskState> => {
    const refused = await provenBy(sender, form);
    if (refused) return refused;
    await recordExport(sender.ctx);
    const pass = exportPass(sender.ctx, realNow());
    return redirect(`${PAGE}?${new URLSearchParams({ do: "take", pass })}`);
  });
}

export async function closeAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async (sender): Promise<TaskState> => {
    const t = await getTranslations("account");
    const name = textOf(form, "name");
    if (name !== (await accountSettings(sender.ctx)).name) {
      return { problems: { name: t("closeNameWrong") }, given: { name } };
    }
    const refused = await provenBy(sender, form);
    if (refused) return { ...refused, given: { name } };
    const outcome = await closeAccount(sender.ctx);
    if (outcome.kind !== "refused") return backWith(outcome.kind);
    const words = await reasonWords();
    const reasons = outcome.reasons.map(({ kind, count }) => words(kind, count)).join(" ");
    return { problem: t("closeRefused", { reasons }), given: { name } };
  });
}

export async function reopenAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async (sender): Promise<TaskState> => {
    const refused = await provenBy(sender, form);
    if (refused) return refused;
    if ((await reopenAccount(sender.ctx)) === "open") return backWith("reopened");
    return { problem: (await getTranslations("account"))("reopenTooLate", { days: REOPEN_DAYS }) };
  });
}
