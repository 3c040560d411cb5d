import { type Domain, whenFalse, whenTrue, wholeDomain } from "@/lib/flows/rules/domain";
import { type FlowNode, MOST_PROVIDERS, type Test } from "@/lib/flows/rules/nodes";
import type { Faults, Readable } from "@/lib/flows/rules/read";

/** What a flow says of a provider that it names. */
export interface NamedProvider {
  kind: string;
  isAntifraud: boolean;
  /** An adapter of this installation serves it. */
  isAvailable: boolean;
  takesMethod: boolean;
  /** Of one of the merchants of the flow. */
  isOfMerchants: boolean;
}

export interface Surroundings {
  paymentMethod: string;
  provider(id: string): NamedProvider | undefined;
}

/** One of the ways a payment can have come to a node. */
interface Way {
  providers: readonly string[];
  hasAnalyst: boolean;
  /** The analysis that waits for a provider after it. */
  waiting: string | undefined;
  domains: Readonly<Record<string, Domain>>;
}

interface Checking {
  faults: Faults;
  surroundings: Surroundings;
  /** Kinds that nobody serves here: refused with a code of their own. */
  unavailable: Set<string>;
}

/** Adds what is wrong with a flow as a whole to what is wrong with single nodes. */
export function checkFlow(root: readonly Readable[], faults: Faults, surroundings: Surroundings): Set<string> {
  const checking: Checking = { faults, surroundings, unavailable: new Set() };
  const begin: Way = { providers: [], hasAnalyst: false, waiting: undefined, domains: {} };
  for (const { waiting } of through(checking, root, "root", [begin])) {
    if (waiting) fault(checking, waiting, "no provider comes after the analysis");
  }
  return checking.unavailable;
}

function fault({ faults }: Checking, at: string, why: string): void {
  if (!faults.has(at)) faults.set(at, why);
}

function through(checking: Checking, nodes: readonly Readable[], at: string, ways: readonly Way[]): readonly Way[] {
  let now = ways;
  for (const [index, node] of nodes.entries()) {
    if (node) now = distinct(past(checking, node, `${at}[${index}]`, now));
  }
  return now;
}

function past(checking: Checking, node: FlowNode, at: string, ways: readonly Way[]): readonly Way[] {
  switch (node.rule) {
    case "provider":
      return pastProvider(checking, node, at, ways);
    case "antifraud":
      return pastAnalysis(checking, node.id, at, ways);
    case "best":
      for (const id of node.ids) checkPayable(checking, id, at);
      return reaching(checking, node.ids, at, ways);
    case "share":
      return node.weights.flatMap(({ then }, index) => through(checking, then, `${at}.weights[${index}].then`, ways));
    case "condition": {
      const yes = ways.flatMap((way) => listed(passing(way, node.if, true)));
      const no = ways.flatMap((way) => listed(passing(way, node.if, false)));
      return [
        ...reachable(checking, node.then, `${at}.then`, yes),
        ...reachable(checking, node.else, `${at}.else`, no),
      ];
    }
    case "challenge":
      if (!CHALLENGED.has(checking.surroundings.paymentMethod)) fault(checking, at, "a challenge is for cards only");
      return ways;
  }
}

const CHALLENGED: ReadonlySet<string> = new Set(["credit", "debit"]);

function reachable(checking: Checking, nodes: readonly Readable[], at: string, ways: readonly Way[]): readonly Way[] {
  if (ways.length === 0 && nodes.length > 0) fault(checking, `${at}[0]`, "unreachable: a test above says the opposite");
  return ways.length === 0 ? [] : through(checking, nodes, at, ways);
}

