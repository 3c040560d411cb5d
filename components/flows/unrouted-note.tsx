import { useTranslations } from "next-intl";
import { unroutedIn } from "@/lib/flows/rules/check";
import type { FlowNodes } from "@/lib/flows/rules/nodes";

/** What becomes of payments that the flow leads to no provider; nothing where there are none. */
export function UnroutedNote({ root }: { root: FlowNodes }) {
  const t = useTranslations("flows");
  if (unroutedIn(root).size === 0) return null;
  return <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">{t("unroutedNote")}</p>;
}
