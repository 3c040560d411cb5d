import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Rows with these ids, each found by its key. Given as a list of constants, the account's wall beside them makes the
 * planner walk an index of the whole account instead.
 */
export const among = (column: PgColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select unnest(${`{${ids.join(",")}}`}::uuid[]))`;
