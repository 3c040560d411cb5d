import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  jsonb,
  pgSchema,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { foldedSql, phoneEnd } from "@/db/folded";
import { bytes, cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export type PostalAddress = Record<string, string | null>;

/** Whose card it is, where that was asked for each card: told to the provider with the card, and to nobody else. */
export interface CardHolder {
  readonly name: string;
  readonly document: { readonly type: "CPF" | "CNPJ"; readonly number: string };
}

export const customers = pgTable(
  "customers",
  {
    id: id(),
    clientId: clientId(),
    name: text().notNull(),
    email: text().notNull(),
    phoneNumber: text().notNull(),
    documentType: text().notNull(),
    documentNumber: text(),
    documentCountry: text().notNull(),
    address: jsonb().$type<PostalAddress>(),
    billingAddress: jsonb().$type<PostalAddress>(),
    deliveryAddress: jsonb().$type<PostalAddress>(),
    defaultCardId: uuid(),
    /** Made with force, or inside a payment: never takes part in the uniqueness check. */
    isForced: boolean().notNull().default(false),
    createdByKey: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("customers_email").on(t.clientId, t.email).where(sql`not ${t.isForced} and ${t.deletedAt} is null`),
    uniqueIndex("customers_document")
      .on(t.clientId, sql`lower(${t.documentType})`, t.documentNumber, t.documentCountry)
      .where(sql`not ${t.isForced} and ${t.deletedAt} is null and lower(${t.documentType}) <> 'nodocument'`),
    index().on(t.clientId, t.createdAt, t.id),
    index().on(t.clientId, t.documentNumber),
    index("customers_email_begins").on(t.clientId, t.email.op("text_pattern_ops")),
    index("customers_phone").on(t.clientId, phoneEnd(sql`${t.phoneNumber}`)),
    // Any part of a name or an e-mail (pg_trgm), within one account (btree_gin).
    index("customers_words").using(
      "gin",
      t.clientId,
      sql`${foldedSql(sql`${t.name} || ' ' || ${t.email}`)} gin_trgm_ops`,
    ),
  ],
);

export const cards = pgTable(
  "cards",
  {
    id: id(),
    clientId: clientId(),
    customerId: uuid().references(() => customers.id),
    /** Where the number lies in the vault. */
    vaultId: uuid().notNull(),
    status: text({ enum: ["active", "pending", "failed"] }).notNull(),
    statusReason: text(),
    cardHolderName: text().notNull(),
    brand: text().notNull(),
    first6digits: text("first6digits").notNull(),
    last4digits: text("last4digits").notNull(),
    expirationMonth: text().notNull(),
    expirationYear: text().notNull(),
    cvvChecked: boolean().notNull().default(false),
    fingerprint: text().notNull(),
    createdByKey: uuid(),
    linkedAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
    deletedReason: text(),
  },
  (t) => [
    index().on(t.clientId, t.createdAt, t.id),
    index("cards_customer").on(t.customerId, t.linkedAt).where(sql`${t.customerId} is not null`),
    index().on(t.clientId, t.fingerprint),
    // Few values, many rows: such an index keeps each value once, and a new card goes to its end.
    index("cards_brand").on(t.clientId, t.brand),
    index("cards_last_four").on(t.clientId, t.last4digits),
    // The beginning of a name, where it is all that is known of who pays.
    index("cards_holder")
      .on(t.clientId, sql`${foldedSql(sql`${t.cardHolderName}`)} text_pattern_ops`)
      .where(sql`${t.customerId} is null`),
    check("cards_status", sql`${t.status} in ('active', 'pending', 'failed')`),
  ],
);

export const cardTokens = pgTable(
  "card_tokens",
  {
    id: id(),
    clientId: clientId(),
    kind: text({ enum: ["card", "cvv"] }).notNull(),
    vaultId: uuid(),
    cardHolderName: text(),
    brand: text(),
    first6digits: text("first6digits"),
    last4digits: text("last4digits"),
    expirationMonth: text(),
    expirationYear: text(),
    fingerprint: text(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index("card_tokens_expiry").on(t.expiresAt), check("card_tokens_kind", sql`${t.kind} in ('card', 'cvv')`)],
);

/** Every decline of a card at any provider: the network limits count them (spec/brazil.md section 7). */
export const cardAttempts = pgTable(
  "card_attempts",
  {
    id: id(),
    clientId: clientId(),
    fingerprint: text().notNull(),
    merchantId: uuid().notNull(),
    /** What was being paid: a charge, a purchase slot, a subscription cycle. */
    series: uuid().notNull(),
    amount: cents().notNull(),
    retry: text({ enum: ["never", "changed_data", "later", "now"] }).notNull(),
    notBefore: instant(),
    code: text(),
    mac: text(),
    at: instant().notNull(),
  },
  (t) => [index().on(t.clientId, t.fingerprint, t.merchantId, t.at)],
);

/** The network's id of a card's first approved authorization at a merchant: later payments without the buyer name it. */
export const cardCredentials = pgTable(
  "card_credentials",
  {
    clientId: clientId(),
    cardId: uuid()
      .notNull()
      .references(() => cards.id),
    merchantId: uuid().notNull(),
    brand: text().notNull(),
    networkTransactionId: text().notNull(),
    providerId: uuid().notNull(),
    at: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.cardId, t.merchantId] })],
);

export const vault = pgSchema("vault");

/** One card number per row, under its own data key; readable by the vault role alone. */
export const vaultCards = vault.table("cards", {
  id: id(),
  clientId: clientId(),
  wrappedKey: bytes().notNull(),
  nonce: bytes().notNull(),
  ciphertext: bytes().notNull(),
  createdAt: createdAt(),
});

/** UNLOGGED by db/policies: no WAL, not in base backups, emptied by crash recovery. */
export const vaultCvv = vault.table(
  "card_cvv",
  {
    tokenId: uuid().primaryKey(),
    clientId: clientId(),
    keyId: uuid().notNull(),
    nonce: bytes().notNull(),
    ciphertext: bytes().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [index("card_cvv_expiry").on(t.expiresAt)],
);

/** UNLOGGED: the key each process made at its start, wrapped, so that its siblings can read what it wrote. */
export const vaultCvvKeys = vault.table("cvv_keys", {
  id: id(),
  wrapped: bytes().notNull(),
  expiresAt: instant().notNull(),
});
