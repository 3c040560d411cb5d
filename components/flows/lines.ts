import { useTranslations } from "next-intl";
import { type FlowNames, type FlowWords, useFlowWords } from "@/components/flows/words";
import type { FlowNode, FlowNodes, ProviderNode } from "@/lib/flows/rules/nodes";

/** A flow read aloud: one sentence a line, what belongs to a condition indented below it. */
export interface Line {
  key: string;
  depth: number;
  text: string;
  /** The entry of a decision's path that says this line was taken. */
  entry?: string;
  /** The provider that the line begins with. */
  provider?: string;
}

export function useFlowLines(names: FlowNames): (root: FlowNodes) => Line[] {
  const t = useTranslations("flows");
  const words = useFlowWords(names);
  return (root) =>
    root.length === 0
      ? [{ key: "priority", depth: 0, text: t("byPriority") }]
      : sequence({ ...words, t }, root, 0, "root");
}

interface Words extends FlowWords {
  t: ReturnType<typeof useTranslations<"flows">>;
}

type Simple = ProviderNode;
const isSimple = (node: FlowNode): node is Simple => node.rule === "provider" && node.on === undefined;

function sequence(words: Words, nodes: FlowNodes, depth: number, at: string): Line[] {
  const lines: Line[] = [];
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place];
    if (!node) continue;
    const key = `${at}.${place}`;
    if (!isSimple(node)) {
      lines.push(...linesOfNode(words, node, depth, key));
      continue;
    }
    const run = nodes.slice(place).findIndex((one) => !isSimple(one));
    const together = nodes.slice(place, run === -1 ? undefined : place + run).filter(isSimple);
    place += together.length - 1;
    const ids = together.map(({ id }) => id);
    lines.push({ key, depth, text: words.inRow(ids), entry: node.id, provider: node.id });
  }
  return lines;
}

function linesOfNode(words: Words, node: FlowNode, depth: number, key: string): Line[] {
  const { t } = words;
  switch (node.rule) {
    case "condition": {
      const test = words.test(node.if);
      const yes = branch(words, node.then, depth, `${key}.then`, {
        entry: `${node.id}:then`,
        open: t("ruleOpen", { test }),
        closed: (steps) => t("rule", { test, steps }),
      });
      const no = branch(words, node.else, depth, `${key}.else`, {
        entry: `${node.id}:else`,
        open: t("otherwiseOpen"),
        closed: (steps) => t("otherwise", { steps }),
      });
      return node.else.length === 0 ? yes : [...yes, ...no];
    }
    case "share":
      return [
        { key, depth, text: words.node(node) },
        ...node.weights.flatMap(({ weight, then }, side) =>
          branch(words, then, depth + 1, `${key}.${side}`, {
            entry: `${node.id}:${side}`,
            open: then.length === 0 ? t("sideEmpty", { weight }) : t("sideOpen", { weight }),
            closed: (steps) => t("side", { weight, steps }),
          }),
        ),
      ];
    case "provider": {
      const [first] = sequence(words, [{ rule: "provider", id: node.id }], depth, key);
      const { on } = node;
      if (!first || !on) return [];
      const reasons = on.declined.map((code) => words.decline(code).replace(/\.$/, "")).join(" · ");
      const provider = words.provider(node.id);
      return [
        first,
        ...branch(words, on.then, depth, `${key}.on`, {
          open: t("onDeclinedOpen", { provider, reasons }),
          closed: (steps) => t("onDeclined", { provider, reasons, steps }),
        }),
      ];
    }
    default:
      return [{ key, depth, text: words.node(node), entry: node.id }];
  }
}

interface Opening {
  entry?: string;
  open: string;
  closed: (steps: string) => string;
}

/** Nothing but providers stands on the same line. */
function branch(words: Words, nodes: FlowNodes, depth: number, key: string, opening: Opening): Line[] {
  const { open, closed, entry } = opening;
  const told = entry === undefined ? {} : { entry };
  if (nodes.length > 0 && nodes.every(isSimple)) {
    const [first] = nodes;
    const line = { key, depth, text: closed(words.inRow(nodes.map(({ id }) => id))), ...told };
    return [first ? { ...line, provider: first.id } : line];
  }
  return [{ key, depth, text: open, ...told }, ...sequence(words, nodes, depth + 1, key)];
}
