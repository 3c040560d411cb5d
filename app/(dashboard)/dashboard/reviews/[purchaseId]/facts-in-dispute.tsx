import { TriangleAlert } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { Card } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import type { SlotCall } from "@/lib/purchases/plan";
import type { Review, SlotEvidence } from "@/lib/purchases/review/read";

const DIFFERENT_AMOUNT = {
  authorize: "factAuthorized",
  capture: "factCaptured",
  void: "factReturned",
  refund: "factReturned",
} as const satisfies Record<SlotCall, string>;

const UNKNOWN = {
  authorize: "unknownAuthorize",
  capture: "unknownCapture",
  void: "unknownVoid",
  refund: "unknownRefund",
} as const satisfies Record<SlotCall, string>;

/** What automation could not decide, card by card, before anything is asked of the person. */
export async function FactsInDispute({ review }: { review: Review }) {
  const [t, locale] = await Promise.all([getTranslations("reviews"), getLocale()]);
  const { currency } = review.purchase.row;
  const money = (cents: number, of = currency) => formatCents(cents, of, locale);
  const facts = review.slots.flatMap((slot) => factOf(slot) ?? []);
  return (
    <Card aria-labelledby="dispute-title" className="mb-6 border-warning/50 px-5 py-4">
      <h2 id="dispute-title" className="flex items-center gap-2 font-semibold text-base text-ink">
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
        {t("inDispute")}
      </h2>
      <ul className="mt-2 grid gap-1.5 text-base text-ink tabular-nums">
        {(facts.length > 0 ? facts : [t("factClaims")]).map((fact) => (
          <li key={fact} className="wrap-anywhere">
            {fact}
          </li>
        ))}
      </ul>
    </Card>
  );

  function factOf({ slotIndex, amount, call, difference, provider, queries, isToBeStated }: SlotEvidence) {
    const number = slotIndex + 1;
    const name = provider?.name ?? t("theProvider");
    const did = call ?? "authorize";
    if (difference?.field === "amount") {
      const [expected, got] = [money(Number(difference.expected)), money(Number(difference.got))];
      return t(DIFFERENT_AMOUNT[did], { number, provider: name, expected, got });
    }
    if (difference) {
      const { expected, got } = difference;
      const values = { number, provider: name, expected, got };
      return difference.field === "currency" ? t("factCurrency", values) : t("factReference", values);
    }
    return isToBeStated
      ? t(UNKNOWN[did], { number, provider: name, amount: money(amount), count: queries })
      : undefined;
  }
}
