import { index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { clientId, createdAt, id, instant } from "@/db/schema/columns";

/** What an account keeps in the file store: written down before the first byte, so that nothing stays there unknown. */
export const storedFiles = pgTable(
  "stored_files",
  {
    id: id(),
    clientId: clientId(),
    /** Folder and own name; the last part cannot be guessed. */
    name: text().notNull(),
    contentType: text().notNull(),
    size: integer().notNull(),
    createdAt: createdAt(),
    /** Null while something points to it; erased afterwards. */
    expiresAt: instant(),
  },
  (t) => [unique("stored_files_name").on(t.name), index("stored_files_expiry").on(t.expiresAt)],
);
