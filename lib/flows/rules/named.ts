import type { BestNode, FlowNode } from "@/lib/flows/rules/nodes";

/** Every provider and analyst that a flow names, once. */
export function namedIn(nodes: readonly (FlowNode | undefined)[]): string[] {
  return [...new Set(nodes.flatMap((node) => (node ? idsOf(node) : [])))];
}

function idsOf(node: FlowNode): string[] {
  switch (node.rule) {
    case "provider":
      return [node.id, ...namedIn(node.on?.then ?? [])].filter((id) => id !== "");
    case "antifraud":
      return node.id === "" ? [] : [node.id];
    case "condition":
      return [...namedIn(node.then), ...namedIn(node.else)];
    case "share":
      return node.weights.flatMap(({ then }) => namedIn(then));
    case "best":
      return [...node.ids];
    case "challenge":
      return [];
  }
}

/** Every node that orders by a measure. */
export function bestIn(nodes: readonly FlowNode[]): BestNode[] {
  return nodes.flatMap((node) => {
    switch (node.rule) {
      case "best":
        return [node];
      case "provider":
        return bestIn(node.on?.then ?? []);
      case "condition":
        return [...bestIn(node.then), ...bestIn(node.else)];
      case "share":
        return node.weights.flatMap(({ then }) => bestIn(then));
      default:
        return [];
    }
  });
}
