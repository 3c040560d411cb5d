"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { isSameOrigin } from "@/app/request-origin";
import type { TaskState } from "@/components/tasks/task-form";
import { RequestError } from "@/lib/errors";
import { confirmAddress } from "@/lib/reports/addresses";

export async function confirmAddressAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("access");
  if (!isSameOrigin(await headers())) return { problem: t("refused") };
  const token = String(form.get("token") ?? "");
  try {
    await confirmAddress(token);
  } catch (thrown) {
    if (thrown instanceof RequestError) return { problem: t("reportAddressClosed") };
    throw thrown;
  }
  return redirect(`/confirm-address/${encodeURIComponent(token)}`);
}
