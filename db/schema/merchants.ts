import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { bytes, cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export const merchants = pgTable(
  "merchants",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    mcc: text().notNull(),
    name: text(),
    merchantName: text(),
    merchantUrl: text(),
    status: boolean().notNull().default(true),
    platformFeeEnabled: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [index().on(t.clientId, t.createdAt, t.id), uniqueIndex("merchants_owner").on(t.clientId, t.id)],
);

export const providers = pgTable(
  "providers",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    name: text().notNull(),
    kind: text().notNull(),
    priority: integer().notNull(),
    /** Credentials without their type, encrypted under the key-encryption key. */
    credentials: bytes().notNull(),
    /** Names of the members given, so that they can be shown masked. */
    credentialMembers: text().array().notNull(),
    options: jsonb().$type<Record<string, unknown>>(),
    acquirer: jsonb().$type<Record<string, unknown>>(),
    /** False for kinds that have no adapter in this installation: stored, never routed. */
    routable: boolean().notNull(),
    idempotencyKey: text(),
    requestId: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    index().on(t.merchantId, t.priority, t.createdAt),
    index().on(t.clientId, t.createdAt),
    check("providers_priority", sql`${t.priority} >= 1`),
  ],
);

export const platformFeeRules = pgTable(
  "platform_fee_rules",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    paymentMethod: text({ enum: ["credit", "pix", "boleto", "default"] }).notNull(),
    percentageBps: integer(),
    fixedAmount: cents(),
    installment: smallint(),
    /** 1, 2, 7 or 13: the first instalment of the band; 0 outside credit. */
    band: smallint().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("platform_fee_rules_band").on(t.merchantId, t.paymentMethod, t.band).where(sql`${t.deletedAt} is null`),
    check("platform_fee_rules_value", sql`${t.percentageBps} is not null or ${t.fixedAmount} is not null`),
  ],
);
