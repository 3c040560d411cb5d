"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { getLocale, getTranslations } from "next-intl/server";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { mayAskForReset } from "@/lib/http/rate-limit";
import { requestPasswordReset } from "@/lib/sign-in/password-reset";
import { realNow } from "@/lib/time";

const EMAIL_MAX_CHARS = 254;
const LIKELY_EMAIL = /^\s*[^\s@]+@[^\s@]+\s*$/;

/** Answered before anything is looked up: neither the words nor the time tell who exists. */
export async function forgotAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("access");
  const given = await headers();
  if (!isSameOrigin(given)) return { problem: t("refused") };
  const email = String(form.get("email") ?? "").slice(0, EMAIL_MAX_CHARS);
  if (!LIKELY_EMAIL.test(email)) return { problems: { email: t("emailInvalid") }, given: { email } };
  const locale = await getLocale();
  const address = addressOf(given) ?? "unknown";
  after(async () => {
    if (await mayAskForReset(address)) await requestPasswordReset(systemDb(), email, locale, realNow());
  });
  return redirect("/forgot?sent=1");
}
