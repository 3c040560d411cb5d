import { useTranslations } from "next-intl";
import { type FlowNames, useFlowWords } from "@/components/flows/words";
import { Badge } from "@/components/ui/badge";
import type { SeenNode } from "@/lib/flows/rules/evaluate";
import type { FieldComparison, Operator } from "@/lib/flows/rules/nodes";

interface ConditionsSeenProps {
  conditions: readonly SeenNode[];
  names: FlowNames;
}

/** What each condition on the way compared with what. */
export function ConditionsSeen({ conditions, names }: ConditionsSeenProps) {
  const words = useFlowWords(names);
  const t = useTranslations("flows");
  if (conditions.length === 0) return null;
  return (
    <section className="px-5 pb-2">
      <h3 className="mb-1 font-medium text-ink text-sm">{t("conditionTitle")}</h3>
      <ul className="grid gap-1 text-sm">
        {conditions.map(({ id, field, operator, value, seen, holds }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one node may compare a field twice, and the list never changes
          <li key={`${id} ${place}`} className="flex flex-wrap items-center gap-2 text-ink-2">
            <Badge tone={holds ? "success" : "neutral"}>{holds ? t("conditionHeld") : t("conditionFailed")}</Badge>
            <span>{words.test(comparisonOf(field, operator, value))}</span>
            <span className="text-ink-3 text-xs">
              {seen === null ? t("conditionMissing") : t("conditionSaw", { value: words.value(field, seen) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Guarantee: what was seen came from a comparison.
const comparisonOf = (field: string, operator: string, value: FieldComparison["value"]): FieldComparison => ({
  field,
  operator: operator as Operator,
  value,
});
