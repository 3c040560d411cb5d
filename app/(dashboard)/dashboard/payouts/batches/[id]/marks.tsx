import { getTranslations } from "next-intl/server";
import { endMarkAction, markPayoutAction } from "@/app/(dashboard)/dashboard/payouts/batches/actions";
import { payoutWords, REASON_TEXTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { LinkButton } from "@/components/ui/link-button";
import { TRANSFER_REASONS } from "@/db/schema/payouts";
import type { MarkView } from "@/lib/finance/marks";
import type { MarkHow } from "@/lib/payouts/marking";
import type { BatchRow } from "@/lib/payouts/queries";

const DO_TEXTS = { paid: "markDoPaid", failed: "markDoFailed", returned: "markDoReturned" } as const;
const DIALOG_TEXTS = { paid: "markTextPaid", failed: "markTextFailed", returned: "markTextReturned" } as const;
const WAITS_TEXTS = { paid: "markWaitsPaid", failed: "markWaitsFailed", returned: "markWaitsReturned" } as const;

/** What may be said of a transfer that no bank tells of. */
export async function MarkButtons({ view: { marks }, path }: { view: MarkView; path: string }) {
  if (marks.length === 0) return null;
  const t = await getTranslations("payouts");
  return (
    <div className="flex flex-wrap gap-2">
      {marks.map((how) => (
        <LinkButton
          key={how}
          href={`${path}?do=${how}`}
          scroll={false}
          tone={how === "paid" ? "primary" : undefined}
          className="max-sm:h-11"
        >
          {t(DO_TEXTS[how])}
        </LinkButton>
      ))}
    </div>
  );
}

export async function MarkWaiting({ view: { waiting }, batchId }: { view: MarkView; batchId: string }) {
  if (!waiting) return null;
  const [t, { day }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const { mark, reason, isOwn } = waiting;
  const who = waiting.who ?? t("markSomebody");
  const hidden = { id: batchId, proposal: waiting.id };
  return (
    <div className="mb-5 grid gap-3 rounded-md bg-warning-soft px-4 py-3 text-sm text-warning">
      <p>
        {mark.how === "paid"
          ? t(WAITS_TEXTS.paid, { who, day: day(mark.paidOn), reference: mark.bankReference })
          : t(WAITS_TEXTS[mark.how], { who, cause: t(REASON_TEXTS[mark.error]) })}{" "}
        {t("markBecause", { reason })}
      </p>
      <div className="flex flex-wrap gap-2">
        {isOwn ? null : (
          <TaskButton text={t("markApprove")} hidden={{ ...hidden, how: "approved" }} onAct={endMarkAction} size="sm" />
        )}
        <TaskButton
          text={isOwn ? t("markWithdraw") : t("markReject")}
          hidden={{ ...hidden, how: "refused" }}
          onAct={endMarkAction}
          size="sm"
        />
      </div>
    </div>
  );
}

interface MarkDialogProps {
  view: MarkView;
  batch: BatchRow;
  path: string;
  doing: string | undefined;
}

export async function MarkDialog({ view: { marks, isAlone }, batch, path, doing }: MarkDialogProps) {
  const how = marks.find((one) => one === doing);
  if (!how) return null;
  const [t, { money }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  return (
    <ActionDialog
      title={t(DO_TEXTS[how])}
      text={t(DIALOG_TEXTS[how], { amount: money(batch.finalBalance), second: isAlone ? "no" : "yes" })}
      closeHref={path}
    >
      <TaskForm
        hidden={{ id: batch.id, how }}
        closeHref={path}
        onAct={markPayoutAction}
        texts={await taskTexts(t(isAlone ? DO_TEXTS[how] : "markSubmit"))}
        fields={[
          ...(await fieldsOf(how, batch)),
          { name: "reason", label: t("markReason"), kind: "long", isRequired: true },
        ]}
      />
    </ActionDialog>
  );
}

async function fieldsOf(how: MarkHow, batch: BatchRow) {
  const t = await getTranslations("payouts");
  if (how === "paid") {
    return [
      { name: "paidOn", label: t("payoutDate"), kind: "day" as const, initial: batch.paymentDate, isRequired: true },
      { name: "bankReference", label: t("bankReference"), hint: t("markReferenceHint"), isRequired: true },
    ];
  }
  return [
    {
      name: "error",
      label: t("markError"),
      kind: "choice" as const,
      initial: "unknown",
      options: TRANSFER_REASONS.map((value) => ({ value, label: t(REASON_TEXTS[value]) })),
    },
  ];
}
