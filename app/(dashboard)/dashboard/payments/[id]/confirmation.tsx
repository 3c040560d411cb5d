import { useTranslations } from "next-intl";
import { actOnPaymentAction } from "@/app/(dashboard)/dashboard/payments/[id]/actions";
import { nameOfProvider, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { ActionDialog } from "@/components/charges/action-dialog";
import { ActionForm } from "@/components/charges/action-form";
import { type PaymentAction, planOf, refundable } from "@/lib/charges/operator-actions";
import type { PaymentOverview } from "@/lib/charges/overview";
import { newId } from "@/lib/ids";
import type { RefundLimits } from "@/lib/operators/permissions";

const TEXTS = {
  capture: { heading: "cCaptureTitle", consequence: "cCaptureText", button: "cCaptureButton", plain: "aCapture" },
  release: { heading: "cReleaseTitle", consequence: "cReleaseText", button: "cReleaseButton", plain: "aRelease" },
  cancel: { heading: "cCancelTitle", consequence: "cCancelText", button: "cCancelButton", plain: "aCancel" },
  refund: { heading: "cRefundTitle", consequence: "cRefundText", button: "cRefundButton", plain: "aRefund" },
  recheck: { heading: "cRecheckTitle", consequence: "cRecheckText", button: "cRecheckButton", plain: "aRecheck" },
  simulate: { heading: "cSimulateTitle", consequence: "cSimulateText", button: "cSimulateButton", plain: "aSimulate" },
} as const satisfies Record<PaymentAction, Record<string, string>>;

const DANGEROUS = new Set<PaymentAction>(["release", "cancel", "refund"]);
const IN_PART = new Set<PaymentAction>(["capture", "refund"]);
const CENTS = 100;

interface ConfirmationProps {
  action: PaymentAction;
  payment: PaymentOverview;
  /** What this person may give back alone. */
  limit: RefundLimits | null;
  path: string;
  locale: string;
  words: Words;
  /** Cents that somebody else proposed. */
  proposed?: number | undefined;
}

/** Says what will happen, from the state that it will be refused to change from if that is no longer so. */
export function Confirmation({ action, payment, limit, path, locale, words, proposed }: ConfirmationProps) {
  const t = useTranslations("payments");
  const { format, money } = words;
  const { row } = payment;
  const most = action === "refund" ? refundable(row) : row.amount;
  const texts = TEXTS[action];
  const provider = nameOfProvider(payment, row.providerId);
  const button = t(texts.button, { amount: money(most) });
  return (
    <ActionDialog
      title={t(texts.heading)}
      text={t(texts.consequence, { amount: money(most), provider })}
      closeHref={path}
    >
      <ActionForm
        hidden={{ id: row.id, action, plan: planOf(row), key: newId() }}
        isDangerous={DANGEROUS.has(action)}
        onAct={actOnPaymentAction}
        closeHref={path}
        {...(IN_PART.has(action)
          ? {
              amount: {
                initial: format.number((action === "refund" && proposed ? proposed : most) / CENTS, {
                  minimumFractionDigits: 2,
                  maximumFractionDigits: 2,
                }),
                label: t("cAmount"),
                hint:
                  action === "refund" && limit
                    ? t("cRefundLimit", { each: money(limit.each), daily: money(limit.daily) })
                    : t("cAmountHint", { amount: money(most) }),
                currency: row.currency,
                locale,
              },
            }
          : {})}
        texts={{
          button,
          // The words around the amount stay the message's own; the typed amount takes this place.
          template: t(texts.button, { amount: "{amount}" }),
          plain: t(texts.plain),
          back: t("cBack"),
          newPlan: t("cNewPlan"),
        }}
      />
    </ActionDialog>
  );
}
