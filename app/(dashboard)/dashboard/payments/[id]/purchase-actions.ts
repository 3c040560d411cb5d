"use server";

import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { actOnPurchaseForm } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-purchase";
import { lacksFactor, senderOf } from "@/app/(dashboard)/operator-context";
import { planTexts, purchasePlanShown } from "@/app/(dashboard)/plan-words";
import { CardNumberTyped, cardNumberTyped, unlessCardNumber } from "@/app/(dashboard)/typed-text";
import type { ActionState } from "@/components/charges/action-form";

export async function actOnPurchaseAction(_before: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations("payments");
  if (await lacksFactor()) return { problem: (await getTranslations("tasks"))("factorNeeded") };
  const sender = await senderOf();
  if (!sender) return { problem: t("problemSession") };
  const outcome = await unlessCardNumber(() => actOnPurchaseForm(sender, form));
  if (outcome instanceof CardNumberTyped) return cardNumberTyped(outcome);
  switch (outcome.kind) {
    case "not_found":
      return notFound();
    case "done":
      countAnew();
      return redirect(`/dashboard/payments/${outcome.purchaseId}?done=${outcome.action}`);
    case "plan_changed":
      return {
        problem: (await planTexts()).changed,
        plan: await purchasePlanShown(sender.ctx, sender.role, outcome.purchaseId, outcome.action),
      };
    case "changed":
      return { problem: t("problemChanged"), isStale: true };
    case "busy":
      return { problem: t("problemBusy") };
    case "no_reason":
      return { problems: { reason: t("problemReason") } };
    case "two_people":
      return { problem: t("problemTwoPeople") };
    case "refused":
      return { problem: t("problemRefused", { code: outcome.code }) };
  }
}
