import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import type { PostalAddress } from "@/db/schema/customers";

/** Buyers who asked to be remembered by the shops of an account: never a card. */
export const rememberedBuyers = pgTable(
  "remembered_buyers",
  {
    id: id(),
    clientId: clientId(),
    /** Lower case: the buyer is found by it, and proves by a code that it is theirs. */
    email: text().notNull(),
    name: text().notNull(),
    documentType: text({ enum: ["CPF", "CNPJ"] }).notNull(),
    documentNumber: text().notNull(),
    address: jsonb().$type<PostalAddress>(),
    /** When the buyer agreed, for which text that was then shown stands in the history of the product. */
    consentedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("remembered_buyers_email").on(t.clientId, t.email),
    index("remembered_buyers_age").on(t.expiresAt),
  ],
);

/** Codes that were sent by e-mail; one that was entered in time makes its browser known. */
export const buyerCodes = pgTable(
  "buyer_codes",
  {
    id: id(),
    clientId: clientId(),
    buyerId: uuid()
      .notNull()
      .references(() => rememberedBuyers.id, { onDelete: "cascade" }),
    visitHash: bytes().notNull(),
    codeHash: bytes().notNull(),
    tries: smallint().notNull().default(0),
    sentAt: instant().notNull(),
    /** Of the code; once it was entered, of the browser's being known. */
    expiresAt: instant().notNull(),
    enteredAt: instant(),
  },
  (t) => [
    index("buyer_codes_visit").on(t.clientId, t.visitHash, t.sentAt),
    index("buyer_codes_buyer").on(t.buyerId, t.sentAt),
    index("buyer_codes_age").on(t.expiresAt),
    check("buyer_codes_tries", sql`${t.tries} between 0 and 5`),
  ],
);
