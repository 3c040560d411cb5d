import { UsersRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { nameOfProvider, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { resolveChargeAction, withdrawVerdictAction } from "@/app/(dashboard)/dashboard/payments/[id]/verdict-actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { systemDb } from "@/db/client";
import { differenceIn } from "@/lib/charges/engine/difference";
import { surplusOf } from "@/lib/charges/engine/surplus";
import type { PaymentOverview } from "@/lib/charges/overview";
import { reviewPlan, truthsOfCharge, verdictAloneUpTo, verdictsProposed } from "@/lib/charges/review/service";
import {
  attemptInQuestion,
  type CallInQuestion,
  callInQuestion,
  type ProviderTruth,
} from "@/lib/charges/review/statement";
import type { Context } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const OUTCOMES = {
  authorize: {
    captured: "vAuthorizeCaptured",
    held: "vAuthorizeHeld",
    absent: "vAuthorizeAbsent",
    refunded: "vAuthorizeRefunded",
  },
  capture: {
    captured: "vCaptureCaptured",
    held: "vCaptureHeld",
    absent: "vVoidAbsent",
    refunded: "vAuthorizeRefunded",
  },
  void: { absent: "vVoidAbsent", held: "vVoidHeld", captured: "vCaptureCaptured", refunded: "vRefundRefunded" },
  refund: { refunded: "vRefundRefunded", captured: "vRefundCaptured", held: "vVoidHeld", absent: "vVoidAbsent" },
  offer: { absent: "vOfferAbsent" },
  close: { absent: "vCloseAbsent" },
} as const satisfies Record<CallInQuestion, Partial<Record<ProviderTruth, string>>>;

type OfCall<T> = T extends unknown ? T[keyof T] : never;
type Outcome = OfCall<(typeof OUTCOMES)[CallInQuestion]>;

/** Whether this person is asked how it ended. */
export const mayDecide = (role: OperatorRole, payment: PaymentOverview): boolean =>
  may(role, "reviews.resolve") && truthsOfCharge(payment).length > 0;

interface VerdictProps {
  ctx: Context;
  payment: PaymentOverview;
  path: string;
  words: Words;
}

/** What the provider shows, said by a person who looked: each answer with what follows from it. */
export async function Verdict({ ctx, payment, path, words: { money } }: VerdictProps) {
  const t = await getTranslations("payments");
  const attempt = attemptInQuestion(payment);
  const call = attempt && callInQuestion(payment, attempt);
  if (!attempt || !call) return null;
  const amount = money(attempt.amount);
  const isOther = attempt.state === "mismatch";
  const outcomes: Partial<Record<ProviderTruth, Outcome>> = OUTCOMES[call];
  const isSurplusKept = (truth: ProviderTruth) => truth === "captured" && surplusOf(attempt) !== undefined;
  const say = (truth: ProviderTruth) => {
    if (isSurplusKept(truth)) return t("vSurplusKept", { amount });
    const outcome = isOther && call === "authorize" ? "vAuthorizeUndone" : outcomes[truth];
    if (!outcome) throw new Error(`a ${call} that cannot end as ${truth}`);
    return t(outcome, { amount });
  };
  const provider = nameOfProvider(payment, attempt.providerId);
  const difference = differenceIn(attempt);
  const text = () => {
    if (attempt.state === "declined") return t("vTextRefused", { amount, provider });
    if (!isOther) return t("vText", { amount, provider });
    if (difference?.field !== "amount") return t("vTextOtherPlain", { provider });
    const [expected, got] = [money(Number(difference.expected)), money(Number(difference.got))];
    return t("vTextOther", { provider, expected, got });
  };
  const [proposed, alone] = await Promise.all([verdictsProposed(ctx, payment), verdictAloneUpTo(ctx, payment)]);
  const names = await namesOf(
    systemDb(),
    ctx.account.id,
    proposed.map(({ operatorId }) => operatorId),
  );
  const other = proposed.find(({ isOwn }) => !isOwn);
  const needsTwo = alone !== null && payment.row.originalAmount > alone;
  return (
    <ActionDialog title={t("vTitle")} text={text()} closeHref={path}>
      <TaskForm
        hidden={{ id: payment.row.id, plan: reviewPlan(payment) }}
        fields={[
          {
            name: "truth",
            label: t("vWhat"),
            kind: "choice",
            initial: other?.truth ?? "",
            options: [
              { value: "", label: t("vChoose") },
              ...truthsOfCharge(payment).map((truth) => ({ value: truth, label: say(truth) })),
            ],
          },
          {
            name: "transaction",
            label: t("vId"),
            hint: t("vIdHint"),
            initial: other?.providerTransactionId ?? attempt.transactionId ?? payment.row.providerTxId ?? "",
          },
          { name: "reason", label: t("vReason"), hint: t("vReasonHint") },
        ]}
        onAct={resolveChargeAction}
        closeHref={path}
        texts={await taskTexts(t("vButton"))}
      >
        {proposed.map(({ operatorId, truth, isOwn }) => (
          <p key={`${operatorId}-${truth}`} className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning">
            {isOwn
              ? t("vProposedOwn", { what: say(truth) })
              : t("vProposedOther", { what: say(truth), who: names.get(operatorId) ?? t("vSomebody") })}
          </p>
        ))}
        {needsTwo && proposed.length === 0 ? (
          <p className="text-ink-2 text-sm">{t("vTwo", { amount: money(alone) })}</p>
        ) : null}
      </TaskForm>
    </ActionDialog>
  );
}

/** While what somebody said waits for a second person. */
export async function VerdictNote({ ctx, payment }: Pick<VerdictProps, "ctx" | "payment">) {
  const t = await getTranslations("payments");
  const proposed = await verdictsProposed(ctx, payment);
  if (proposed.length === 0) return null;
  const isOwn = proposed.some((each) => each.isOwn);
  return (
    <div className="mt-5 flex flex-wrap items-center gap-3 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning">
      <UsersRound aria-hidden className="size-4 shrink-0" />
      <p role="status" className="min-w-0 flex-1">
        {t(isOwn ? "vProposedNoteOwn" : "vProposedNote")}
      </p>
      {isOwn ? (
        <TaskButton text={t("vWithdraw")} hidden={{ id: payment.row.id }} onAct={withdrawVerdictAction} size="sm" />
      ) : null}
    </div>
  );
}
