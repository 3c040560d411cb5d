const STARTED_MS = performance.now();

export const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Says what is being done, then how long it took. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  say(`  · ${what} …`);
  const result = await work();
  say(`  ✓ ${what} (${seconds(from)})`);
  return result;
}

export const sinceStart = (): string => seconds(STARTED_MS);
