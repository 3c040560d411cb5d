/**
 * Statements handed over together travel together: one round trip to the database instead of one each, in this order.
 * All of them are waited for, also when one fails: nothing may still be on its way to a transaction that is over.
 * The first that failed is thrown; those behind it only failed because of it.
 */
export async function together<T extends readonly unknown[]>(promises: readonly [...T]): Promise<Settled<T>> {
  const settled = await Promise.allSettled(promises);
  // Guarantee: one value for each promise, in their order.
  return settled.map(fulfilled) as Settled<T>;
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
