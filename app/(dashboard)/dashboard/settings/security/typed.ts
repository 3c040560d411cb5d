import { revalidatePath } from "next/cache";
import { getTranslations } from "next-intl/server";
import type { TaskState } from "@/components/tasks/task-form";

/** As typed: a password may begin or end with a space. */
export const rawOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/**
 * The first factor opens a live account, the last one that goes closes it: the frame around the pages shows which. Never
 * beside codes that are shown once: the frame drawn anew takes them away. The link that closes them loads the page anew.
 */
export const redrawFrame = (): void => revalidatePath("/dashboard", "layout");

export async function shownOnce(codes: readonly string[]): Promise<TaskState> {
  const t = await getTranslations("security");
  const value = codes.join("\n");
  const file = { name: t("codesFile"), text: t("codesFileText", { codes: value }), button: t("codesDownload") };
  return { secret: { label: t("codesOnce"), value, note: t("codesOnceText"), file } };
}
