import { dealtAmounts } from "@/lib/checkout/dealt-amounts";

/** How an order is shared among cards: whatever is moved, it adds up and no card gets less than the least. */

export const LEAST_CENTS = 100;

export const inAll = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

type Summed = { kind: "unread" } | { kind: "shared" } | { kind: "short" | "over"; sum: number; off: number };

/** What is said of the amounts together; while one cannot be read, its card has none. */
export function summed(amounts: readonly number[], unread: ReadonlySet<number>, total: number): Summed {
  if (unread.size > 0) return { kind: "unread" };
  const sum = inAll(amounts);
  if (sum === total) return { kind: "shared" };
  return { kind: sum < total ? "short" : "over", sum, off: Math.abs(total - sum) };
}

/** The cards named, in their order, give or take what is missing; none of them is left with less than the least. */
export function withRemainder(amounts: readonly number[], takers: readonly number[], total: number): number[] {
  const next = [...amounts];
  let rest = total - inAll(next);
  for (const taker of takers) {
    const before = next[taker] ?? 0;
    const after = Math.max(LEAST_CENTS, before + rest);
    next[taker] = after;
    rest -= after - before;
  }
  return next;
}

/** One card gets what is asked, as far as the others that are named can give or take the difference. */
export function withAmount(
  amounts: readonly number[],
  index: number,
  asked: number,
  others: readonly number[],
  total: number,
): number[] {
  const most = total - LEAST_CENTS * (amounts.length - 1);
  const limited = Math.min(most, Math.max(LEAST_CENTS, asked));
  const given = amounts.map((amount, each) => (each === index ? limited : amount));
  return withRemainder(withRemainder(given, others, total), [index], total);
}

/** Equal, odd cents on the first: as the server shares an order nobody has touched. */
export function even(total: number, count: number): number[] {
  const each = Math.floor(total / count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? total - each * (count - 1) : each));
}

/**
 * Amounts nobody touched stay equal; a card that comes takes half of the largest; one that goes leaves its amount to the
 * last that stays. What was typed is left alone, unless that leaves nothing to the others: then at most the first one's stays.
 */
export function withCards(
  amounts: readonly number[],
  count: number,
  total: number,
  typed: ReadonlySet<number> = NONE,
): number[] {
  const isUntouched = even(total, amounts.length).every((amount, index) => amount === amounts[index]);
  if (isUntouched && typed.size === 0) return even(total, count);
  const free = (of: readonly number[]) => of.map((_, index) => index).filter((index) => !typed.has(index));
  if (count < amounts.length) {
    const kept = amounts.slice(0, count);
    return addedUp(withRemainder(kept, free(kept).reverse(), total), total);
  }
  let next = [...amounts];
  while (next.length < count) {
    const largestFirst = free(next).sort((a, b) => (next[b] ?? 0) - (next[a] ?? 0));
    const half = Math.floor((next[largestFirst[0] ?? next.length] ?? 0) / 2);
    next = withAmount([...next, 0], next.length, half, largestFirst, total);
  }
  return addedUp(next, total);
}
const addedUp = (amounts: number[], total: number): number[] =>
  inAll(amounts) === total ? amounts : dealtAmounts(amounts[0] ?? 0, total, amounts.length);
const NONE: ReadonlySet<number> = new Set();
