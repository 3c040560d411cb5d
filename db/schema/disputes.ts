import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { charges } from "@/db/schema/charges";
import { clientId, createdAt, id } from "@/db/schema/columns";
import { operators } from "@/db/schema/operators";

/** What people write beside a chargeback; nobody rewrites it. The chargeback is the notice that its charge got of it. */
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
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.clientId, t.disputeId, t.createdAt),
    check("dispute_notes_text", sql`length(${t.text}) between 1 and 2000`),
  ],
);
