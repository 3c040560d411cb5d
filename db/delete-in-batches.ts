import type postgres from "postgres";

const BATCH_ROWS = 1_000;
/** The next run of the sweep goes on where this one ended. */
const SECONDS = 30;

export interface BatchLimits {
  rows?: number;
  seconds?: number;
}

/**
 * Deletes the rows of `table` for which `condition` holds, in short transactions, until none is left or the time is
 * up. Rows that somebody holds are left to the next run. Answers how many were deleted.
 * @param where a condition over the columns of the table, made with the same `sql`
 */
export const deleteInBatches = (
  sql: postgres.Sql,
  table: string,
  where: postgres.PendingQuery<postgres.Row[]>,
  limits: BatchLimits = {},
): Promise<number> =>
  inBatches(async (rows) => {
    const { count } = await sql`
      delete from ${sql(table)} where ctid = any(array(
        select ctid from ${sql(table)} where ${where} limit ${rows} for update skip locked))`;
    return count;
  }, limits);

/** Calls `remove` with the size of a batch until it removes fewer rows than that, or the time is up. */
export async function inBatches(
  remove: (rows: number) => Promise<number>,
  { rows = BATCH_ROWS, seconds = SECONDS }: BatchLimits = {},
): Promise<number> {
  const deadline = performance.now() + seconds * 1_000;
  let all = 0;
  for (;;) {
    const removed = await remove(rows);
    all += removed;
    if (removed < rows || performance.now() > deadline) return all;
  }
}
