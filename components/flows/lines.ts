import { useTranslations } from "next-intl";
import { type FlowNames, type FlowWords, useFlowWords } from "@/components/flows/words";
import { unroutedIn } from "@/lib/flows/rules/check";
import type { FlowNode, FlowNodes, ProviderNode } from "@/lib/flows/rules/nodes";

/** A flow read aloud: one sentence a line, what belongs to a condition indented below it. */
export interface Line {
  key: string;
  depth: number;
  text: string;
  /** The entry of a decision's path that says this line was taken: its own, else that of the branch it is in. */
  entry?: string;
  /** It leads to the lines below it: payments pass it or do not. */
  isBranch?: true;
  /** The provider that the line begins with. */
  provider?: string;
  /** Its payments reach no provider of the flow. */
  isUnrouted?: true;
}

/** Of lines that every payment passes. */
export const PASSED_BY_ALL = "root";

export function useFlowLines(names: FlowNames): (root: FlowNodes) => Line[] {
  const t = useTranslations("flows");
  const words = useFlowWords(names);
  return (root) =>
    root.length === 0 ? [{ key: "priority", depth: 0, text: t("byPriority") }] : flowLinesOf({ ...words, t }, root);
}

export function flowLinesOf(words: Omit<Words, "unrouted">, root: FlowNodes): Line[] {
  const lines = sequence({ ...words, unrouted: unroutedIn(root) }, root, {
    depth: 0,
    key: "root",
    address: "root",
    entry: PASSED_BY_ALL,
  });
  // Names alone are no sentence where nothing else is said of them.
  return root.every(isSimple)
    ? lines.map((line) => ({ ...line, text: words.t("allTo", { providers: line.text }) }))
    : lines;
}

interface Words extends Pick<FlowWords, "test" | "node" | "inRow" | "decline" | "provider" | "weight"> {
  t: ReturnType<typeof useTranslations<"flows">>;
  /** Branches whose payments reach no provider, by their places. */
  unrouted: ReadonlySet<string>;
}

type Simple = ProviderNode;
const isSimple = (node: FlowNode): node is Simple => node.rule === "provider" && node.on === undefined;

interface Place {
  depth: number;
  key: string;
  /** Of the list or the node, as warnings name it. */
  address: string;
  /** Of the branch it is in; nothing inside what follows a decline is in a path. */
  entry: string | undefined;
}

const entryOf = ({ entry }: Pick<Place, "entry">) => (entry === undefined ? {} : { entry });

function sequence(words: Words, nodes: FlowNodes, at: Place): Line[] {
  const lines: Line[] = [];
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place];
    if (!node) continue;
    const key = `${at.key}.${place}`;
    if (!isSimple(node)) {
      lines.push(...linesOfNode(words, node, { ...at, key, address: `${at.address}[${place}]` }));
      continue;
    }
    const run = nodes.slice(place).findIndex((one) => !isSimple(one));
    const together = nodes.slice(place, run === -1 ? undefined : place + run).filter(isSimple);
    place += together.length - 1;
    const ids = together.map(({ id }) => id);
    lines.push({ key, depth: at.depth, text: words.inRow(ids), ...entryOf(at), provider: node.id });
  }
  return lines;
}

function linesOfNode(words: Words, node: FlowNode, at: Place): Line[] {
  const { t } = words;
  const { depth, key } = at;
  const below = (more: string, list: string, entry: string | undefined): Place => ({
    depth,
    key: `${key}.${more}`,
    address: `${at.address}.${list}`,
    entry,
  });
  // What follows a decline is in no path.
  const within = (entry: string): string | undefined => (at.entry === undefined ? undefined : entry);
  switch (node.rule) {
    case "condition": {
      const test = words.test(node.if);
      const yes = branch(words, node.then, below("then", "then", within(`${node.id}:then`)), {
        open: t("ruleOpen", { test }),
        closed: (steps) => t("rule", { test, steps }),
      });
      const no = branch(words, node.else, below("else", "else", within(`${node.id}:else`)), {
        open: t("otherwiseOpen"),
        closed: (steps) => t("otherwise", { steps }),
      });
      return node.else.length === 0 && !words.unrouted.has(`${at.address}.else`) ? yes : [...yes, ...no];
    }
    case "share":
      return [
        { key, depth, text: words.node(node), ...entryOf(at) },
        ...node.weights.flatMap(({ weight: share, then }, side) => {
          const weight = words.weight(share);
          return branch(
            words,
            then,
            { ...below(String(side), `weights[${side}].then`, within(`${node.id}:${side}`)), depth: depth + 1 },
            {
              open: then.length === 0 ? t("sideEmpty", { weight }) : t("sideOpen", { weight }),
              closed: (steps) => t("side", { weight, steps }),
            },
          );
        }),
      ];
    case "provider": {
      const [first] = sequence(words, [{ rule: "provider", id: node.id }], at);
      const { on } = node;
      if (!first || !on) return [];
      const reasons = on.declined.map((code) => words.decline(code).replace(/\.$/, "")).join(" · ");
      const provider = words.provider(node.id);
      return [
        first,
        ...branch(words, on.then, below("on", "on.then", undefined), {
          open: t("onDeclinedOpen", { provider, reasons }),
          closed: (steps) => t("onDeclined", { provider, reasons, steps }),
        }),
      ];
    }
    default:
      return [{ key, depth, text: words.node(node), ...entryOf(at) }];
  }
}

interface Opening {
  open: string;
  closed: (steps: string) => string;
}

/** Nothing but providers stands on the same line. */
function branch(words: Words, nodes: FlowNodes, at: Place, { open, closed }: Opening): Line[] {
  const { depth, key } = at;
  const isUnrouted = words.unrouted.has(at.address);
  const told = { ...entryOf(at), isBranch: true, ...(isUnrouted ? { isUnrouted } : {}) } as const;
  if (nodes.length === 0 && isUnrouted) return [{ key, depth, text: closed(words.t("ownPriority")), ...told }];
  if (nodes.length > 0 && nodes.every(isSimple)) {
    const [first] = nodes;
    const line = { key, depth, text: closed(words.inRow(nodes.map(({ id }) => id))), ...told };
    return [first ? { ...line, provider: first.id } : line];
  }
  return [{ key, depth, text: open, ...told }, ...sequence(words, nodes, { ...at, depth: depth + 1 })];
}
