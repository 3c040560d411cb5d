import { DomainError } from "@/lib/errors";
import {
  type EvaluatedPlan,
  evaluate,
  type Measures,
  type ProviderRegistry,
  type SeenNode,
} from "@/lib/flows/rules/evaluate";
import type { Choices, DecidingFlow } from "@/lib/payments/routing/choices";
import { decideRoute, lackOf, type RouteDecision } from "@/lib/payments/routing/decide";
import type { RoutingFacts } from "@/lib/payments/routing/facts";
import { circuitOf } from "@/lib/payments/routing/health";
import { isAntifraudKind } from "@/lib/providers/kinds";

/** By the merchant's active flow, and by its priorities where it has none or the flow names nobody. */
export function decide(facts: RoutingFacts, choices: Choices, measures?: Measures, seen?: SeenNode[]): RouteDecision {
  const { flow, rows } = choices;
  if (!flow) return decideRoute(facts, rows, isOut);
  const plan = evaluate(facts, flow, registryOf(facts, choices, measures), seen);
  const decided = { ...ofPlan(plan, flow), fraudProvider: facts.fraudAnalysis ? plan.analyst : null };
  if (plan.reason === "empty") return byPriority(facts, choices, decided);
  return { ...decided, refusal: plan.reason === "all_skipped" ? nobody(plan) : null };
}

/** The flow says who analyses, and leaves the order to the merchant. */
function byPriority(facts: RoutingFacts, { rows }: Choices, decided: Omit<RouteDecision, "refusal">): RouteDecision {
  const { path, providers, skipped, refusal } = decideRoute(facts, rows, isOut);
  return {
    ...decided,
    path: [...decided.path, ...path],
    providers,
    steps: providers.map((id) => ({ id })),
    skipped: [...decided.skipped, ...skipped.filter(({ id }) => decided.skipped.every((one) => one.id !== id))],
    refusal,
  };
}

function ofPlan(
  { path, providers, steps, skipped, challenge, bucket, measures }: EvaluatedPlan,
  { id, version }: DecidingFlow,
) {
  return { flow: { id, version }, path, providers, steps, skipped, challenge, bucket, measures };
}

/** Who cannot take this payment now, and why not. */
export function registryOf(facts: RoutingFacts, { rows, elsewhere }: Choices, measures?: Measures): ProviderRegistry {
  const known = new Map<string, string | null>();
  return {
    ...(measures ? { measures } : {}),
    lacks(id) {
      const said = known.get(id);
      if (said !== undefined) return said;
      const row = rows.find((one) => one.id === id);
      const why = row ? whyNot(facts, row) : (elsewhere.get(id) ?? "deleted");
      known.set(id, why);
      return why;
    },
  };
}

const isOut = (row: Choices["rows"][number]): boolean => circuitOf(row) === "open";

function whyNot(facts: RoutingFacts, row: Choices["rows"][number]): string | null {
  if (row.pausedAt) return "paused";
  if (!row.routable) return "kind_not_available";
  if (isAntifraudKind(row.kind)) return null;
  return lackOf(row, facts) ?? (isOut(row) ? "circuit_open" : null);
}

const nobody = ({ skipped }: EvaluatedPlan): DomainError =>
  new DomainError("provider_not_available", "no provider of the flow can take this payment", {
    details: skipped.map(({ id, why }) => `${id}: ${why}`),
  });
