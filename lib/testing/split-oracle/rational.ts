/** Exact numbers for the oracle of splits: nothing here is shared with what it judges. */
export interface Rational {
  n: bigint;
  d: bigint;
}

export const rational = (n: number | bigint, d: number | bigint = 1): Rational => ({ n: BigInt(n), d: BigInt(d) });
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
export const isLess = (a: Rational, b: Rational): boolean => a.n * b.d < b.n * a.d;
export const floor = ({ n, d }: Rational): number => Number((n - (((n % d) + d) % d)) / d);
/** Of a number that is not below zero: a half goes up. */
export const halfUp = (a: Rational): number => floor({ n: a.n * 2n + a.d, d: a.d * 2n });

export const total = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0);

/** Whole cents in proportion to weights: each part rounded down, what is left to the largest fractions, first come first. */
export function shared(amount: number, weights: readonly number[], takesLeft = -1): number[] {
  const whole = total(weights);
  const exact = weights.map((weight) => times(rational(amount), rational(weight, whole)));
  const parts = exact.map(floor);
  let left = amount - total(parts);
  if (takesLeft >= 0) {
    parts[takesLeft] = (parts[takesLeft] ?? 0) + left;
    return parts;
  }
  const given = new Set<number>();
  for (; left > 0; left--) {
    let best = -1;
    for (const [index, share] of exact.entries()) {
      if (given.has(index)) continue;
      const fraction = minus(share, rational(floor(share)));
      const bestShare = exact[best];
      if (bestShare === undefined || isLess(minus(bestShare, rational(floor(bestShare))), fraction)) best = index;
    }
    given.add(best);
    parts[best] = (parts[best] ?? 0) + 1;
  }
  return parts;
}

/** Rows against columns: each column is shared among what the rows still have. */
export function table(rows: readonly number[], columns: readonly number[]): number[][] {
  const left = [...rows];
  const cells: number[][] = rows.map(() => []);
  for (const column of columns) {
    const parts = column === 0 ? rows.map(() => 0) : shared(column, left);
    for (const [row, part] of parts.entries()) {
      cells[row]?.push(part);
      left[row] = (left[row] ?? 0) - part;
    }
  }
  return cells;
}

/** Equal parts, the first with all that does not divide. */
export const inParts = (amount: number, count: number): number[] => {
  const each = floor(rational(amount, count));
  return [amount - each * (count - 1), ...Array.from({ length: count - 1 }, () => each)];
};

export const percentageOf = (amount: number, bps: number): number =>
  halfUp(rational(BigInt(amount) * BigInt(bps), 10_000));
