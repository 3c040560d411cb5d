import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { whereIdIn } from "@/db/where-id-in";

/** Up to here the ids are named; what more share is common enough to be met while walking the list. */
export const MOST_NAMED = 2_000;

/** A condition in the words of charges and in those of purchases. */
export interface Narrowed {
  charge: SQL;
  purchase: SQL;
}

/** The few that are meant, each found by its key; of more than that, what each row that is walked past is asked. */
export const fewOr = (id: PgColumn, found: readonly { id: string }[], common: SQL): SQL =>
  found.length > MOST_NAMED
    ? common
    : found.length === 0
      ? sql`false`
      : whereIdIn(
          id,
          found.map((row) => row.id),
        );
