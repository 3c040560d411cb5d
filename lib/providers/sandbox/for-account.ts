import type postgres from "postgres";
import { appSql } from "@/db/client";

/** What an account asks of its simulator is read behind row security too: the filter does not stand alone. */
export async function forAccount<T>(clientId: string, run: (sql: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const answered = await appSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${clientId}, true)`;
    // In an object: the driver would await the members of a bare array.
    return { result: await run(sql) };
  });
  return answered.result;
}
