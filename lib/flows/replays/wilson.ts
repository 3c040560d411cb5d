export interface WilsonInterval {
  low: number;
  high: number;
}

/** Two-sided 95 %. */
export const Z = 1.959_963_984_540_054;

/** Of a rate seen in `n` trials; it stays within 0 and 1, also where nothing or everything was approved. */
export function wilson(successes: number, n: number, z = Z): WilsonInterval {
  if (n === 0) return { low: 0, high: 1 };
  const rate = successes / n;
  const [scale, shift] = [1 + z ** 2 / n, z ** 2 / (2 * n)];
  const half = z * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return { low: Math.max(0, (rate + shift - half) / scale), high: Math.min(1, (rate + shift + half) / scale) };
}
