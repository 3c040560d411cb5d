import { getTranslations } from "next-intl/server";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import type { SlotStatus } from "@/db/schema/purchases";

/** The state of a card of a purchase: one that took nothing was released, and nothing was refunded. */
export async function slotWords(): Promise<(status: SlotStatus, wasCaptured: boolean) => string> {
  const [t, say] = await Promise.all([getTranslations("payments"), reviewWords()]);
  return (status, wasCaptured) =>
    status === "voided" ? t(wasCaptured ? "statusVoided" : "statusReleased") : say.slot(status);
}
