import { type SQL, sql } from "drizzle-orm";

/**
 * Whether the rest of `select true from …` finds a row; it ends with `order by` the columns of the index to read. Of rows
 * that need only exist, in whatever order, the planner expects many, and reads a table from its beginning, which is the
 * oldest.
 */
export const isAnyOf = (ordered: SQL): SQL => sql`coalesce((select true from ${ordered} limit 1), false)`;
