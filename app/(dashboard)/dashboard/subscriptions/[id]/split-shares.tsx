import { getTranslations } from "next-intl/server";
import { subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import type { AskedRule } from "@/lib/splits/check";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";

const SHORT_ID = 8;

interface SplitSharesProps {
  ctx: Context;
  role: OperatorRole;
  row: Pick<SubscriptionRow, "merchantId" | "splitRules">;
}

/** What each seller gets of every cycle that is still to be charged. */
export async function SplitShares({ ctx, role, row }: SplitSharesProps) {
  // Guarantee: checked as rules of a split when they were asked for.
  const rules = row.splitRules as unknown as AskedRule[];
  const [t, words, { money }, sellers] = await Promise.all([
    getTranslations("subscriptions"),
    getTranslations("split"),
    subscriptionWords(),
    sellersToShare(ctx, role, { merchantId: row.merchantId, also: rules.map(({ sellerId }) => sellerId) }),
  ]);
  return (
    <ul className="grid gap-1">
      {rules.map(({ sellerId, percentage, amount }) => {
        const seller =
          sellers.find(({ id }) => id === sellerId)?.name ?? words("unnamed", { id: sellerId.slice(-SHORT_ID) });
        return (
          <li key={sellerId}>
            {percentage === undefined
              ? t("splitPart", { share: money(amount ?? 0), seller })
              : t("splitPercent", { percent: percentage, seller })}
          </li>
        );
      })}
    </ul>
  );
}
