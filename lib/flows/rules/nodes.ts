/** What a flow is made of (spec/contract.md 12.1, spec/routing.md 1). */
export type FlowNode = ProviderNode | AntifraudNode | ConditionNode | ShareNode | BestNode | ChallengeNode;

/** A sequence: what a node leads to is put in its place, and evaluation goes on after it. */
export type FlowNodes = readonly FlowNode[];

export interface ProviderNode {
  rule: "provider";
  id: string;
  /** Put before the rest of the sequence when the provider declines with one of these codes. */
  on?: { declined: readonly string[]; then: FlowNodes };
}

export interface AntifraudNode {
  rule: "antifraud";
  id: string;
}

export interface ConditionNode {
  rule: "condition";
  id: string;
  if: Test;
  then: FlowNodes;
  else: FlowNodes;
}

export interface ShareNode {
  rule: "share";
  id: string;
  by: SidedBy;
  weights: readonly { weight: number; then: FlowNodes }[];
  trial?: Trial;
}

/** Sides that are compared with each other; it moves no payment. */
export interface Trial {
  /** Payments of each side after which a winner may be told, announced before. */
  sample: number;
  /** Points of approval below the first side at which another one is turned off. */
  guardrail?: number;
}

export interface BestNode {
  rule: "best";
  id: string;
  ids: readonly string[];
  by: Measure;
  /** The last so many attempts of each provider count. */
  window: number;
  /** Percent of the charges that take another than the best. */
  explore: number;
  /** With fewer attempts of any of them the written order holds. */
  minimum: number;
}

export interface ChallengeNode {
  rule: "challenge";
  id: string;
  mode: ChallengeMode;
}

export const RULES = ["provider", "antifraud", "condition", "share", "best", "challenge"] as const;
export const MEASURES = ["approval", "cost", "latency"] as const;
export type Measure = (typeof MEASURES)[number];
export const SIDED_BY = ["random", "bucket"] as const;
export type SidedBy = (typeof SIDED_BY)[number];
export const CHALLENGE_MODES = ["required", "data_only"] as const;
export type ChallengeMode = (typeof CHALLENGE_MODES)[number];

export type Test = FieldComparison | { readonly all: readonly Test[] } | { readonly any: readonly Test[] };

export interface FieldComparison {
  readonly field: string;
  readonly operator: Operator;
  readonly value: Scalar | readonly Scalar[];
}

export type Scalar = string | number | boolean;

export const OPERATORS = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "contains"] as const;
export type Operator = (typeof OPERATORS)[number];

const OF_INTEGERS = ["eq", "neq", "gt", "gte", "lt", "lte", "in"] as const;
const OF_TEXTS = ["eq", "neq", "in"] as const;
const OF_SIDES = ["gt", "gte", "lt", "lte"] as const;

export interface FieldRule {
  readonly type: "integer" | "text" | "any";
  readonly operators: readonly Operator[];
  readonly least?: number;
  readonly most?: number;
  readonly values?: readonly string[];
  /** Nothing is known of it before the first decline. */
  readonly afterDecline?: boolean;
  /** Every payment has one: a test of it that fails says the opposite. */
  readonly isAlwaysKnown?: boolean;
}

/** The fields a condition may test. */
export const FIELDS: Readonly<Record<string, FieldRule>> = {
  amount: { type: "integer", operators: OF_INTEGERS, least: 0, isAlwaysKnown: true },
  installments: { type: "integer", operators: OF_INTEGERS, least: 1, isAlwaysKnown: true },
  brand: { type: "text", operators: OF_TEXTS },
  cardBin: { type: "text", operators: [...OF_TEXTS, "contains"] },
  country: { type: "text", operators: OF_TEXTS },
  currency: { type: "text", operators: OF_TEXTS, isAlwaysKnown: true },
  cardFunction: { type: "text", operators: OF_TEXTS, values: ["credit", "debit", "prepaid", "unknown"] },
  recurrence: { type: "text", operators: OF_TEXTS, values: ["initial", "subsequent", "unscheduled"] },
  source: {
    type: "text",
    operators: OF_TEXTS,
    values: ["api", "link", "checkout", "subscription", "purchase"],
    isAlwaysKnown: true,
  },
  random: { type: "integer", operators: OF_SIDES, least: 0, most: 100, isAlwaysKnown: true },
  bucket: { type: "integer", operators: OF_SIDES, least: 0, most: 100, isAlwaysKnown: true },
  weekday: { type: "integer", operators: OF_INTEGERS, least: 1, most: 7, isAlwaysKnown: true },
  hour: { type: "integer", operators: OF_INTEGERS, least: 0, most: 23, isAlwaysKnown: true },
  attempt: { type: "integer", operators: OF_INTEGERS, least: 1, most: 3, afterDecline: true, isAlwaysKnown: true },
  previousDecline: { type: "text", operators: OF_TEXTS, afterDecline: true, isAlwaysKnown: true },
};

export const METADATA = "paymentFlow.metadata.";
const LONGEST_KEY = 40;
const OF_METADATA: FieldRule = { type: "any", operators: OPERATORS };

export function fieldRule(field: string): FieldRule | undefined {
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field];
  const key = field.startsWith(METADATA) ? field.slice(METADATA.length) : "";
  return key.length > 0 && key.length <= LONGEST_KEY ? OF_METADATA : undefined;
}

/** Branches and the tests inside them, counted together. */
export const DEEPEST = 10;
export const MOST_NODES = 100;
/** No payment is tried at more providers than this. */
export const MOST_PROVIDERS = 3;
