"use client";

import { useTranslations } from "next-intl";
import { useEditing } from "@/components/flows/editor/context";
import { comparisonOf } from "@/components/flows/editor/fields";
import { addMark } from "@/components/flows/editor/focus";
import { freshId, listKey, type Slot, slotAddress } from "@/components/flows/editor/tree";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";
import type { FlowNode } from "@/lib/flows/rules/nodes";

const STEP_TEXTS = {
  provider: "addProvider",
  condition: "addCondition",
  share: "addShare",
  best: "addBest",
  antifraud: "addAnalysis",
  challenge: "addChallenge",
} as const satisfies Record<FlowNode["rule"], string>;

interface AddStepProps {
  slot: Slot;
  isAfterDecline: boolean;
  /** The list it adds to, in words. */
  within: string;
}

/** Adds a step that is whole, with its form open. */
export function AddStep({ slot, isAfterDecline, within }: AddStepProps) {
  const t = useTranslations("flows");
  const { add, setOpen, providers, root, method } = useEditing();
  const payable = providers.filter(({ isAntifraud, takesMethod }) => !isAntifraud && takesMethod);
  const analysts = providers.filter(({ isAntifraud }) => isAntifraud);
  const isCard = method === "credit" || method === "debit";
  const offered: readonly FlowNode["rule"][] = [
    "provider",
    "condition",
    "share",
    ...(payable.length > 1 ? (["best"] as const) : []),
    ...(method === "credit" && analysts.length > 0 && !isAfterDecline ? (["antifraud"] as const) : []),
    ...(isCard && !isAfterDecline ? (["challenge"] as const) : []),
  ];
  const made = (rule: FlowNode["rule"]): FlowNode => {
    const [first, second] = payable.map(({ id: provider }) => provider);
    const id = freshId(root);
    switch (rule) {
      case "provider":
        return { rule, id: first ?? "" };
      case "condition":
        return { rule, id, if: comparisonOf("amount"), then: [], else: [] };
      case "share":
        return {
          rule,
          id,
          by: "bucket",
          weights: [
            { weight: 50, then: first ? [{ rule: "provider", id: first }] : [] },
            { weight: 50, then: second ? [{ rule: "provider", id: second }] : [] },
          ],
        };
      case "best":
        return {
          rule,
          id,
          ids: payable.slice(0, 3).map(({ id: provider }) => provider),
          by: "approval",
          window: 200,
          explore: 5,
          minimum: 30,
        };
      case "antifraud":
        return { rule, id: analysts[0]?.id ?? "" };
      case "challenge":
        return { rule, id, mode: "required" };
    }
  };
  return (
    <select
      data-mark={addMark("step", listKey(slot.list))}
      aria-label={t("addWithin", { within })}
      value=""
      onChange={({ target }) => {
        const rule = offered.find((one) => one === target.value);
        if (!rule) return;
        add(slot, made(rule));
        setOpen(slotAddress(slot));
      }}
      className={classes(inputLook, "mt-1 h-9 w-auto text-ink-2")}
    >
      <option value="">{t("add")}</option>
      {offered.map((rule) => (
        <option key={rule} value={rule}>
          {t(STEP_TEXTS[rule])}
        </option>
      ))}
    </select>
  );
}
