export interface Interval {
  low: number;
  high: number;
}

/** Two-sided 95 %. */
export const Z = 1.959_963_984_540_054;

/** Of a rate seen in `n` trials; it stays within 0 and 1, also where nothing or everything was approved. */
export function wilson(successes: number, n: number): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const rate = successes / n;
  const [scale, shift] = [1 + Z ** 2 / n, Z ** 2 / (2 * n)];
  const half = Z * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2));
  return { low: Math.max(0, (rate + shift - half) / scale), high: Math.min(1, (rate + shift + half) / scale) };
}
