import { getTranslations } from "next-intl/server";
import { outcomeWords } from "@/app/(dashboard)/dashboard/developers/sandbox/outcome-words";
import { partsOfScenario, type ScenarioFault, type ScenarioTarget } from "@/lib/providers/sandbox/api/scenario-parts";

const FAULT_TEXTS = {
  drop_request: "faultDropRequest",
  drop_response: "faultDropResponse",
  http_status: "faultHttpStatus",
  truncate: "faultTruncate",
  delay: "faultDelay",
  duplicate_webhook: "faultDuplicateWebhook",
  reorder_webhook: "faultReorderWebhook",
  bad_signature: "faultBadSignature",
  clock_skew: "faultClockSkew",
} as const satisfies Record<ScenarioFault, string>;

/** What a stored fault does; undefined where only what was written says it. */
export async function scenarioWords(): Promise<(text: string) => string | undefined> {
  const [t, meaning] = await Promise.all([getTranslations("sandbox"), outcomeWords()]);
  return (text) => {
    const parts = partsOfScenario(text);
    if (!parts) return undefined;
    const { outcome, fault, latencyMs } = parts;
    const said = [
      ...(outcome ? [meaning(outcome)] : []),
      ...(fault ? [t(FAULT_TEXTS[fault])] : []),
      ...(latencyMs === undefined ? [] : [t("faultLatency", { ms: latencyMs })]),
    ];
    return said.length > 0 ? said.join(" · ") : undefined;
  };
}

/** As the rest of the dashboard names what a fault is for. */
export function targetObject(target: ScenarioTarget): { action: string; object: string; objectId: string } {
  if ("cardId" in target) return { action: "", object: "card", objectId: target.cardId };
  if ("customerId" in target) return { action: "", object: "customer", objectId: target.customerId };
  return { action: "", object: "merchant", objectId: target.merchantId };
}
