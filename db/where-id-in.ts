import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Rows with these ids, each found by its key. As a list of constants beside the account's policy, the planner would
 * walk an index of the whole account instead.
 */
export const whereIdIn = (column: PgColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select unnest(${`{${ids.join(",")}}`}::uuid[]))`;
