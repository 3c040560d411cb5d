import { getTranslations } from "next-intl/server";
import { BREAKS, CREDITS, FINANCE, LEDGER, STATEMENTS } from "@/app/(dashboard)/dashboard/finance/words";
import { StatusTabs } from "@/components/charges/status-tabs";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const TABS = {
  reconciliation: { href: FINANCE, named: "reconciliation", right: "finance.see" },
  statements: { href: STATEMENTS, named: "statements", right: "finance.see" },
  credits: { href: CREDITS, named: "credits", right: "finance.see" },
  breaks: { href: BREAKS, named: "breaks", right: "finance.see" },
  ledger: { href: LEDGER, named: "ledger", right: "ledger.see" },
} as const;

export async function FinanceTabs({ here, role }: { here: keyof typeof TABS; role: OperatorRole }) {
  const t = await getTranslations("finance");
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs
        label={t("title")}
        tabs={Object.entries(TABS)
          .filter(([, { right }]) => may(role, right))
          .map(([name, { href, named }]) => ({ href, text: t(named), isHere: name === here }))}
      />
    </div>
  );
}
