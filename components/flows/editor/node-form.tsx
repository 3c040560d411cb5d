"use client";

import { useTranslations } from "next-intl";
import { useEditing } from "@/components/flows/editor/context";
import { Choice, Chosen, WholeNumber } from "@/components/flows/editor/inputs";
import { ShareForm } from "@/components/flows/editor/share-form";
import { TestForm } from "@/components/flows/editor/test-form";
import { type Slot, slotAddress } from "@/components/flows/editor/tree";
import { type BestNode, CHALLENGE_MODES, type FlowNode, MEASURES, type ProviderNode } from "@/lib/flows/rules/nodes";

interface NodeFormProps {
  slot: Slot;
  node: FlowNode;
  isAfterDecline: boolean;
}

/** What one step is made of; each change takes effect in the tree at once. */
export function NodeForm({ slot, node, isAfterDecline }: NodeFormProps) {
  const { replace } = useEditing();
  const change = (next: FlowNode) => replace(slot, next);
  return (
    <div data-form={slotAddress(slot)} className="grid gap-4 border-line border-t px-3 py-3">
      {node.rule === "provider" ? <ProviderForm node={node} onChange={change} /> : null}
      {node.rule === "antifraud" ? <AnalystForm id={node.id} onChange={(id) => change({ ...node, id })} /> : null}
      {node.rule === "condition" ? (
        <TestForm test={node.if} isAfterDecline={isAfterDecline} onChange={(test) => change({ ...node, if: test })} />
      ) : null}
      {node.rule === "share" ? <ShareForm node={node} onChange={change} /> : null}
      {node.rule === "best" ? <BestForm node={node} onChange={change} /> : null}
      {node.rule === "challenge" ? (
        <ChallengeForm mode={node.mode} onChange={(mode) => change({ ...node, mode })} />
      ) : null}
    </div>
  );
}

/** The chosen one stays in the list, also when it is no longer offered. */
function useOffered(isAntifraud: boolean, chosen: string) {
  const t = useTranslations("flows");
  const { providers } = useEditing();
  const offered = providers.filter((one) => one.isAntifraud === isAntifraud && (isAntifraud || one.takesMethod));
  const options = offered.map(({ id, name }) => ({ value: id, label: name }));
  if (options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: chosen === "" ? t("lintChoose") : t("unknownProvider") }, ...options];
}

function ProviderForm({ node, onChange }: { node: ProviderNode; onChange: (node: FlowNode) => void }) {
  const t = useTranslations("flows");
  const { declines } = useEditing();
  const options = useOffered(false, node.id);
  const { on } = node;
  return (
    <>
      <Choice label={t("provider")} value={node.id} options={options} onChange={(id) => onChange({ ...node, id })} />
      <Chosen
        label={t("whenDeclined")}
        hint={t("whenDeclinedHint")}
        options={Object.entries(declines).map(([value, label]) => ({ value, label }))}
        chosen={on?.declined ?? []}
        onChange={(declined) => {
          const { on: _, ...plain } = node;
          // With the last reason its steps go too; undo brings both back.
          onChange(declined.length === 0 ? plain : { ...plain, on: { declined, then: on?.then ?? [] } });
        }}
      />
    </>
  );
}

function AnalystForm({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const t = useTranslations("flows");
  const options = useOffered(true, id);
  return <Choice label={t("analyst")} value={id} options={options} onChange={onChange} />;
}

const MEASURE_TEXTS = { approval: "byApproval", cost: "byCost", latency: "byLatency" } as const;

function BestForm({ node, onChange }: { node: BestNode; onChange: (node: FlowNode) => void }) {
  const t = useTranslations("flows");
  const options = useOffered(false, node.ids[0] ?? "");
  return (
    <>
      <Choice
        label={t("bestBy")}
        value={node.by}
        options={MEASURES.map((one) => ({ value: one, label: t(MEASURE_TEXTS[one]) }))}
        onChange={(value) => onChange({ ...node, by: MEASURES.find((one) => one === value) ?? node.by })}
      />
      <Chosen
        label={t("bestOf")}
        hint={t("bestOfHint")}
        isOpen
        options={options}
        chosen={node.ids}
        onChange={(ids) => onChange({ ...node, ids })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <WholeNumber
          label={t("bestWindow")}
          hint={t("bestWindowHint")}
          value={node.window}
          onChange={(window) => onChange({ ...node, window })}
        />
        <WholeNumber
          label={t("bestExplore")}
          hint={t("bestExploreHint")}
          value={node.explore}
          onChange={(explore) => onChange({ ...node, explore })}
        />
        <WholeNumber
          label={t("bestMinimum")}
          hint={t("bestMinimumHint")}
          value={node.minimum}
          onChange={(minimum) => onChange({ ...node, minimum })}
        />
      </div>
    </>
  );
}

type Mode = (typeof CHALLENGE_MODES)[number];

function ChallengeForm({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const t = useTranslations("flows");
  return (
    <Choice
      label={t("challengeMode")}
      value={mode}
      options={CHALLENGE_MODES.map((one) => ({
        value: one,
        label: one === "required" ? t("challengeRequired") : t("challengeData"),
      }))}
      onChange={(value) => onChange(CHALLENGE_MODES.find((one) => one === value) ?? mode)}
    />
  );
}
