"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { addMark, besideRemoved, focusMark, focusOneOf } from "@/components/flows/editor/focus";
import { Choice, WholeNumber } from "@/components/flows/editor/inputs";
import { Button } from "@/components/ui/button";
import { type FlowNode, type ShareNode, SIDED_BY } from "@/lib/flows/rules/nodes";

const BY_TEXTS = { bucket: "shareBuyers", random: "shareRandom" } as const;
const MOST_SIDES = 10;

/** How the volume is split; the weights must add up to 100. */
export function ShareForm({ node, onChange }: { node: ShareNode; onChange: (node: FlowNode) => void }) {
  const t = useTranslations("flows");
  const weigh = (side: number, weight: number) =>
    onChange({ ...node, weights: node.weights.map((one, index) => (index === side ? { ...one, weight } : one)) });
  const remove = (side: number) => {
    onChange({ ...node, weights: node.weights.filter((_, index) => index !== side) });
    const beside = besideRemoved(side).map((one) => focusMark("side", String(one)));
    focusOneOf([...beside, addMark("side", "")]);
  };
  return (
    <>
      <Choice
        label={t("shareBy")}
        value={node.by}
        options={SIDED_BY.map((one) => ({ value: one, label: t(BY_TEXTS[one]) }))}
        onChange={(value) => onChange({ ...node, by: SIDED_BY.find((one) => one === value) ?? node.by })}
      />
      <div className="grid gap-3">
        {node.weights.map(({ weight }, side) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sides are known by their places
          <div key={side} className="flex items-end gap-2">
            <div className="w-40">
              <WholeNumber
                label={t("shareSide", { side: side + 1 })}
                value={weight}
                onChange={(value) => weigh(side, value)}
              />
            </div>
            <Button
              tone="quiet"
              size="icon"
              data-mark={focusMark("side", String(side))}
              aria-label={t("shareRemove", { side: side + 1 })}
              disabled={node.weights.length < 2}
              onClick={() => remove(side)}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
        ))}
        <div>
          <Button
            size="sm"
            data-mark={addMark("side", "")}
            disabled={node.weights.length >= MOST_SIDES}
            onClick={() => onChange({ ...node, weights: [...node.weights, { weight: 1, then: [] }] })}
          >
            <Plus aria-hidden />
            {t("shareAdd")}
          </Button>
        </div>
      </div>
      {node.weights.length > 1 ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <WholeNumber
            label={t("trialSample")}
            hint={t("trialSampleHint")}
            value={node.trial?.sample ?? Number.NaN}
            onChange={(sample) => {
              const { trial, ...plain } = node;
              onChange(Number.isNaN(sample) ? plain : { ...plain, trial: { ...trial, sample } });
            }}
          />
          {node.trial ? (
            <WholeNumber
              label={t("trialGuardrail")}
              hint={t("trialGuardrailHint")}
              value={node.trial.guardrail ?? Number.NaN}
              onChange={(guardrail) => {
                const sample = node.trial?.sample ?? 0;
                onChange({ ...node, trial: { sample, ...(Number.isNaN(guardrail) ? {} : { guardrail }) } });
              }}
            />
          ) : null}
        </div>
      ) : null}
    </>
  );
}
