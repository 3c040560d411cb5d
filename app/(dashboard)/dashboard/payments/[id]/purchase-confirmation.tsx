import { useTranslations } from "next-intl";
import { reasonField } from "@/app/(dashboard)/dashboard/payments/[id]/confirmation";
import { actOnPurchaseAction } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-actions";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { ActionDialog } from "@/components/charges/action-dialog";
import { ActionForm } from "@/components/charges/action-form";
import type { ShownPlan } from "@/components/charges/plan-facts";
import { newId } from "@/lib/ids";
import { leftOf, type PurchaseAction, purchasePlan } from "@/lib/purchases/operator-service";
import type { PurchaseOverview } from "@/lib/purchases/overview";

const TEXTS = {
  capture: { heading: "cCaptureTitle", consequence: "cpCaptureText", button: "cCaptureButton", plain: "aCapture" },
  release: { heading: "cReleaseTitle", consequence: "cpReleaseText", button: "cReleaseButton", plain: "aRelease" },
  refund: { heading: "cRefundTitle", consequence: "cpRefundText", button: "cRefundButton", plain: "aRefundAll" },
  recheck: { heading: "cRecheckTitle", consequence: "cpRecheckText", button: "cRecheckButton", plain: "aRecheck" },
} as const satisfies Record<PurchaseAction, Record<string, string>>;

interface PurchaseConfirmationProps {
  action: PurchaseAction;
  purchase: PurchaseOverview;
  plan: ShownPlan | undefined;
  planTexts: { title: string; machine: string };
  path: string;
  words: Words;
}

/** The plan, card by card, from the state that it will be refused to change from if that is no longer so. */
export function PurchaseConfirmation({
  action,
  purchase,
  plan,
  planTexts,
  path,
  words: { money },
}: PurchaseConfirmationProps) {
  const t = useTranslations("payments");
  const { lanes } = purchase;
  const held = lanes.reduce((sum, { slot }) => sum + (slot.status === "pre_authorized" ? slot.amount : 0), 0);
  const amount = action === "refund" ? leftOf(purchase) : held;
  const texts = TEXTS[action];
  const cards = lanes.flatMap(({ slot }) => {
    const cents = action === "refund" ? slot.amount - slot.refundedAmount : slot.amount;
    const isMeant = slot.status === (action === "refund" ? "authorized" : "pre_authorized") && cents > 0;
    return isMeant && action !== "recheck"
      ? [
          {
            id: slot.id,
            text: t("cpCard", {
              number: slot.slotIndex + 1,
              card: slot.card
                ? t("cardNumber", { brand: slot.card.brand, lastFour: slot.card.last4digits })
                : t("laneNoCard"),
              amount: money(cents),
            }),
          },
        ]
      : [];
  });
  return (
    <ActionDialog
      title={t(texts.heading)}
      text={t(texts.consequence, { amount: money(amount), count: cards.length })}
      closeHref={path}
    >
      {cards.length > 0 ? (
        <ul className="grid gap-1 px-5 pt-3 text-ink text-sm tabular-nums">
          {cards.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      ) : null}
      <ActionForm
        hidden={{ id: purchase.row.id, action, plan: purchasePlan(purchase), key: newId() }}
        plan={plan && { initial: plan, texts: planTexts }}
        reason={action === "refund" ? reasonField(t) : undefined}
        isDangerous={action === "release" || action === "refund"}
        onAct={actOnPurchaseAction}
        closeHref={path}
        texts={{
          button: t(texts.button, { amount: money(amount) }),
          template: t(texts.button, { amount: "{amount}" }),
          plain: t(texts.plain),
          back: t("cBack"),
          newPlan: t("cNewPlan"),
        }}
      />
    </ActionDialog>
  );
}
