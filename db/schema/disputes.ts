import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { isAmong } from "@/db/literals";
import { charges } from "@/db/schema/charges";
import { clientId, createdAt, id } from "@/db/schema/columns";
import { operators } from "@/db/schema/operators";

export const DISPUTE_MARKS = ["handled", "reopened"] as const;

/**
 * What people write beside a chargeback, and that they called it handled or took that back; nobody rewrites it. The
 * chargeback is the notice that its charge got of it.
 */
export const disputeNotes = pgTable(
  "dispute_notes",
  {
    id: id(),
    clientId: clientId(),
    disputeId: uuid().notNull(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    /** Absent: a note. */
    mark: text({ enum: DISPUTE_MARKS }),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.clientId, t.disputeId, t.createdAt),
    check(
      "dispute_notes_text",
      sql`case when ${t.mark} is null then length(${t.text}) between 1 and 2000 else ${t.text} = '' end`,
    ),
    check("dispute_notes_mark", isAmong(t.mark, DISPUTE_MARKS)),
  ],
);
