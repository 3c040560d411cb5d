import { holds } from "@/lib/flows/rules/compare";
import { type AfterDecline, type FlowFacts, factOf } from "@/lib/flows/rules/facts";
import {
  type BestNode,
  type ChallengeMode,
  type FieldComparison,
  type FlowNode,
  type FlowNodes,
  MOST_PROVIDERS,
  type ProviderNode,
  type Scalar,
  type ShareNode,
  type Test,
} from "@/lib/flows/rules/nodes";
import { drawn, drawnPercent } from "@/lib/flows/rules/side";

/** What is evaluated: a version's nodes, drawn for its family, so that a new version moves nobody. */
export interface EvaluatedFlow {
  family: string;
  root: FlowNodes;
}

/** Of the last attempts of a provider, for payments like this one. */
export interface MeasuredProvider {
  n: number;
  value: number;
}
/** By node and provider. */
export type Measures = Readonly<Record<string, Readonly<Record<string, MeasuredProvider>>>>;

export interface ProviderRegistry {
  /** Why a provider or an analyst cannot take this payment; null when it can. */
  lacks(id: string): string | null;
  measures?: Measures;
}

/** A provider in the order of a plan, and what comes instead of the rest after a decline that the flow names. */
export interface Step {
  id: string;
  on?: Readonly<Record<string, readonly Step[]>>;
}

export interface EvaluatedPlan {
  /** The nodes that were passed, with the side taken: `n1:then`, `s1:0`, a provider's id. */
  path: string[];
  analyst: string | null;
  challenge: ChallengeMode | null;
  /** First choice first. */
  providers: string[];
  /** The same with its alternatives after declines, where the flow has any. */
  steps: readonly Step[];
  skipped: { id: string; why: string }[];
  /** `empty`: no provider was reached, and the merchant's priorities hold. `all_skipped`: nobody can take it. */
  reason: "flow" | "empty" | "all_skipped";
  /** Drawn for the buyer, where the flow asked for it. */
  bucket: number | null;
  /** Those that the order was made of. */
  measures: Measures;
}

/** What a condition saw. */
export interface SeenNode {
  id: string;
  field: string;
  operator: string;
  value: FieldComparison["value"];
  seen: Scalar | null;
  holds: boolean;
}

interface Reached {
  id: string;
  on?: NonNullable<ProviderNode["on"]>;
}

interface Run {
  facts: FlowFacts;
  family: string;
  registry: ProviderRegistry;
  path: string[];
  analysts: string[];
  challenge: ChallengeMode | null;
  bucket: number | null;
  measures: Record<string, Readonly<Record<string, MeasuredProvider>>>;
  seen: SeenNode[] | undefined;
}

/** Pure: no clock, nothing read. `seen` collects what each condition on the path saw. */
export function evaluate(
  facts: FlowFacts,
  { family, root }: EvaluatedFlow,
  registry: ProviderRegistry,
  seen?: SeenNode[],
): EvaluatedPlan {
  const run: Run = {
    facts,
    family,
    registry,
    path: [],
    analysts: [],
    challenge: null,
    bucket: null,
    measures: {},
    seen,
  };
  const reached: Reached[] = [];
  walk(run, root, undefined, reached);
  const steps = stepsOf(run, reached, 0, 1, []);
  const providers = steps.map(({ id }) => id);
  return {
    path: run.path,
    analyst: run.analysts.find((id) => registry.lacks(id) === null) ?? null,
    challenge: run.challenge,
    providers,
    steps,
    skipped: skippedOf(run, reached, providers),
    reason: reached.length === 0 ? "empty" : providers.length === 0 ? "all_skipped" : "flow",
    bucket: run.bucket,
    measures: run.measures,
  };
}

/** Collects the providers in the order they are reached. */
function walk(run: Run, nodes: FlowNodes, after: AfterDecline | undefined, reached: Reached[]): void {
  for (const node of nodes) visit(run, node, after, reached);
}

function visit(run: Run, node: FlowNode, after: AfterDecline | undefined, reached: Reached[]): void {
  switch (node.rule) {
    case "provider":
      note(run, after, node.id);
      reached.push(node.on ? { id: node.id, on: node.on } : { id: node.id });
      return;
    case "antifraud":
      note(run, after, node.id);
      if (!after) run.analysts.push(node.id);
      return;
    case "challenge":
      note(run, after, node.id);
      if (!after) run.challenge ??= node.mode;
      return;
    case "condition": {
      const isTrue = passes(run, node.id, node.if, after);
      note(run, after, `${node.id}:${isTrue ? "then" : "else"}`);
      walk(run, isTrue ? node.then : node.else, after, reached);
      return;
    }
    case "share": {
      const side = sideOf(run, node);
      note(run, after, `${node.id}:${side}`);
      walk(run, node.weights[side]?.then ?? [], after, reached);
      return;
    }
    case "best": {
      const { ids, isExplored } = orderOf(run, node);
      note(run, after, isExplored ? `${node.id}:explore` : node.id);
      for (const id of ids) reached.push({ id });
    }
  }
}

