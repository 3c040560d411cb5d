export interface Measured {
  requests: number;
  seconds: number;
  /** Milliseconds, sorted. */
  latencies: number[];
}

export const perSecond = ({ requests, seconds }: Pick<Measured, "requests" | "seconds">): number => requests / seconds;

export function percentile(sorted: readonly number[], part: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1));
  return sorted[index] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Works the list off with so many hands at a time, and times each piece. */
export async function inParallel<T>(
  items: readonly T[],
  hands: number,
  work: (item: T, hand: number) => Promise<void>,
): Promise<Measured> {
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const oneHand = async (hand: number): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item === undefined) return;
      const began = performance.now();
      await work(item, hand);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: hands }, (_, hand) => oneHand(hand)));
  const seconds = (performance.now() - started) / 1000;
  return { requests: items.length, seconds, latencies: latencies.sort((a, b) => a - b) };
}
