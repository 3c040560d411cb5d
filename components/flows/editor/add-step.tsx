"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useEditing } from "@/components/flows/editor/context";
import { comparisonOf } from "@/components/flows/editor/fields";
import { addMark, focusFormOf } from "@/components/flows/editor/focus";
import { freshId, listKey, type Slot, slotAddress, triedBefore } from "@/components/flows/editor/tree";
import { Button } from "@/components/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";
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

/** Adds a step that is whole, with its form open and the focus in it. */
export function AddStep({ slot, isAfterDecline, within }: AddStepProps) {
  const t = useTranslations("flows");
  const { add, setOpen, providers, root, method } = useEditing();
  const added = useRef<string>(undefined);
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
      case "provider": {
        const tried = triedBefore(root, slot);
        return { rule, id: payable.find((one) => !tried.has(one.id))?.id ?? first ?? "" };
      }
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
    <Dropdown>
      <DropdownTrigger asChild>
        <Button
          tone="quiet"
          className="mt-1"
          data-mark={addMark("step", listKey(slot.list))}
          aria-label={t("addWithin", { within })}
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DropdownTrigger>
      <DropdownContent
        align="start"
        onCloseAutoFocus={(event) => {
          if (added.current === undefined) return;
          event.preventDefault();
          focusFormOf(added.current);
          added.current = undefined;
        }}
      >
        {offered.map((rule) => (
          <DropdownItem
            key={rule}
            onSelect={() => {
              added.current = slotAddress(slot);
              add(slot, made(rule));
              setOpen(added.current);
            }}
          >
            {t(STEP_TEXTS[rule])}
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
