"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { passwordWords } from "@/app/(auth)/password-words";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { resetPassword } from "@/lib/sign-in/password-reset";
import { realNow } from "@/lib/time";

export async function resetAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("access");
  const given = await headers();
  if (!isSameOrigin(given)) return { problem: t("refused") };
  const [token, password] = [String(form.get("token") ?? ""), String(form.get("password") ?? "")];
  const outcome = await resetPassword(systemDb(), token, password, addressOf(given), realNow());
  if (outcome.kind === "closed") return { problem: t("resetClosedText") };
  if (outcome.kind === "unfit") return { problems: { password: (await passwordWords()).problem(outcome.problem) } };
  return redirect("/sign-in?reset=1");
}
