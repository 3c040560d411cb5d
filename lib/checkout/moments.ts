import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { SessionRow } from "@/lib/sessions/state";

/** A card is good until its month ends in São Paulo. */
export function linkMoments(session: SessionRow, at: Date): { thisMonth: string; mostParts: number } {
  const credit = session.paymentMethods.find(({ paymentType }) => paymentType === "credit");
  const most = credit?.installments;
  return { thisMonth: saoPauloDay(at).slice(0, "2026-11".length), mostParts: typeof most === "number" ? most : 1 };
}
