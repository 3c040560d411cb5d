import { getTranslations } from "next-intl/server";

/** What every form of the dashboard says besides its own button. */
export async function taskTexts(button: string) {
  const t = await getTranslations("tasks");
  return { button, back: t("back"), copy: t("copy"), done: t("done") };
}
