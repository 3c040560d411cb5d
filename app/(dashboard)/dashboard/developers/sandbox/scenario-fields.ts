import { getTranslations } from "next-intl/server";
import { outcomeWords } from "@/app/(dashboard)/dashboard/developers/sandbox/outcome-words";
import type { TaskField } from "@/components/tasks/task-input";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { SANDBOX_OUTCOMES } from "@/lib/reference/sandbox-pans";

/** Of the choice of outcomes: the fault is written out instead. */
export const WRITTEN = "written";

/** What a fault is made of: whose payments, what becomes of them, and how often. */
export async function scenarioFields(ctx: Context, role: OperatorRole): Promise<TaskField[]> {
  const [t, meaning, merchants] = await Promise.all([
    getTranslations("sandbox"),
    outcomeWords(),
    merchantsToChoose(ctx, role),
  ]);
  return [
    {
      name: "kind",
      label: t("targetKind"),
      kind: "choice",
      initial: "merchant",
      options: [
        { value: "merchant", label: t("targetMerchant") },
        { value: "customer", label: t("targetCustomer") },
        { value: "card", label: t("targetCard") },
      ],
    },
    {
      name: "merchant",
      label: t("targetMerchant"),
      kind: "choice",
      when: "ofMerchant",
      initial: merchants[0]?.id,
      options: merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
    },
    { name: "target", label: t("targetId"), when: "ofOther" },
    {
      name: "outcome",
      label: t("outcome"),
      kind: "choice",
      initial: "decline:insufficient_funds",
      options: [
        ...SANDBOX_OUTCOMES.map((outcome) => ({ value: outcome, label: meaning(outcome) })),
        { value: WRITTEN, label: t("outcomeWritten") },
      ],
    },
    {
      name: "times",
      label: t("scenarioTimes"),
      hint: t("scenarioTimesHint"),
      kind: "number",
      initial: "1",
      when: "isOutcome",
    },
    { name: "scenario", label: t("scenario"), hint: t("scenarioHint"), when: "written" },
  ];
}
