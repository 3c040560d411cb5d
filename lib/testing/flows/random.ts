import type { FlowFacts } from "@/lib/flows/rules/facts";
import type { FlowNode, Scalar, Test } from "@/lib/flows/rules/nodes";
import { METADATA } from "@/lib/flows/rules/nodes";

/** Numbers from a seed: a failing case is found again by it. */
export function seeded(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[below(from.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  return { below, pick, chance: (percent: number): boolean => below(100) < percent };
}
type Dice = ReturnType<typeof seeded>;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");
export const providerIdOf = (number: number): string => `00000000-0000-4000-8000-${hex(number, 12)}`;
export const PROVIDER_IDS = [1, 2, 3, 4, 5, 6].map(providerIdOf);
export const ANALYST_IDS = [11, 12].map(providerIdOf);
const CODES = ["generic", "insufficient_funds", "issuer_not_available", "try_again"];

export const randomDeclines = (dice: Dice): string[] =>
  [0, 1, 2].map(() => dice.pick([...CODES, "expired_card", "not a code of any flow"]));

export function randomFacts(dice: Dice): FlowFacts {
  const some = <T>(member: string, from: readonly T[]) => (dice.chance(80) ? { [member]: dice.pick(from) } : {});
  return {
    amount: dice.pick([0, 100, 4_999, 5_000, 5_001, 50_000, 1_000_000]),
    installments: 1 + dice.below(12),
    currency: "BRL",
    source: dice.pick(["api", "link", "checkout", "subscription", "purchase"]),
    weekday: 1 + dice.below(7),
    hour: dice.below(24),
    unit: `unit ${dice.below(1_000_000)}`,
    buyer: `buyer ${dice.below(1_000)}`,
    ...some("brand", ["Visa", "Mastercard", "American Express", "HiperCard", "Unknown"]),
    ...some("cardBin", ["411111", "41111122", "555555", "55555566"]),
    ...some("cardFunction", ["credit", "debit", "prepaid", "unknown"]),
    ...some("country", ["BR", "US"]),
    ...some("recurrence", ["initial", "subsequent"]),
    ...(dice.chance(80)
      ? { metadata: { tier: dice.pick<unknown>(["Gold", "silver", 5, 5.5, true, false, null, ["gold"], {}]) } }
      : {}),
  };
}

export interface RandomFlow {
  family: string;
  root: FlowNode[];
}

/** Any shape within the limits of depth and number; providers repeat, and some of them can do nothing. */
export function randomFlow(dice: Dice): RandomFlow {
  const left = { nodes: 1 + dice.below(40), made: 0 };
  return { family: `family ${dice.below(1_000)}`, root: nodesOf(dice, left, 0, false) };
}

interface Left {
  nodes: number;
  made: number;
}

function nodesOf(dice: Dice, left: Left, depth: number, isAfterDecline: boolean): FlowNode[] {
  const nodes: FlowNode[] = [];
  const length = dice.below(depth === 0 ? 6 : 4);
  while (nodes.length < length && left.nodes > 0) nodes.push(nodeOf(dice, left, depth, isAfterDecline));
  return nodes;
}

function nodeOf(dice: Dice, left: Left, depth: number, isAfterDecline: boolean): FlowNode {
  left.nodes -= 1;
  left.made += 1;
  const id = `n${left.made}`;
  const inside = (after = isAfterDecline) => nodesOf(dice, left, depth + 1, after);
  const rule =
    depth >= 5
      ? "provider"
      : dice.pick([
          "provider",
          "provider",
          "condition",
          "condition",
          "share",
          "best",
          "antifraud",
          "challenge",
        ] as const);
  switch (rule) {
    case "condition":
      return { rule, id, if: testOf(dice, 0, isAfterDecline), then: inside(), else: inside() };
    case "share": {
      const weights = dice.pick([[30, 70], [100], [1, 99], [25, 25, 50]]);
      return {
        rule,
        id,
        by: dice.pick(["random", "bucket"]),
        weights: weights.map((weight) => ({ weight, then: inside() })),
      };
    }
    case "best": {
      const ids = shuffled(dice, PROVIDER_IDS).slice(0, 2 + dice.below(4));
      const by = dice.pick(["approval", "cost", "latency"] as const);
      return { rule, id, ids, by, window: 200, explore: dice.pick([0, 5, 50]), minimum: 30 };
    }
    case "antifraud":
      if (isAfterDecline) break;
      return { rule, id: dice.pick(ANALYST_IDS) };
    case "challenge":
      if (isAfterDecline) break;
      return { rule, id, mode: dice.pick(["required", "data_only"]) };
  }
  const provider = { rule: "provider", id: dice.pick(PROVIDER_IDS) } as const;
  if (depth >= 4 || !dice.chance(25)) return provider;
  const declined = shuffled(dice, CODES).slice(0, 1 + dice.below(3));
  return { ...provider, on: { declined, then: inside(true) } };
}

const shuffled = <T>(dice: Dice, given: readonly T[]): T[] =>
  given
    .map((one) => ({ one, place: dice.below(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);

function testOf(dice: Dice, depth: number, isAfterDecline: boolean): Test {
  if (depth < 3 && dice.chance(20)) {
    const tests = Array.from({ length: 1 + dice.below(3) }, () => testOf(dice, depth + 1, isAfterDecline));
    return dice.chance(50) ? { all: tests } : { any: tests };
  }
  const integer = (field: string, values: readonly number[]) => {
    const operator = dice.pick(["eq", "neq", "gt", "gte", "lt", "lte", "in"] as const);
    return { field, operator, value: operator === "in" ? [dice.pick(values), dice.pick(values)] : dice.pick(values) };
  };
  const text = (field: string, values: readonly Scalar[]) => {
    const operator = dice.pick(["eq", "neq", "in"] as const);
    return { field, operator, value: operator === "in" ? [dice.pick(values), dice.pick(values)] : dice.pick(values) };
  };
  const side = (field: string) => ({
    field,
    operator: dice.pick(["gt", "gte", "lt", "lte"] as const),
    value: dice.below(101),
  });
  const fields = [
    () => integer("amount", [0, 100, 5_000, 50_000]),
    () => integer("installments", [1, 2, 6, 7, 12]),
    () => text("brand", ["visa", "VISA", "American Express", "amex", "elo"]),
    () => text("cardBin", ["411111", "41111122", "41111133", "555555"]),
    () => ({ field: "cardBin", operator: "contains", value: dice.pick(["4", "4111", "41111122", "9"]) }) as const,
    () => text("country", ["br", "US"]),
    () => text("currency", ["brl", "USD"]),
    () => text("cardFunction", ["credit", "Debit"]),
    () => text("recurrence", ["initial", "unscheduled"]),
    () => text("source", ["api", "purchase", "LINK"]),
    () => side("random"),
    () => side("bucket"),
    () => integer("weekday", [1, 5, 7]),
    () => integer("hour", [0, 12, 23]),
    () => text(`${METADATA}tier`, ["gold", "SILVER", 5, 5.5, true]),
    () => side(`${METADATA}tier`),
    () => ({ field: `${METADATA}tier`, operator: "contains", value: dice.pick(["OL", "gold", "x"]) }) as const,
    () => text(`${METADATA}absent`, ["gold"]),
  ];
  const after = [() => integer("attempt", [1, 2, 3]), () => text("previousDecline", CODES)];
  return dice.pick(isAfterDecline ? [...fields, ...after, ...after, ...after] : fields)();
}
