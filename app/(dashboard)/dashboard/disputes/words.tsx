import { CircleCheck, Gavel } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { Badge } from "@/components/ui/badge";
import type { Dispute, DisputeStage } from "@/lib/disputes/queries";

const STAGE_TEXTS = { open: "stageOpen", won: "stageWon" } as const satisfies Record<DisputeStage, string>;
const SHORT_ID = 8;

export async function disputeWords() {
  const [t, words] = await Promise.all([getTranslations("disputes"), paymentWords()]);
  return {
    stage: (stage: DisputeStage) => t(STAGE_TEXTS[stage]),
    badge: (stage: DisputeStage) => (
      <Badge key="stage" tone={stage === "open" ? "danger" : "success"} icon={stage === "open" ? Gavel : CircleCheck}>
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
