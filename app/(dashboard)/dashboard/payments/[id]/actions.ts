"use server";

import { notFound, redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { actOnForm } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import { lacksFactor, type OnAccount, orNotFound, senderOf } from "@/app/(dashboard)/operator-context";
import { planTexts, shownPlan } from "@/app/(dashboard)/plan-words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import { CardNumberTyped, cardNumberTyped, unlessCardNumber } from "@/app/(dashboard)/typed-text";
import type { ActionState } from "@/components/charges/action-form";
import type { ShownPlan } from "@/components/charges/plan-facts";
import type { TaskState } from "@/components/tasks/task-form";
import { formatCents } from "@/components/ui/money-format";
import { REFUND_DOCUMENT_TYPES } from "@/db/schema/refund-documents";
import { isPaymentAction, type PaymentAction, rightFor } from "@/lib/charges/operator-actions";
import { refuseProposals, withdrawProposal } from "@/lib/charges/proposals";
import { paymentPlan } from "@/lib/dry-runs/operator";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { issueForOperator } from "@/lib/refund-documents/operators";

export async function actOnPaymentAction(_before: ActionState, form: FormData): Promise<ActionState> {
  const t = await getTranslations("payments");
  if (await lacksFactor()) return { problem: (await getTranslations("tasks"))("factorNeeded") };
  const sender = await senderOf();
  if (!sender) return { problem: t("problemSession") };
  const locale = await getLocale();
  const outcome = await unlessCardNumber(() => actOnForm(sender, form, locale));
  if (outcome instanceof CardNumberTyped) return cardNumberTyped(outcome);
  switch (outcome.kind) {
    case "not_found":
      return notFound();
    case "done":
      countAnew();
      return redirect(`/dashboard/payments/${outcome.chargeId}?done=${outcome.action}`);
    case "proposed":
      countAnew();
      return redirect(`/dashboard/payments/${outcome.chargeId}?done=proposed`);
    case "amount_unreadable":
      return {
        problems: { amount: (await typedAmounts()).problemOf(outcome.typed) },
        amount: outcome.typed,
        reason: outcome.reason,
      };
    case "no_reason":
      return {
        problems: { reason: t(textOf(form, "action") === "hand_back" ? "problemHow" : "problemReason") },
        amount: outcome.typed,
      };
    case "too_much":
      return {
        problems: { amount: t("problemTooMuch", { most: formatCents(outcome.most, outcome.currency, locale) }) },
        amount: outcome.typed,
        reason: outcome.reason,
      };
    case "own_limit":
      return {
        problems: { amount: t("problemOwnLimit", { left: formatCents(outcome.left, outcome.currency, locale) }) },
        amount: outcome.typed,
        reason: outcome.reason,
      };
    case "plan_changed": {
      const { chargeId, action, amount, typed, reason } = outcome;
      return {
        problem: (await planTexts()).changed,
        amount: typed,
        reason,
        plan: await planShown(sender, chargeId, action, amount),
      };
    }
    case "changed":
      return { problem: t("problemChanged"), isStale: true };
    case "busy":
      return { problem: t("problemBusy") };
    case "refused":
      return { problem: t("problemRefused", { code: outcome.code }) };
  }
}

/** What would happen for an amount that is being typed; nothing where it is none. */
export async function planOfAmountAction(form: FormData): Promise<ShownPlan | undefined> {
  if (await lacksFactor()) return undefined;
  const sender = await senderOf();
  const typed = await unlessCardNumber(async () => ["id", "action", "amount"].map((name) => textOf(form, name)));
  if (typed instanceof CardNumberTyped) return undefined;
  const [id = "", action = "", typedAmount = ""] = typed;
  const amount = (await typedAmounts()).read(typedAmount);
  if (!sender || amount === undefined || !isUuid(id) || !isPaymentAction(action)) return undefined;
  return planShown(sender, id, action, amount);
}

async function planShown(
  { ctx, role }: Pick<OnAccount, "ctx" | "role">,
  chargeId: string,
  action: PaymentAction,
  amount: number | undefined,
): Promise<ShownPlan | undefined> {
  const found = await orNotFound(paymentPlan(ctx, role, chargeId, action, amount));
  return found && (await shownPlan(ctx, role, found));
}

/** Whoever asked for what two people decide takes it back, or another one refuses it. */
export async function endProposalAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const action = form.get("action") === "hand_back" ? "hand_back" : "refund";
  return runTask(rightFor(action), async ({ ctx }) => {
    const id = textOf(form, "id");
    if (!isUuid(id)) return notFound();
    const reached = await orNotFound(reaching(ctx, "charge", id));
    const isRefused = textOf(form, "how") === "refused";
    const amount = Number(textOf(form, "amount"));
    await (isRefused ? refuseProposals : withdrawProposal)(reached, { chargeId: id, action, amount });
    countAnew();
    return redirect(`/dashboard/payments/${id}?done=${isRefused ? "refused" : "withdrawn"}`);
  });
}

/** Of every refund that is confirmed by now; a later one needs a document of its own. */
export async function issueDocumentAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payments.refund", async ({ ctx, role }): Promise<TaskState> => {
    const [id, asked] = [textOf(form, "id"), textOf(form, "type")];
    const type = REFUND_DOCUMENT_TYPES.find((each) => each === asked);
    if (!type) return notFound();
    await issueForOperator(await reaching(ctx, "charge", id), role, id, type);
    return redirect(`/dashboard/payments/${id}`);
  });
}
