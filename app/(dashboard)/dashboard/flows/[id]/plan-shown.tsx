import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { skipWords } from "@/app/(dashboard)/dashboard/payments/[id]/skip-words";
import { ConditionsSeen } from "@/components/flows/conditions-seen";
import { FlowLines } from "@/components/flows/flow-lines";
import type { FlowNames } from "@/components/flows/words";
import { type FlowRow, rootOf } from "@/lib/flows/queries";
import type { Simulated } from "@/lib/flows/simulate";

interface PlanShownProps {
  flow: FlowRow;
  names: FlowNames;
  simulated: Simulated;
  children?: ReactNode;
}

/** What a version makes of one payment: whom it would be tried at, who is passed over and why, and the way taken. */
export async function PlanShown({ flow, names, simulated: { decision, conditions }, children }: PlanShownProps) {
  const [t, skipped] = [await getTranslations("flows"), await skipWords()];
  const nameOf = (id: string) => names.providers[id] ?? t("otherProvider");
  return (
    <>
      <div role="status" className="grid gap-1 px-5 pt-4 text-ink text-sm">
        <p className="font-medium">
          {decision.providers.length === 0
            ? t("testNobody")
            : t("testOrder", { providers: decision.providers.map(nameOf).join(" → ") })}
        </p>
        {children}
        {decision.skipped.map(({ id, why }) => (
          <p key={id} className="text-ink-2">
            {t("testSkipped", { provider: nameOf(id), why: skipped(why) })}
          </p>
        ))}
      </div>
      <FlowLines root={rootOf(flow)} names={names} taken={decision.path} />
      <ConditionsSeen conditions={conditions} names={names} />
    </>
  );
}
