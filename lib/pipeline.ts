/**
 * Sends several statements of one transaction in one round trip, in this order. Waits for all of them, also when one
 * fails, so that no statement outlives its transaction. Throws the first failure: those behind it only failed because
 * of it.
 */
export async function pipelined<T extends readonly unknown[]>(promises: readonly [...T]): Promise<Settled<T>> {
  const settled = await Promise.allSettled(promises);
  // Guarantee: one value for each promise, in their order.
  return settled.map(fulfilled) as Settled<T>;
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
