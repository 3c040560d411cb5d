import { getTranslations } from "next-intl/server";
import { slotReasons } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import type { ShownNotice } from "@/app/(dashboard)/dashboard/payments/[id]/parts";
import { momentText, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import type { PurchaseAction } from "@/lib/purchases/operator-service";
import { hasHoldEnded, type PurchaseOverview } from "@/lib/purchases/overview";

/** What happened and what is left, in plain sentences (design/dashboard.md 6.2). */
export async function purchaseSentences(purchase: PurchaseOverview, words: Words): Promise<string[]> {
  const t = await getTranslations("payments");
  const { row, lanes } = purchase;
  const refunded = lanes.reduce((sum, { slot }) => sum + slot.refundedAmount, 0);
  const reasonOf = await slotReasons();
  const [declined] = lanes.flatMap((lane) => {
    const reason = reasonOf(lane);
    return reason ? [{ number: lane.slot.slotIndex + 1, reason }] : [];
  });
  return [
    main(),
    ...(row.status === "failed" && declined ? [t("pDeclinedCard", declined)] : []),
    ...(row.status === "paid" && refunded > 0
      ? [t("sPartRefunded", { refunded: words.money(refunded), remaining: words.money(row.amount - refunded) })]
      : []),
    ...(row.reviewReason ? [t("sReview")] : []),
  ];

  function main(): string {
    const date = momentText(words, row.updatedAt);
    const count = lanes.length;
    switch (row.status) {
      case "paid":
        return t("pPaid", { date, count });
      case "failed":
        return t("pFailed", { date });
      case "cancelled":
        if (refunded > 0) return t("pRefunded", { date, amount: words.money(refunded) });
        return t(hasHoldEnded(purchase) ? "pHoldEnded" : "pCancelled", { date });
      case "pending":
        if (lanes.some(({ slot }) => slot.status === "undetermined")) return t("pUnknown");
        return lanes.every(({ slot }) => slot.status === "pre_authorized")
          ? t("pHeld", { count })
          : t("pPending", { count });
    }
  }
}

/** Told from the operations, not from the address: a made-up address says nothing untrue. */
export async function purchaseNotice(
  { operations, active }: PurchaseOverview,
  action: PurchaseAction,
): Promise<ShownNotice | undefined> {
  const t = await getTranslations("payments");
  if (action === "recheck") return { kind: "done", text: t("done_recheck") };
  if (active) return { kind: "waiting", text: t("pWorking") };
  const last = operations.at(-1);
  if (!last) return undefined;
  return last.status === "completed" ? { kind: "done", text: t("pDone") } : { kind: "failed", text: t("pNotDone") };
}
