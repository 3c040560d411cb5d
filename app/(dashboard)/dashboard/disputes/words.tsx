import { CircleCheck, Gavel, Undo2 } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { disputeReasonWords } from "@/app/(dashboard)/dashboard/disputes/reason-words";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { Badge } from "@/components/ui/badge";
import type { Dispute, DisputeStage } from "@/lib/disputes/queries";

const STAGE_TEXTS = {
  open: "stageOpen",
  won: "stageWon",
  returned: "stageReturned",
} as const satisfies Record<DisputeStage, string>;
const LOOKS = {
  open: { tone: "danger", icon: Gavel },
  won: { tone: "success", icon: CircleCheck },
  returned: { tone: "warning", icon: Undo2 },
} as const satisfies Record<DisputeStage, object>;
const SHORT_ID = 8;

export async function disputeWords() {
  const [t, words, { reason }] = await Promise.all([getTranslations("disputes"), paymentWords(), disputeReasonWords()]);
  return {
    reason,
    stage: (stage: DisputeStage) => t(STAGE_TEXTS[stage]),
    badge: (stage: DisputeStage) => (
      <Badge key="stage" {...LOOKS[stage]}>
        {t(STAGE_TEXTS[stage])}
      </Badge>
    ),
    method: ({ method, brand, lastFour }: Pick<Dispute, "method" | "brand" | "lastFour">) =>
      brand && lastFour ? t("card", { brand, lastFour }) : words.method(method),
    /** Who pays for it in the end. */
    bearer: ({ sellers, merchant }: Pick<Dispute, "sellers" | "merchant">) =>
      sellers.length > 0
        ? t("bornBySellers", {
            count: sellers.length,
            sellers: sellers.map((id) => id.slice(0, SHORT_ID)).join(", "),
          })
        : t("bornByMerchant", { merchant: merchant ?? "" }),
  };
}
