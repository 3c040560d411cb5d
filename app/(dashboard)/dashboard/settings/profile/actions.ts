"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runOwnTask, textOf } from "@/app/(dashboard)/task";
import { chooseLocale, chooseTimeZone } from "@/app/preferences";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { isLocale } from "@/lib/i18n/locales";
import { TIME_ZONES, timeZoneOf } from "@/lib/i18n/time-zones";
import { changeProfile } from "@/lib/sign-in/profile";
import { realNow } from "@/lib/time";

const LONGEST_NAME = 120;

export async function changeProfileAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runOwnTask(async ({ doer, account }): Promise<TaskState> => {
    const t = await getTranslations("profile");
    const [name, language, zone] = [textOf(form, "name"), textOf(form, "language"), textOf(form, "timeZone")];
    if (name === "" || name.length > LONGEST_NAME) {
      return { problems: { name: t("nameUnfit") }, given: { name, language, timeZone: zone } };
    }
    const locale = isLocale(language) ? language : null;
    const timeZone = TIME_ZONES.find((each) => each === zone) ?? null;
    await changeProfile(systemDb(), doer, { name, locale, timeZone }, realNow());
    if (locale) await chooseLocale(locale);
    await chooseTimeZone(timeZone ?? timeZoneOf(account?.timeZone));
    return redirect("/dashboard/settings/profile?done=saved");
  });
}
