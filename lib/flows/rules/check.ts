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
  /** The branch that it took last while no provider was reached. */
  branch: string | undefined;
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
  for (const { waiting } of waysThrough(checking, root)) {
    if (waiting) fault(checking, waiting, "no provider comes after the analysis");
  }
  return checking.unavailable;
}

const ANY_PROVIDER: Surroundings = { paymentMethod: "credit", provider: () => undefined };

/**
 * The branches whose payments reach no provider, by their places (`root[0].else`): their merchant's priorities decide
 * then. `root` where the flow itself leads to none; a flow without nodes says that by itself.
 */
export function unroutedIn(root: readonly Readable[]): Set<string> {
  if (root.length === 0) return new Set();
  const checking: Checking = { faults: new Map(), surroundings: ANY_PROVIDER, unavailable: new Set() };
  const unrouted = waysThrough(checking, root).filter(({ providers }) => providers.length === 0);
  return new Set(unrouted.map(({ branch }) => branch ?? "root"));
}

const waysThrough = (checking: Checking, root: readonly Readable[]): readonly Way[] =>
  through(checking, root, "root", [
    { branch: undefined, providers: [], hasAnalyst: false, waiting: undefined, domains: {} },
  ]);

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
      return node.weights.flatMap(({ then }, index) => {
        const side = `${at}.weights[${index}].then`;
        return through(checking, then, side, entering(ways, side));
      });
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
  return ways.length === 0 ? [] : through(checking, nodes, at, entering(ways, at));
}

const entering = (ways: readonly Way[], branch: string): readonly Way[] =>
  ways.map((way) => (way.providers.length === 0 ? { ...way, branch } : way));

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
    const reached = { ...way, branch: undefined, waiting: undefined };
    if (providers.length <= most) return { ...reached, providers };
    fault(checking, at, `more than ${MOST_PROVIDERS} providers on a path`);
    return reached;
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
