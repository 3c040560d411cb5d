import type { FlowNode, FlowNodes } from "@/lib/flows/rules/nodes";

/** Where a list of nodes stands: `[]` is the root, `[2, "then"]` the branch of its third node. */
export type ListPath = readonly (number | string)[];

/** Before which node of which list. */
export interface Slot {
  list: ListPath;
  at: number;
}

/** The branches of a node, each with its way from the node. */
export function branchesOf(node: FlowNode): { way: ListPath; nodes: FlowNodes }[] {
  switch (node.rule) {
    case "condition":
      return [
        { way: ["then"], nodes: node.then },
        { way: ["else"], nodes: node.else },
      ];
    case "share":
      return node.weights.map(({ then }, side) => ({ way: ["weights", side, "then"], nodes: then }));
    case "provider":
      return node.on ? [{ way: ["on", "then"], nodes: node.on.then }] : [];
    default:
      return [];
  }
}

export function nodesAt(root: FlowNodes, [place, ...way]: ListPath): FlowNodes {
  if (place === undefined) return root;
  const node = root[Number(place)];
  const branch = node && branchesOf(node).find((one) => startsWith(way, one.way));
  return branch ? nodesAt(branch.nodes, way.slice(branch.way.length)) : [];
}

const startsWith = (way: ListPath, beginning: ListPath): boolean =>
  beginning.every((part, place) => part === way[place]);

/** Every provider that a payment may have been sent to before it reaches a place. */
export function triedBefore(root: FlowNodes, { list, at }: Slot): ReadonlySet<string> {
  const [place, ...way] = list;
  const above = root.slice(0, place === undefined ? at : Number(place) + 1);
  const tried = above.flatMap((node) => (node.rule === "provider" ? [node.id] : node.rule === "best" ? node.ids : []));
  if (place === undefined) return new Set(tried);
  const node = root[Number(place)];
  const branch = node && branchesOf(node).find((one) => startsWith(way, one.way));
  if (!branch) return new Set(tried);
  return new Set([...tried, ...triedBefore(branch.nodes, { list: way.slice(branch.way.length), at })]);
}

/** A root in which one list is another; the nodes above it are new, all others the same. */
export function withNodes(root: FlowNodes, [place, ...way]: ListPath, nodes: FlowNodes): FlowNodes {
  if (place === undefined) return nodes;
  return root.map((node, index) => {
    if (index !== place) return node;
    const branch = branchesOf(node).find((one) => startsWith(way, one.way));
    if (!branch) return node;
    return withBranch(node, branch.way, withNodes(branch.nodes, way.slice(branch.way.length), nodes));
  });
}

function withBranch(node: FlowNode, [name, side]: ListPath, nodes: FlowNodes): FlowNode {
  switch (node.rule) {
    case "condition":
      return name === "then" ? { ...node, then: nodes } : { ...node, else: nodes };
    case "share":
      return {
        ...node,
        weights: node.weights.map((one, index) => (index === side ? { ...one, then: nodes } : one)),
      };
    case "provider":
      return node.on ? { ...node, on: { ...node.on, then: nodes } } : node;
    default:
      return node;
  }
}

export const inserted = (root: FlowNodes, { list, at }: Slot, node: FlowNode): FlowNodes =>
  withNodes(root, list, nodesAt(root, list).toSpliced(at, 0, node));

export const removed = (root: FlowNodes, { list, at }: Slot): FlowNodes =>
  withNodes(root, list, nodesAt(root, list).toSpliced(at, 1));

export const replaced = (root: FlowNodes, { list, at }: Slot, node: FlowNode): FlowNodes =>
  withNodes(root, list, nodesAt(root, list).with(at, node));

/** Every place where a node can stand, in the order in which a flow is read. */
export const slotsOf = (nodes: FlowNodes, list: ListPath = []): Slot[] => [
  ...nodes.flatMap((node, at) => [
    { list, at },
    ...branchesOf(node).flatMap(({ way, nodes: inside }) => slotsOf(inside, [...list, at, ...way])),
  ]),
  { list, at: nodes.length },
];

export const isSameSlot = (one: Slot, other: Slot): boolean =>
  one.at === other.at && listKey(one.list) === listKey(other.list);
export const listKey = (list: ListPath): string => list.join("/");

/** To the place before or after it as a flow is read: into branches and out of them. */
export function stepped(root: FlowNodes, from: Slot, by: -1 | 1): { root: FlowNodes; to: Slot } | undefined {
  const node = nodesAt(root, from.list)[from.at];
  if (!node) return undefined;
  const without = removed(root, from);
  const slots = slotsOf(without);
  const to = slots[slots.findIndex((slot) => isSameSlot(slot, from)) + by];
  return to && { root: inserted(without, to, node), to };
}

/** To a place of the tree as it stands; a node cannot be moved into itself. */
export function moved(root: FlowNodes, from: Slot, to: Slot): FlowNodes | undefined {
  const node = nodesAt(root, from.list)[from.at];
  const own = [...from.list, from.at];
  if (!node || startsWith(to.list, own)) return undefined;
  const isSameList = listKey(from.list) === listKey(to.list);
  const target = isSameList ? { ...to, at: to.at > from.at ? to.at - 1 : to.at } : afterRemoval(from, to);
  return inserted(removed(root, from), target, node);
}

/** Places behind the removed one in its list have moved up, and with them what stands in their branches. */
function afterRemoval(from: Slot, to: Slot): Slot {
  const depth = from.list.length;
  const place = to.list[depth];
  if (!startsWith(to.list, from.list) || typeof place !== "number" || place <= from.at) return to;
  return { ...to, list: to.list.with(depth, place - 1) };
}

/** As warnings name it: `root[2].then`. */
export const listAddress = (list: ListPath): string => `root${list.map(partOf).join("")}`;
/** As faults name it: `root[2].then[0]`. */
export const slotAddress = ({ list, at }: Slot): string => `${listAddress(list)}[${at}]`;
const partOf = (part: number | string): string => (typeof part === "number" ? `[${part}]` : `.${part}`);

/** An id that no node has; shares are drawn by it. */
export function freshId(root: FlowNodes): string {
  const taken = new Set(idsOf(root));
  for (let number = 1; ; number++) if (!taken.has(`n${number}`)) return `n${number}`;
}

const idsOf = (nodes: FlowNodes): string[] =>
  nodes.flatMap((node) => [
    ...("id" in node ? [node.id] : []),
    ...branchesOf(node).flatMap(({ nodes: inside }) => idsOf(inside)),
  ]);
