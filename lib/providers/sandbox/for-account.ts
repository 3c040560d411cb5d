import type postgres from "postgres";
import { appSql } from "@/db/client";
import { pipelined } from "@/lib/pipeline";

/** What an account asks of its simulator is read behind row security too: the filter does not stand alone. */
export async function forAccount<T>(clientId: string, run: (sql: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const answered = await appSql().begin(async (sql) => {
    // Sent in front of the first statement of `run`, in the same round trip.
    const named = sql`select set_config('app.client_id', ${clientId}, true)`.execute();
    // In an object: the driver would await the members of a bare array.
    const [, result] = await pipelined([named, run(sql)]);
    return { result };
  });
  return answered.result;
}
