import { findOutcome } from "@/lib/providers/sandbox/outcomes";
import { parseScenario, type Scenario } from "@/lib/providers/sandbox/scenario";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";

export type { ScenarioTarget } from "@/lib/providers/sandbox/stored-scenarios";
export type ScenarioFault = NonNullable<Scenario["fault"]>;

interface ScenarioParts {
  outcome: SandboxOutcome | undefined;
  fault: ScenarioFault | undefined;
  latencyMs: number | undefined;
}

/** What a scenario does to the payment it is used for; undefined where it cannot be read. */
export function partsOfScenario(text: string): ScenarioParts | undefined {
  const parsed = parseScenario(text);
  if (!parsed.ok) return undefined;
  const { outcome, fault, latencyMs } = parsed.value;
  return { outcome: outcome === undefined ? undefined : findOutcome(outcome)?.name, fault, latencyMs };
}
