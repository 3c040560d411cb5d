import { getTranslations } from "next-intl/server";
import type { ReactElement } from "react";
import { PanelProblem } from "@/components/insights/panel-problem";
import { log } from "@/lib/log";

/** Each panel fails alone: the rest of the page stays. */
export async function panel(name: string, show: () => Promise<ReactElement>): Promise<ReactElement> {
  try {
    return await show();
  } catch (error) {
    log.error({ error }, `the ${name} panel of the home page failed`);
    const t = await getTranslations("home");
    return <PanelProblem text={t("failed")} retry={t("retry")} href="/dashboard" />;
  }
}
