import Link from "next/link";
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
  /** Cents above which refunding all at once needs two people, who refund card by card instead; null for one person. */
  byTwoAbove: number | null;
  path: string;
  words: Words;
}

const LIST = "/dashboard/payments";

/** The plan, card by card, from the state that it will be refused to change from if that is no longer so. */
export function PurchaseConfirmation({
  action,
  purchase,
  plan,
  planTexts,
  byTwoAbove,
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
            href: `${LIST}/${slot.chargeId}?do=refund`,
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
  if (byTwoAbove !== null) {
    return (
      <ActionDialog
        title={t(texts.heading)}
        text={t("cpTwoPeople", { amount: money(amount), limit: money(byTwoAbove) })}
        closeHref={path}
      >
        <ul className="grid gap-2 px-5 pt-4 pb-5 text-sm tabular-nums">
          {cards.map(({ id, text, href }) => (
            <li key={id}>
              <Link href={href} className="rounded-sm text-accent-ink underline underline-offset-4">
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </ActionDialog>
    );
  }
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
