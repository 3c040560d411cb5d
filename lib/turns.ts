export interface Turns {
  atOnce: number;
  perAccount: number;
}

/**
 * Work for each of these, so many at once in all and of one account: whoever waits for a silent provider keeps nobody
 * of another account waiting. The work itself deals with its failures.
 */
export async function inTurns<T extends { client_id: string }>(
  rows: readonly T[],
  { atOnce, perAccount }: Turns,
  work: (row: T) => Promise<void>,
): Promise<void> {
  const waiting = [...rows];
  const under = new Map<Promise<void>, string>();
  const runningOf = (account: string) => [...under.values()].filter((one) => one === account).length;
  while (waiting.length > 0 || under.size > 0) {
    const next = under.size < atOnce ? waiting.findIndex(({ client_id }) => runningOf(client_id) < perAccount) : -1;
    const [row] = next < 0 ? [] : waiting.splice(next, 1);
    if (row) {
      const done: Promise<void> = work(row).finally(() => under.delete(done));
      under.set(done, row.client_id);
    } else await Promise.race(under.keys());
  }
}
