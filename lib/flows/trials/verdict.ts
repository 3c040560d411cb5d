import { type WilsonInterval, wilson, Z } from "@/lib/flows/replays/wilson";

export interface SideCount {
  payments: number;
  approved: number;
}

export interface SideResult extends SideCount {
  /** 95 %; null before the first payment. */
  interval: WilsonInterval | null;
}

/** `running`: a side has fewer payments than announced. `even`: none is proven better than every other one. */
export type TrialVerdict = { state: "running"; missing: number } | { state: "even" } | { state: "won"; side: number };

/** Two-sided 99.9 %: a guardrail looks again and again, and each look may be unlucky. */
export const Z_OF_GUARD = 3.290_526_731_491_926;
/** Fewer payments of a side turn nothing off. */
export const LEAST_GUARDED = 100;

export const resultsOf = (sides: readonly SideCount[]): SideResult[] =>
  sides.map((side) => ({ ...side, interval: side.payments === 0 ? null : wilson(side.approved, side.payments) }));

/**
 * Who approves more, once every side has the announced number of payments: the interval of the difference to each other
 * side must lie above nothing. With more than two sides each comparison is held to a stricter interval (Bonferroni).
 */
export function verdictOf(sides: readonly SideCount[], sample: number): TrialVerdict {
  const fewest = Math.min(...sides.map(({ payments }) => payments));
  if (sides.length < 2 || fewest < sample) return { state: "running", missing: Math.max(0, sample - fewest) };
  const z = STRICTER[sides.length] ?? Z_OF_GUARD;
  const winner = sides.findIndex((side, place) =>
    sides.every((other, index) => index === place || differenceOf(side, other, z).low > 0),
  );
  return winner === -1 ? { state: "even" } : { state: "won", side: winner };
}

/** Until the slowest side has its payments, at the pace it had so far; undefined where that says nothing yet. */
export function daysToSample(
  sides: readonly SideCount[],
  sample: number,
  { since, at }: { since: Date; at: Date },
): number | undefined {
  const fewest = Math.min(...sides.map(({ payments }) => payments));
  const elapsed = (at.getTime() - since.getTime()) / DAY_MS;
  if (fewest < LEAST_PACED || elapsed <= 0) return undefined;
  return Math.max(1, Math.ceil(((sample - fewest) * elapsed) / fewest));
}

const DAY_MS = 86_400_000;
const LEAST_PACED = 10;

/** z of 1 − 0.05 / (2 · (sides − 1)). */
const STRICTER: Readonly<Record<number, number>> = { 2: Z, 3: 2.241_402_727, 4: 2.393_979_8, 5: 2.497_705_474 };

/** Sides that approve less than the first by more than the guardrail's points, beyond what luck explains. */
export function failingSides(sides: readonly SideCount[], points: number): number[] {
  const [first, ...others] = sides;
  if (!first || first.payments < LEAST_GUARDED) return [];
  return others.flatMap((side, place) => {
    if (side.payments < LEAST_GUARDED) return [];
    const fall = rateOf(first) - rateOf(side);
    return fall * 100 >= points && differenceOf(side, first, Z_OF_GUARD).high < 0 ? [place + 1] : [];
  });
}

const rateOf = ({ payments, approved }: SideCount): number => approved / payments;

/** Newcombe's hybrid interval (1998, method 10) of the difference of two rates, from Wilson's of each. */
export function differenceOf(one: SideCount, other: SideCount, z = Z): WilsonInterval {
  const [a, b] = [wilson(one.approved, one.payments, z), wilson(other.approved, other.payments, z)];
  const [p, q] = [rateOf(one), rateOf(other)];
  return {
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
  };
}
