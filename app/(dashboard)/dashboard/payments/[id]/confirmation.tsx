import Link from "next/link";
import { useTranslations } from "next-intl";
import { actOnPaymentAction, planOfAmountAction } from "@/app/(dashboard)/dashboard/payments/[id]/actions";
import { momentText, nameOfProvider, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { ActionDialog } from "@/components/charges/action-dialog";
import { ActionForm } from "@/components/charges/action-form";
import type { ShownPlan } from "@/components/charges/plan-facts";
import { extraPayments } from "@/lib/charges/extra-payments";
import { mostOf, type PaymentAction, planOf } from "@/lib/charges/operator-actions";
import type { Alone, OwnRefunds } from "@/lib/charges/operator-service";
import type { PaymentOverview } from "@/lib/charges/overview";
import type { PaymentProposal } from "@/lib/charges/proposals";
import { newId } from "@/lib/ids";

const TEXTS = {
  capture: { heading: "cCaptureTitle", consequence: "cCaptureText", button: "cCaptureButton", plain: "aCapture" },
  release: { heading: "cReleaseTitle", consequence: "cReleaseText", button: "cReleaseButton", plain: "aRelease" },
  cancel: { heading: "cCancelTitle", consequence: "cCancelText", button: "cCancelButton", plain: "aCancel" },
  refund: { heading: "cRefundTitle", consequence: "cRefundText", button: "cRefundButton", plain: "aRefund" },
  recheck: { heading: "cRecheckTitle", consequence: "cRecheckText", button: "cRecheckButton", plain: "aRecheck" },
  hand_back: { heading: "cHandTitle", consequence: "cHandText", button: "cHandButton", plain: "aHandBack" },
  simulate: { heading: "cSimulateTitle", consequence: "cSimulateText", button: "cSimulateButton", plain: "aSimulate" },
} as const satisfies Record<PaymentAction, Record<string, string>>;

const DANGEROUS = new Set<PaymentAction>(["release", "cancel", "refund"]);
const IN_PART = new Set<PaymentAction>(["capture", "refund"]);
const CENTS = 100;
type PaymentTexts = ReturnType<typeof useTranslations<"payments">>;

interface ConfirmationProps {
  action: PaymentAction;
  payment: PaymentOverview;
  /** What this person may refund alone: above what is left of it today, somebody without that limit is asked. */
  limit: OwnRefunds | null;
  /** Above what is left of it a second person is asked; null while there is none, and of what one person does alone. */
  alone: Alone | null;
  /** Cents that this person already asked another one for. */
  asked: number | undefined;
  /** Of all of it. */
  plan: ShownPlan | undefined;
  planTexts: { title: string; machine: string };
  path: string;
  locale: string;
  words: Words;
}

/** Says what will happen, from the state that it will be refused to change from if that is no longer so. */
export function Confirmation({
  action,
  payment,
  limit,
  alone,
  asked,
  plan,
  planTexts,
  path,
  locale,
  words,
}: ConfirmationProps) {
  const t = useTranslations("payments");
  const { format, money } = words;
  const { row } = payment;
  const isRefund = action === "refund";
  const isHanded = action === "hand_back";
  const most = mostOf(action, payment);
  const texts = TEXTS[action];
  const provider = nameOfProvider(payment, row.providerId);
  const note =
    isHanded && alone && most <= alone.left ? undefined : noteOf(t, { alone, limit, asked, isHanded, money });
  const isTriedAgain = action === "recheck" && extraPayments(payment).some(({ state }) => state === "here");
  return (
    <ActionDialog
      title={t(texts.heading)}
      text={t(isTriedAgain ? "cRecheckExtraText" : texts.consequence, { amount: money(most), provider })}
      closeHref={path}
    >
      <ActionForm
        hidden={{ id: row.id, action, plan: planOf(action, payment), key: newId() }}
        isDangerous={DANGEROUS.has(action)}
        onAct={actOnPaymentAction}
        closeHref={path}
        amount={
          IN_PART.has(action)
            ? {
                initial: format.number(most / CENTS, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
                cents: most,
                label: t("cAmount"),
                hint:
                  isRefund && limit
                    ? t("cRefundLimit", { each: money(limit.each), daily: money(limit.daily) })
                    : t("cAmountHint", { amount: money(most) }),
                tooMuch: t("cTooMuch", { most: money(most) }),
                currency: row.currency,
                locale,
              }
            : undefined
        }
        approval={
          note === undefined
            ? undefined
            : {
                above: Math.min(alone?.left ?? Number.POSITIVE_INFINITY, limit?.left ?? Number.POSITIVE_INFINITY),
                template: t("cAskButton", { amount: isHanded ? money(most) : "{amount}" }),
                note,
              }
        }
        plan={
          plan && {
            initial: plan,
            texts: planTexts,
            onPlan: IN_PART.has(action) ? planOfAmountAction : undefined,
          }
        }
        reason={
          isRefund
            ? reasonField(t)
            : isHanded
              ? { label: t("cHandHow"), hint: t("cHandHint"), missing: t("problemHow"), suggestions: [] }
              : undefined
        }
        texts={{
          button: t(texts.button, { amount: money(most) }),
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

interface NoteOf {
  alone: Alone | null;
  limit: OwnRefunds | null;
  asked: number | undefined;
  isHanded: boolean;
  money: Words["money"];
}

/** Why a second person is asked; undefined where nobody is. */
function noteOf(t: PaymentTexts, { alone, limit: own, asked, isHanded, money }: NoteOf): string | undefined {
  if (own && own.left <= (alone?.left ?? own.left)) {
    if (asked !== undefined) return t("cAskedAlreadyOwn", { asked: money(asked) });
    return own.left > 0 ? t("cOwnLimit", { left: money(own.left) }) : t("cOwnLimitSpent");
  }
  if (alone === null) return undefined;
  const { limit, left } = alone;
  const amount = money(limit);
  if (asked !== undefined) return t("cAskedAlready", { asked: money(asked), amount });
  if (isHanded) return t("cSecondPersonHand", { amount });
  return left < limit ? t("cSecondPersonTogether", { amount, left: money(left) }) : t("cSecondPerson", { amount });
}

const APPROVALS = {
  refund: { heading: "cApproveTitle", consequence: "cApproveText", button: "cApproveButton" },
  hand_back: { heading: "cApproveHandTitle", consequence: "cApproveHandText", button: "cHandButton" },
} as const;

interface ApprovalProps {
  plan: ShownPlan | undefined;
  planTexts: { title: string; machine: string };
  payment: PaymentOverview;
  proposal: PaymentProposal;
  /** Who asked, as people of the account are called. */
  who: string;
  path: string;
  words: Words;
}

/** The second person's: what was asked for is shown, and exactly that is done. */
export function Approval({ payment, proposal, who, plan, planTexts, path, words }: ApprovalProps) {
  const t = useTranslations("payments");
  const amount = words.money(proposal.amount);
  const isRefund = proposal.action === "refund";
  const texts = APPROVALS[proposal.action];
  const button = t(texts.button, { amount });
  const typed = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return (
    <ActionDialog title={t(texts.heading)} text={t(texts.consequence, { amount })} closeHref={path}>
      <dl className="mx-5 mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 rounded-md bg-sunken px-4 py-3 text-sm [&_dt]:text-ink-2">
        <dt>{t("cApproveAmount")}</dt>
        <dd className="font-semibold text-ink tabular-nums">{amount}</dd>
        <dt>{t("cApproveWho")}</dt>
        <dd className="text-ink">{who}</dd>
        <dt>{t("cApproveWhen")}</dt>
        <dd className="text-ink">{momentText(words, proposal.at)}</dd>
        <dt>{t(isRefund ? "cReason" : "cHandHow")}</dt>
        <dd className="text-ink [overflow-wrap:anywhere]">{proposal.reason ?? t("none")}</dd>
      </dl>
      {isRefund ? (
        <p className="px-5 pt-3 text-sm">
          <Link
            href={`${path}?do=refund&other=1`}
            replace
            scroll={false}
            className="rounded-sm text-accent-ink underline underline-offset-4"
          >
            {t("cApproveOther")}
          </Link>
        </p>
      ) : null}
      <ActionForm
        hidden={{
          id: payment.row.id,
          action: proposal.action,
          plan: planOf(proposal.action, payment),
          key: newId(),
          ...(isRefund ? { amount: words.format.number(proposal.amount / CENTS, typed) } : {}),
        }}
        isDangerous={isRefund}
        plan={plan && { initial: plan, texts: planTexts }}
        onAct={actOnPaymentAction}
        closeHref={path}
        texts={{ button, template: button, plain: button, back: t("cBack"), newPlan: t("cNewPlan") }}
      />
    </ActionDialog>
  );
}

/** Refunds are told apart later by why they were made. */
export const reasonField = (t: PaymentTexts) => ({
  label: t("cReason"),
  hint: t("cReasonHint"),
  missing: t("problemReason"),
  suggestions: [
    t("cReasonAsked"),
    t("cReasonDuplicate"),
    t("cReasonFraud"),
    t("cReasonUndelivered"),
    t("cReasonWrong"),
  ],
});
