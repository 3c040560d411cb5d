import { getTranslations } from "next-intl/server";
import type { OperatorRole } from "@/lib/operators/sessions";

export async function roleTexts(): Promise<Record<OperatorRole, string>> {
  const t = await getTranslations("dashboard");
  return {
    owner: t("roleOwner"),
    developer: t("roleDeveloper"),
    operations: t("roleOperations"),
    finance: t("roleFinance"),
    support: t("roleSupport"),
    viewer: t("roleViewer"),
  };
}
