import { parseScenario } from "@/lib/providers/sandbox/scenario";

/** The rules that X-Sandbox-Scenario of a request breaks; none when it can be forwarded. */
export function scenarioProblems(given: string): string[] {
  const parsed = parseScenario(given);
  return parsed.ok ? [] : parsed.problems;
}
