"use server";

import { notFound, redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { actOnForm } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import { lacksFactor, senderOf } from "@/app/(dashboard)/operator-context";
import type { ActionState } from "@/components/charges/action-form";
import { formatCents } from "@/components/ui/money-format";

export async function actOnPaymentAction(_before: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations("payments");
  if (await lacksFactor()) return { problem: (await getTranslations("tasks"))("factorNeeded") };
  const sender = await senderOf();
  if (!sender) return { problem: t("problemSession") };
  const locale = await getLocale();
  const outcome = await actOnForm(sender, form);
  switch (outcome.kind) {
    case "not_found":
      return notFound();
    case "done":
      return redirect(`/dashboard/payments/${outcome.chargeId}?done=${outcome.action}`);
    case "proposed":
      return redirect(`/dashboard/payments/${outcome.chargeId}?done=proposed`);
    case "amount_unreadable":
      return { problem: t("problemAmount"), amount: outcome.typed };
    case "too_much":
      return {
        problem: t("problemTooMuch", { most: formatCents(outcome.most, outcome.currency, locale) }),
        amount: outcome.typed,
      };
    case "own_limit":
      return {
        problem: t("problemOwnLimit", { left: formatCents(outcome.left, outcome.currency, locale) }),
        amount: outcome.typed,
      };
    case "changed":
      return { problem: t("problemChanged"), isStale: true };
    case "busy":
      return { problem: t("problemBusy") };
    case "refused":
      return { problem: t("problemRefused", { code: outcome.code }) };
  }
}
