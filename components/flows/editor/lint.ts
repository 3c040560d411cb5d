import { branchesOf, type ListPath, slotAddress } from "@/components/flows/editor/tree";
import { checkFlow, type NamedProvider, unroutedIn } from "@/lib/flows/rules/check";
import type { FlowNode, FlowNodes, Test } from "@/lib/flows/rules/nodes";
import { readRoot } from "@/lib/flows/rules/read";

/** A provider as the editor knows it. */
export interface EditedProvider extends NamedProvider {
  id: string;
  name: string;
  isPaused: boolean;
  /** Null: it takes any number. */
  mostInstallments: number | null;
}

/** What is wrong; the first that fits a fault of the rules. */
const FAULTS = [
  [/^id must be the id of a provider/, "choose"],
  [/is no provider$/, "gone"],
  [/is a provider of another merchant$/, "otherMerchant"],
  [/analyses payments and takes none$/, "analyst"],
  [/analyses no payments$/, "noAnalyst"],
  [/does not offer/, "method"],
  [/^more than \d+ providers on a path$/, "three"],
  [/^unreachable/, "unreachable"],
  [/^no provider comes after/, "analysisLast"],
  [/^more than one analysis/, "twoAnalyses"],
  [/^an analysis is for credit/, "analysisCredit"],
  [/^a challenge is for cards/, "challengeCards"],
  [/comes before the first provider/, "before"],
  [/^weights must/, "weights"],
  [/^deeper than/, "depth"],
  [/^more than \d+ nodes/, "count"],
  [/^ids must be/, "ranked"],
  [/^on: needs/, "declines"],
  [/^trial:/, "trial"],
  [/^(window|explore|minimum) must/, "numbers"],
] as const;
export type FaultCode = (typeof FAULTS)[number][1] | "value" | "unavailable";
export type WarningCode = "paused" | "installments" | "noFallback" | "unrouted";

export interface Lint {
  /** By address of the node; `unrouted` by that of the branch. */
  faults: ReadonlyMap<string, FaultCode>;
  warnings: ReadonlyMap<string, WarningCode>;
}

/** Everything that keeps a flow from being saved, and what should be looked at before it decides. */
export function lintOf(root: FlowNodes, paymentMethod: string, providers: readonly EditedProvider[]): Lint {
  const { root: read, faults } = readRoot(root);
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const unavailable = checkFlow(read, faults, { paymentMethod, provider: (id) => byId.get(id) });
  const found = new Map<string, FaultCode>();
  for (const [at, why] of faults) found.set(nodeOf(at), FAULTS.find(([text]) => text.test(why))?.[1] ?? "value");
  const warnings = new Map<string, WarningCode>();
  warn(root, [], 0, { byId, unavailable, warnings, found });
  for (const branch of unroutedIn(read)) warnings.set(branch, "unrouted");
  if (found.size === 0 && !warnings.has("root") && [...reachedBy(root)].some((way) => way !== NONE && way !== SEVERAL))
    warnings.set("root", "noFallback");
  return { faults: found, warnings };
}

/** A fault of a list is shown at the node it belongs to. */
const nodeOf = (at: string): string => at.replace(/\.(then|else|on\.then|weights\[\d+\]\.then)$/, "");

interface Warning {
  byId: ReadonlyMap<string, EditedProvider>;
  unavailable: ReadonlySet<string>;
  warnings: Map<string, WarningCode>;
  found: Map<string, FaultCode>;
}

function warn(nodes: FlowNodes, list: ListPath, least: number, warning: Warning): void {
  for (const [at, node] of nodes.entries()) {
    const address = slotAddress({ list, at });
    const named =
      node.rule === "best" ? node.ids : node.rule === "provider" || node.rule === "antifraud" ? [node.id] : [];
    for (const provider of named.flatMap((id) => warning.byId.get(id) ?? [])) {
      if (warning.unavailable.has(provider.kind) && !provider.isAvailable) warning.found.set(address, "unavailable");
      else if (provider.isPaused) warning.warnings.set(address, "paused");
      else if (provider.mostInstallments !== null && least > provider.mostInstallments) {
        warning.warnings.set(address, "installments");
      }
    }
    for (const { way, nodes: inside } of branchesOf(node)) {
      const isThen = node.rule === "condition" && way[0] === "then";
      const floor = isThen ? Math.max(least, leastInstallments(node.if)) : least;
      warn(inside, [...list, at, ...way], floor, warning);
    }
  }
}

function leastInstallments(test: Test): number {
  if ("all" in test) return Math.max(0, ...test.all.map(leastInstallments));
  if ("any" in test || test.field !== "installments" || typeof test.value !== "number") return 0;
  if (test.operator === "gt") return test.value + 1;
  return test.operator === "gte" || test.operator === "eq" ? test.value : 0;
}

const NONE = "none";
const SEVERAL = "several";

/** What the ways through these nodes reach: nobody, one provider by its id, however often it is named, or several. */
const reachedBy = (nodes: FlowNodes): Set<string> =>
  nodes.reduce(
    (before, node) => {
      const after = new Set<string>();
      for (const one of before) for (const more of waysOf(node)) after.add(together(one, more));
      return after;
    },
    new Set([NONE]),
  );

function together(one: string, more: string): string {
  if (one === NONE || one === more) return more;
  return more === NONE ? one : SEVERAL;
}

function waysOf(node: FlowNode): Set<string> {
  switch (node.rule) {
    case "provider":
      return new Set([node.id]);
    case "best":
      return new Set([SEVERAL]);
    case "condition":
      return new Set([...reachedBy(node.then), ...reachedBy(node.else)]);
    case "share":
      return new Set(node.weights.flatMap(({ then }) => [...reachedBy(then)]));
    default:
      return new Set([NONE]);
  }
}
