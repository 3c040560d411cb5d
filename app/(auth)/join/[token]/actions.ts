"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { SignInRefused, signIn } from "@/app/(auth)/auth";
import { passwordWords } from "@/app/(auth)/password-words";
import { DASHBOARD } from "@/app/(auth)/return-path";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import type { TaskState } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { acceptInvitation } from "@/lib/sign-in/invitations";
import { realNow } from "@/lib/time";

const LONGEST_NAME = 120;

export async function joinAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("access");
  const given = await headers();
  if (!isSameOrigin(given)) return { problem: t("refused") };
  const text = (name: string): string => String(form.get(name) ?? "");
  const typed = { name: text("name").slice(0, LONGEST_NAME), password: text("password") };
  const outcome = await acceptInvitation(systemDb(), text("token"), typed, addressOf(given), realNow());
  switch (outcome.kind) {
    case "closed":
      return { problem: t("joinClosedText") };
    case "nameless":
      return { problems: { name: t("nameMissing") } };
    case "unfit":
      return {
        problems: { password: (await passwordWords()).problem(outcome.problem) },
        given: { name: typed.name },
      };
    case "joined":
      if (!outcome.isNew) return redirect("/sign-in?joined=1");
      return redirect((await isLetIn(outcome.email, typed.password)) ? DASHBOARD : "/sign-in?joined=1");
  }
}

/** Somebody else's guesses from the same address may have locked the door: they have joined all the same. */
async function isLetIn(email: string, password: string): Promise<boolean> {
  try {
    await signIn("credentials", { email, password, redirect: false });
    return true;
  } catch (thrown) {
    if (thrown instanceof SignInRefused) return false;
    throw thrown;
  }
}
