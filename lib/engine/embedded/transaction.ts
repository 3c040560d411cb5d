import type postgres from "postgres";

/**
 * A process that is paused in the middle of a transaction would hold its locks until it wakes up, and all workers with
 * it: the server ends such a transaction. Shorter than a lease.
 */
export const IDLE_LIMIT = "5s";

/** A transaction of which nobody has to fear that it stays open. */
export async function transaction<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await sql.begin(async (tx) => {
    await tx`select set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true)`;
    result = { value: await work(tx) };
  });
  if (!result) throw new Error("The transaction ended without its work");
  return result.value;
}
