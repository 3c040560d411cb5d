import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "@/db/schema/columns";

/** Each comparison of the payment page with the inventory of the build (PCI DSS 11.6.1): a row a day, kept as evidence. */
export const pageChecks = pgTable(
  "page_checks",
  {
    id: id(),
    checkedAt: instant().notNull(),
    /** Pages of different accounts that were asked for. */
    pages: integer().notNull(),
    differences: jsonb().$type<{ page: string; what: string; detail: string }[]>().notNull(),
    /** Why no page could be compared. */
    failure: text(),
  },
  (t) => [index("page_checks_newest").on(t.checkedAt)],
);
