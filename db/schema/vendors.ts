import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import type { PostalAddress } from "@/db/schema/customers";

/** Whose sale it is in the end, where a payment facilitator stands between (spec/contract.md section 14). */
export const vendors = pgTable(
  "vendors",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    referenceId: text().notNull(),
    identityType: text({ enum: ["CPF", "CNPJ"] }).notNull(),
    identity: text().notNull(),
    mcc: text().notNull(),
    name: text().notNull(),
    email: text(),
    website: text(),
    phoneNumber: text(),
    address: jsonb().$type<PostalAddress>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("vendors_reference").on(t.clientId, t.referenceId).where(sql`${t.deletedAt} is null`),
    index().on(t.clientId, t.createdAt, t.id),
  ],
);
