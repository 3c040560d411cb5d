import { getTranslations } from "next-intl/server";
import { changePayoutsAction } from "@/app/(dashboard)/dashboard/merchants/actions";
import { PAYOUT_FIELDS, RAIL_TEXTS } from "@/app/(dashboard)/dashboard/merchants/payout-fields";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import type { PayoutAccount } from "@/db/schema/merchants";
import { PAYOUT_RAILS } from "@/db/schema/payouts";
import type { MerchantRow } from "@/lib/merchants/queries";

interface PayoutsDialogProps {
  merchant: MerchantRow;
  isSandbox: boolean;
  path: string;
}

/** How its sellers are paid. */
export async function PayoutsDialog({ merchant, isSandbox, path }: PayoutsDialogProps) {
  const t = await getTranslations("merchants");
  const rails = PAYOUT_RAILS.filter((rail) => rail !== "sandbox" || isSandbox);
  // Guarantee: the table has the members of an account, and nothing else.
  const names = Object.keys(PAYOUT_FIELDS) as (keyof PayoutAccount)[];
  const account = names.map((name, index): TaskField => {
    const { wording, isRequired } = PAYOUT_FIELDS[name];
    return {
      name,
      label: isRequired ? t(wording) : t("payoutOptional", { label: t(wording) }),
      initial: merchant.payoutAccount?.[name] ?? "",
      when: "filed",
      ...(index === 0 ? { part: t("payoutAccount") } : {}),
    };
  });
  return (
    <ActionDialog title={t("payoutTitle")} text={t("payoutText")} closeHref={path}>
      <TaskForm
        hidden={{ id: merchant.id }}
        onAct={changePayoutsAction}
        closeHref={path}
        texts={await taskTexts(t("save"))}
        fields={[
          {
            name: "payoutRail",
            label: t("payoutRail"),
            hint: t("payoutRailHint"),
            kind: "choice",
            initial: merchant.payoutRail,
            options: rails.map((rail) => ({ value: rail, label: t(RAIL_TEXTS[rail]) })),
          },
          ...account,
        ]}
      />
    </ActionDialog>
  );
}