function pastProvider(
  checking: Checking,
  { id, on }: Extract<FlowNode, { rule: "provider" }>,
  at: string,
  ways: readonly Way[],
): readonly Way[] {
  checkPayable(checking, id, at);
  const reached = reaching(checking, [id], at, ways);
  if (!on) return reached;
  const declined = reached.map((way) => ({
    ...way,
    domains: {
      ...way.domains,
      previousDecline: { ...wholeDomain("previousDecline"), only: on.declined },
      attempt: { ...wholeDomain("attempt"), least: 2 },
    },
  }));
  const after = through(checking, on.then, `${at}.on.then`, declined).map((way) => {
    const { previousDecline: _, attempt: __, ...domains } = way.domains;
    return { ...way, domains };
  });
  return [...reached, ...after];
}

function checkPayable(checking: Checking, id: string, at: string): void {
  const provider = named(checking, id, at);
  if (!provider) return;
  if (provider.isAntifraud) fault(checking, at, `${id} analyses payments and takes none`);
  else if (!provider.takesMethod && provider.isAvailable) {
    fault(checking, at, `${id} does not offer ${checking.surroundings.paymentMethod}`);
  }
}

function named({ faults, surroundings, unavailable }: Checking, id: string, at: string): NamedProvider | undefined {
  if (id === "" || faults.has(at)) return undefined;
  const provider = surroundings.provider(id);
  if (!provider) faults.set(at, `${id} is no provider`);
  else if (!provider.isOfMerchants) faults.set(at, `${id} is a provider of another merchant`);
  else if (!provider.isAvailable) unavailable.add(provider.kind);
  return faults.has(at) ? undefined : provider;
}

function reaching(checking: Checking, ids: readonly string[], at: string, ways: readonly Way[]): readonly Way[] {
  const most = Math.max(MOST_PROVIDERS, ids.length);
  return ways.map((way) => {
    const providers = [...new Set([...way.providers, ...ids])].sort();
    if (providers.length <= most) return { ...way, providers, waiting: undefined };
    fault(checking, at, `more than ${MOST_PROVIDERS} providers on a path`);
    return { ...way, waiting: undefined };
  });
}

function pastAnalysis(checking: Checking, id: string, at: string, ways: readonly Way[]): readonly Way[] {
  const provider = named(checking, id, at);
  if (provider && !provider.isAntifraud) fault(checking, at, `${id} analyses no payments`);
  if (checking.surroundings.paymentMethod !== "credit") fault(checking, at, "an analysis is for credit cards only");
  if (ways.some(({ hasAnalyst }) => hasAnalyst)) fault(checking, at, "more than one analysis on a path");
  return ways.map((way) => ({ ...way, hasAnalyst: true, waiting: at }));
}

/** With what a test says; undefined when the tests before it say the opposite. */
function passing(way: Way, test: Test, isTrue: boolean): Way | undefined {
  if ("all" in test || "any" in test) {
    const tests = "all" in test ? test.all : test.any;
    // Only when all of its tests are as one would have them does a joined test say something of each of them.
    if (tests.length > 1 && "all" in test !== isTrue) return way;
    return tests.reduce<Way | undefined>((before, one) => before && passing(before, one, isTrue), way);
  }
  const domain = Object.hasOwn(way.domains, test.field) ? way.domains[test.field] : undefined;
  const narrowed = (isTrue ? whenTrue : whenFalse)(domain ?? wholeDomain(test.field), test);
  return narrowed && { ...way, domains: { ...way.domains, [test.field]: narrowed } };
}

const listed = (way: Way | undefined): Way[] => (way ? [way] : []);

/** Beyond this many, ways are told apart by their providers alone. */
const MOST_WAYS = 400;

function distinct(ways: readonly Way[]): readonly Way[] {
  const byKey = (keyOf: (way: Way) => unknown): Way[] => [
    ...new Map(ways.map((way) => [JSON.stringify(keyOf(way)), way])).values(),
  ];
  if (ways.length < 2) return ways;
  const different = byKey((way) => way);
  if (different.length <= MOST_WAYS) return different;
  return byKey(({ domains: _, ...way }) => way).map((way) => ({ ...way, domains: {} }));
}
