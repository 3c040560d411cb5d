import type { Database } from "@/db/client";

/** Reads the rows of an answer, each a list of values in the order of its columns. */
export type RowReader = (rows: unknown[][]) => unknown;

/**
 * Sends a statement that is already written through Drizzle's connection or transaction, without its query builder.
 * Answers what `read` makes of the rows; nothing without one.
 */
export const runText = (db: Database, text: string, params: unknown[], read?: RowReader): Promise<unknown> =>
  db._.session.prepareQuery({ sql: text, params }, undefined, undefined, read !== undefined, read).execute();
