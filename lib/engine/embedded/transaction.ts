import type postgres from "postgres";
import { endedWhenPaused } from "@/db/paused";

/** A transaction of which nobody has to fear that it stays open. */
export async function transaction<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await sql.begin(async (tx) => {
    await tx`select ${endedWhenPaused(tx)}`;
    result = { value: await work(tx) };
  });
  if (!result) throw new Error("The transaction ended without its work");
  return result.value;
}
