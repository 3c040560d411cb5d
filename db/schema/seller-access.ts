import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, clientId, createdAt, id, instant } from "@/db/schema/columns";
import { sellers } from "@/db/schema/sellers";

/** Who may open a seller's own page: an address that somebody of the team invited. */
export const sellerAccesses = pgTable(
  "seller_accesses",
  {
    id: id(),
    clientId: clientId(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    /** In lower case. */
    email: text().notNull(),
    /** Of what is written to it. */
    locale: text({ enum: ["pt-BR", "en"] }).notNull(),
    invitedBy: uuid().notNull(),
    createdAt: createdAt(),
    /** When its page was last entered. */
    enteredAt: instant(),
    revokedAt: instant(),
  },
  (t) => [
    uniqueIndex("seller_accesses_open").on(t.sellerId, t.email).where(sql`${t.revokedAt} is null`),
    index("seller_accesses_email").on(t.email).where(sql`${t.revokedAt} is null`),
    check("seller_accesses_email_lower", sql`${t.email} = lower(${t.email})`),
  ],
);

/** A link of an e-mail, which lets in once. */
export const sellerLinks = pgTable(
  "seller_links",
  {
    id: id(),
    clientId: clientId(),
    accessId: uuid()
      .notNull()
      .references(() => sellerAccesses.id),
    digest: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index().on(t.accessId, t.createdAt), index().on(t.expiresAt)],
);

/** A browser that was let in. The cookie holds a secret, the row its digest. */
export const sellerSessions = pgTable(
  "seller_sessions",
  {
    id: id(),
    clientId: clientId(),
    accessId: uuid()
      .notNull()
      .references(() => sellerAccesses.id),
    digest: bytes().notNull().unique(),
    createdAt: createdAt(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
  },
  (t) => [index().on(t.accessId), index().on(t.expiresAt)],
);
