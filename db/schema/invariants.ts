import { index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { clientId, id, instant } from "@/db/schema/columns";

/** The continuous audit, one row for each invariant: when it last ran, over how much, and how far its full pass is. */
export const invariantRuns = pgTable("invariant_runs", {
  invariant: text().primaryKey(),
  ranAt: instant().notNull(),
  durationMs: integer().notNull(),
  /** Rows looked at by the last run. */
  checked: integer().notNull(),
  /** The full pass goes on behind this row; null when the next run begins a new one. */
  cursor: uuid(),
  passBeganAt: instant(),
  passEndedAt: instant(),
});

/** A row that violates an invariant: opened when it is seen, closed when it is seen to hold again, never repaired here. */
export const invariantViolations = pgTable(
  "invariant_violations",
  {
    id: id(),
    clientId: clientId(),
    invariant: text().notNull(),
    rowId: uuid().notNull(),
    foundAt: instant().notNull(),
    seenAt: instant().notNull(),
    closedAt: instant(),
  },
  (t) => [unique("invariant_violations_row").on(t.invariant, t.rowId), index().on(t.clientId, t.foundAt)],
);
