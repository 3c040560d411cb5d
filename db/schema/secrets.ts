import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "@/db/schema/columns";
import { vault } from "@/db/schema/customers";

/** What the secrets of the installation are known by: HMACs of a constant. Of TRILHO_KEK one row for each key in use. */
export const secretChecks = pgTable(
  "secret_checks",
  {
    name: text({ enum: ["TRILHO_KEK", "TRILHO_SECRET", "AUTH_SECRET"] }).notNull(),
    value: bytes().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.name, t.value] })],
);

/** Random keys of the vault that live as long as its data, wrapped by TRILHO_KEK. */
export const vaultKeys = vault.table("keys", {
  name: text().primaryKey(),
  wrapped: bytes().notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/** How far the records were looked through for those that belong to no token. */
export const vaultSweeps = vault.table("sweeps", {
  name: text().primaryKey(),
  /** The last record looked at; ids are in the order of time. */
  seen: uuid().notNull(),
});
