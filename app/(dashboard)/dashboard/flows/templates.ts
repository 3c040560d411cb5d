import type { FlowNode } from "@/lib/flows/rules/nodes";

/** Where a new flow may start; each is whole, so that it can be kept as a draft at once. */
export const TEMPLATES = {
  empty: { least: 0, root: () => [] },
  priority: { least: 0, root: (ids) => ids.slice(0, MOST).map(to) },
  large: {
    least: 2,
    root: ([first = "", second = ""]) => [
      {
        rule: "condition",
        id: "large",
        if: { field: "amount", operator: "gte", value: 50_000 },
        then: [to(second), to(first)],
        else: [to(first), to(second)],
      },
    ],
  },
  half: {
    least: 2,
    root: ([first = "", second = ""]) => [
      {
        rule: "share",
        id: "half",
        by: "bucket",
        weights: [
          { weight: 50, then: [to(first), to(second)] },
          { weight: 50, then: [to(second), to(first)] },
        ],
      },
    ],
  },
  best: {
    least: 2,
    root: (ids) => [
      {
        rule: "best",
        id: "best",
        ids: ids.slice(0, MOST),
        by: "approval",
        window: 200,
        explore: 5,
        minimum: 30,
      },
    ],
  },
} as const satisfies Record<string, Template>;

interface Template {
  /** Providers it needs. */
  least: number;
  root: (providerIds: readonly string[]) => FlowNode[];
}

export type TemplateName = keyof typeof TEMPLATES;
// Object.keys of the literal gives exactly its keys.
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

const MOST = 3;
const to = (id: string): FlowNode => ({ rule: "provider", id });
