import { getTranslations } from "next-intl/server";
import { INITIAL_PLAN_NAME } from "@/lib/sale-plans/initial";

export interface NamedPlan {
  name: string;
  isDefault: boolean;
}

/** Whether nobody has given the default plan a name: it has the one that every account begins with. */
export const isUnnamedDefault = ({ name, isDefault }: NamedPlan): boolean => isDefault && name === INITIAL_PLAN_NAME;

export async function planNamer(): Promise<(plan: NamedPlan) => string> {
  const t = await getTranslations("salePlans");
  return (plan) => (isUnnamedDefault(plan) ? t("accountDefault") : plan.name);
}