/** What is walked after a decline leaves no trace of its own. */
function note({ path }: Run, after: AfterDecline | undefined, entry: string): void {
  if (!after) path.push(entry);
}

function passes(run: Run, id: string, test: Test, after: AfterDecline | undefined): boolean {
  if ("all" in test) return !holdsAny(run, id, test.all, after, false);
  if ("any" in test) return holdsAny(run, id, test.any, after, true);
  const seen = seenBy(run, test.field, after);
  const isTrue = holds(test, seen);
  if (!after) run.seen?.push({ id, ...test, seen: seen ?? null, holds: isTrue });
  return isTrue;
}

/** Whether one of them is as asked. Whoever wants to see what was seen wants all of it, not only as much as decides. */
function holdsAny(
  run: Run,
  id: string,
  tests: readonly Test[],
  after: AfterDecline | undefined,
  asked: boolean,
): boolean {
  let isFound = false;
  for (const test of tests) {
    if (passes(run, id, test, after) === asked) isFound = true;
    if (isFound && !run.seen) return true;
  }
  return isFound;
}

function seenBy(run: Run, field: string, after: AfterDecline | undefined): Scalar | undefined {
  if (field === "random") return run.facts.random ?? drawnPercent(run.family, run.facts.unit);
  if (field !== "bucket") return factOf(run.facts, field, after);
  return bucketOf(run);
}

function bucketOf(run: Run): number {
  run.bucket ??= run.facts.bucket ?? drawnPercent(run.family, run.facts.buyer);
  return run.bucket;
}

/** Drawn with the node's id, so that shares inside shares are independent of each other. */
function sideOf(run: Run, { id, by, weights }: ShareNode): number {
  if (by === "bucket") bucketOf(run);
  const { facts } = run;
  const place = facts[by] ?? drawnPercent(run.family, id, by === "bucket" ? facts.buyer : facts.unit);
  let end = 0;
  return weights.findIndex(({ weight }) => {
    end += weight;
    return place < end;
  });
}

function orderOf(run: Run, node: BestNode): { ids: readonly string[]; isExplored: boolean } {
  const ordered = byMeasure(run, node);
  const draw = drawn(run.family, node.id, "explore", run.facts.unit);
  if (draw % 100 >= node.explore) return { ids: ordered, isExplored: false };
  const other = 1 + (Math.floor(draw / 100) % (ordered.length - 1));
  const first = ordered[other] ?? "";
  return { ids: [first, ...ordered.filter((id) => id !== first)], isExplored: true };
}

function byMeasure(run: Run, { id: node, ids, by, minimum }: BestNode): readonly string[] {
  const measured = run.registry.measures?.[node];
  if (!measured) return ids;
  run.measures[node] = measured;
  const valueOfId = (id: string): MeasuredProvider | undefined =>
    Object.hasOwn(measured, id) ? measured[id] : undefined;
  if (ids.some((id) => (valueOfId(id)?.n ?? 0) < minimum)) return ids;
  const sign = by === "approval" ? -1 : 1;
  // Sorting keeps equal ones as they were written.
  return ids.toSorted((a, b) => sign * ((valueOfId(a)?.value ?? 0) - (valueOfId(b)?.value ?? 0)));
}

/** From the `at`th that was reached on: those who can, none twice, at most three attempts in all. */
function stepsOf(
  run: Run,
  reached: readonly Reached[],
  at: number,
  attempt: number,
  tried: readonly string[],
): readonly Step[] {
  if (attempt > MOST_PROVIDERS) return [];
  const next = reached.findIndex(
    ({ id }, place) => place >= at && !tried.includes(id) && run.registry.lacks(id) === null,
  );
  const provider = reached[next];
  if (!provider) return [];
  const { id, on } = provider;
  const triedThen = [...tried, id];
  const rest = stepsOf(run, reached, next + 1, attempt + 1, triedThen);
  if (!on || attempt === MOST_PROVIDERS) return [{ id }, ...rest];
  const instead = on.declined.map((code) => {
    const inserted: Reached[] = [];
    walk(run, on.then, { attempt: attempt + 1, previousDecline: code }, inserted);
    const steps = stepsOf(run, [...inserted, ...reached.slice(next + 1)], 0, attempt + 1, triedThen);
    return [code, steps] as const;
  });
  return [{ id, on: Object.fromEntries(instead) }, ...rest];
}

function skippedOf(
  { registry, analysts }: Run,
  reached: readonly Reached[],
  providers: readonly string[],
): EvaluatedPlan["skipped"] {
  const skipped = new Map<string, string>();
  for (const id of analysts) {
    const why = registry.lacks(id);
    if (why !== null) skipped.set(id, why);
  }
  for (const { id } of reached) {
    if (!providers.includes(id)) skipped.set(id, registry.lacks(id) ?? "beyond_three");
  }
  return [...skipped].map(([id, why]) => ({ id, why }));
}
