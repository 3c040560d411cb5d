import { type WilsonInterval, wilson, Z } from "@/lib/flows/replays/wilson";

/** What first attempts of a provider came to among payments that were alike. */
export interface PaymentSegment {
  n: number;
  approved: number;
  /** Declines after which another provider may be tried. */
  retryable: number;
}

/** What payments are compared by. */
export interface Likeness {
  provider: string;
  brand: string;
  bin: string;
  band: number;
  decile: number;
  recurrence: string;
  analyst: string;
  /** A flow drew lots for it: who was asked says nothing of the payment. */
  isRandomized: boolean;
}

/** Fewer say nothing. */
export const LEAST_SEEN = 30;

interface Counted {
  all: PaymentSegment;
  randomized: PaymentSegment;
}

export type Segments = Map<string, Counted>;

/** From the closest likeness to the widest that still says something: without the BIN, then without the amount too. */
const KEYS: readonly ((like: Likeness) => string)[] = [
  (like) => [wide(like), like.decile, like.bin].join("|"),
  (like) => [wide(like), like.decile].join("|"),
  (like) => wide(like),
];
const wide = ({ provider, brand, band, recurrence, analyst }: Likeness): string =>
  [provider, brand, band, recurrence, analyst].join("|");

export function count(segments: Segments, like: Likeness, seen: PaymentSegment): void {
  for (const keyOf of KEYS) {
    const key = keyOf(like);
    const counted = segments.get(key) ?? { all: none(), randomized: none() };
    add(counted.all, seen);
    if (like.isRandomized) add(counted.randomized, seen);
    segments.set(key, counted);
  }
}

const none = (): PaymentSegment => ({ n: 0, approved: 0, retryable: 0 });

function add(to: PaymentSegment, seen: PaymentSegment): void {
  to.n += seen.n;
  to.approved += seen.approved;
  to.retryable += seen.retryable;
}

export interface FoundSegment {
  key: string;
  segment: PaymentSegment;
  /** Only payments for which lots were drawn. */
  isRandomized: boolean;
}

export function closest(segments: Segments, like: Likeness): FoundSegment | undefined {
  for (const keyOf of KEYS) {
    const key = keyOf(like);
    const counted = segments.get(key);
    if (!counted) continue;
    if (counted.randomized.n >= LEAST_SEEN) return { key, segment: counted.randomized, isRandomized: true };
    if (counted.all.n >= LEAST_SEEN) return { key, segment: counted.all, isRandomized: false };
  }
  return undefined;
}

/** Payments that are estimated alike: by whom they would be tried, with what is known of each. */
interface Group {
  payments: number;
  chain: readonly (FoundSegment | undefined)[];
}

/**
 * Adds up what is expected of payments that another provider would have taken. The chance of a chain is that of its
 * first provider and, where declines allow another try, that of the next one; of a next one that nobody knows it may be
 * anything.
 */
export function estimation() {
  const groups = new Map<string, Group>();
  const observed = { payments: 0, approved: 0 };
  return {
    /** Of a payment that would have gone to the same provider: what happened is what would have. */
    keep(isApproved: boolean): void {
      observed.payments += 1;
      if (isApproved) observed.approved += 1;
    },
    expect(chain: readonly (FoundSegment | undefined)[]): void {
      const key = chain.map((found) => (found ? `${found.key} ${found.isRandomized}` : "?")).join(" > ");
      const group = groups.get(key);
      if (group) group.payments += 1;
      else groups.set(key, { payments: 1, chain });
    },
    /** Rate over everything kept and expected; null when that is nothing. */
    interval: (): WilsonInterval | null => intervalOf(observed, [...groups.values()]),
  };
}

function intervalOf(observed: { payments: number; approved: number }, groups: readonly Group[]): WilsonInterval | null {
  let [payments, expected, variance, unsure] = [observed.payments, observed.approved, 0, 0];
  // What is known of one segment is one piece of knowledge, however many payments lean on it.
  const leaning = new Map<string, { found: FoundSegment; weight: number }>();
  for (const { payments: size, chain } of groups) {
    payments += size;
    let reaching = size;
    for (const found of chain) {
      if (reaching === 0) break;
      if (!found) {
        unsure += reaching;
        break;
      }
      const { segment } = found;
      const leant = leaning.get(found.key) ?? { found, weight: 0 };
      leant.weight += reaching;
      leaning.set(found.key, leant);
      expected += reaching * (segment.approved / segment.n);
      variance += reaching * spreadOf(segment);
      reaching *= segment.retryable / segment.n;
    }
  }
  if (payments === 0) return null;
  let correction = 0;
  for (const { found, weight } of leaning.values()) {
    const { low, high } = wilson(found.segment.approved, found.segment.n);
    variance += (weight * ((high - low) / (2 * Z))) ** 2;
    correction += weight * ((low + high) / 2 - found.segment.approved / found.segment.n);
  }
  const [middle, half] = [expected + correction, Z * Math.sqrt(variance)];
  const within = (rate: number): number => Math.min(1, Math.max(0, rate));
  return { low: within((middle - half) / payments), high: within((middle + half + unsure) / payments) };
}

/** Of one payment, whose own luck is part of what would have happened. */
function spreadOf({ approved, n }: PaymentSegment): number {
  const rate = (approved + 1) / (n + 2);
  return rate * (1 - rate);
}
