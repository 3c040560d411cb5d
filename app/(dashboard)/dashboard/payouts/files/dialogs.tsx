import { getTranslations } from "next-intl/server";
import { bringReturnAction, makeFileAction } from "@/app/(dashboard)/dashboard/payouts/files/actions";
import { PAYOUT_FILES, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { PayoutFilesView } from "@/lib/finance/payout-files";

export async function FileDialogs({ view, given }: { view: PayoutFilesView; given: GivenParameters }) {
  const [t, { money }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const doing = oneOf(given, "do");
  const reason = { name: "reason", label: t("filesReason"), kind: "long" as const, isRequired: true };
  const payer = view.payers.find(({ merchantId }) => merchantId === oneOf(given, "merchant"));
  if (doing === "make" && payer && payer.transfers > 0) {
    return (
      <ActionDialog
        title={t("filesMake")}
        text={t("filesMakeText", { count: payer.transfers, amount: money(payer.amount) })}
        closeHref={PAYOUT_FILES}
      >
        <TaskForm
          hidden={{ id: payer.merchantId }}
          closeHref={PAYOUT_FILES}
          onAct={makeFileAction}
          texts={await taskTexts(t("filesMake"))}
          fields={[reason]}
        />
      </ActionDialog>
    );
  }
  if (doing !== "return" || view.payers.length === 0) return null;
  return (
    <ActionDialog title={t("returnUpload")} text={t("returnUploadText")} closeHref={PAYOUT_FILES}>
      <TaskForm
        closeHref={PAYOUT_FILES}
        onAct={bringReturnAction}
        texts={await taskTexts(t("returnUpload"))}
        fields={[
          {
            name: "merchant",
            label: t("merchant"),
            kind: "choice",
            initial: view.payers[0]?.merchantId,
            options: view.payers.map(({ merchantId, merchant }) => ({
              value: merchantId,
              label: merchant ?? merchantId,
            })),
          },
          { name: "file", label: t("filesFile"), hint: t("returnFileHint"), kind: "file", isRequired: true },
        ]}
      />
    </ActionDialog>
  );
}
