/** How an order is shared among cards: whatever is moved, it adds up and no card gets less than the least. */

export const LEAST_CENTS = 100;

/** One card gets what is asked; the others, in the order they are named, give or take the difference. */
export function withAmount(
  amounts: readonly number[],
  index: number,
  asked: number,
  others: readonly number[],
  total: number,
): number[] {
  const most = total - LEAST_CENTS * (amounts.length - 1);
  const next = [...amounts];
  next[index] = Math.min(most, Math.max(LEAST_CENTS, asked));
  let rest = total - next.reduce((sum, amount) => sum + amount, 0);
  for (const other of others) {
    const before = next[other] ?? 0;
    const after = Math.max(LEAST_CENTS, before + rest);
    next[other] = after;
    rest -= after - before;
  }
  if (rest !== 0) next[index] = (next[index] ?? 0) + rest;
  return next;
}

/** Equal, odd cents on the first: as the server shares an order nobody has touched. */
export function even(total: number, count: number): number[] {
  const each = Math.floor(total / count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? total - each * (count - 1) : each));
}

/** Amounts nobody touched stay equal; a card that comes takes half of the largest; one that goes leaves its amount to the last that stays. */
export function withCards(amounts: readonly number[], count: number, total: number): number[] {
  const isUntouched = even(total, amounts.length).every((amount, index) => amount === amounts[index]);
  if (isUntouched) return even(total, count);
  if (count < amounts.length) {
    const kept = amounts.slice(0, count - 1);
    return [...kept, total - kept.reduce((sum, amount) => sum + amount, 0)];
  }
  let next = [...amounts];
  while (next.length < count) {
    const largestFirst = next.map((_, index) => index).sort((a, b) => (next[b] ?? 0) - (next[a] ?? 0));
    const half = Math.floor((next[largestFirst[0] ?? 0] ?? 0) / 2);
    next = withAmount([...next, 0], next.length, half, largestFirst, total);
  }
  return next;
}
