import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { clientId, createdAt, id } from "@/db/schema/columns";
import { operators } from "@/db/schema/operators";

/** How a person wants to see a list again: its address without the page, for themselves or for everybody. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    list: text({ enum: ["payments"] }).notNull(),
    name: text().notNull(),
    query: text().notNull(),
    isShared: boolean().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("saved_views_name").on(t.clientId, t.operatorId, t.list, t.name),
    check("saved_views_name", sql`length(${t.name}) between 1 and 60`),
    check("saved_views_query", sql`length(${t.query}) <= 2000`),
  ],
);
