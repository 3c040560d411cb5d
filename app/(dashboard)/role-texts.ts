import { getTranslations } from "next-intl/server";
import { type OperatorRole, ownRoleOf, type RoleName } from "@/lib/operators/permissions";

export async function roleTexts(): Promise<Record<RoleName, string>> {
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

/** A role of the account's own is called as its owners named it. */
export const roleNamer =
  (texts: Record<RoleName, string>) =>
  (held: OperatorRole): string => {
    const role = ownRoleOf(held);
    return typeof role === "string" ? texts[role] : role.name;
  };
