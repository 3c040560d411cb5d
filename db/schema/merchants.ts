import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { bytes, cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

/** What buyers are written of their subscriptions, and a merchant may switch off (spec/subscriptions.md). */
export const SUBSCRIPTION_MAILS = [
  "started",
  "trialEnds",
  "receipt",
  "failed",
  "lastTry",
  "cardExpires",
  "canceled",
] as const;
export type SubscriptionMail = (typeof SUBSCRIPTION_MAILS)[number];

/** A merchant's account at a bank, with its agreement for files of payments. */
export interface PayoutAccount {
  /** COMPE code. */
  bank: string;
  agreement: string;
  branchNumber: string;
  branchCheckDigit?: string | undefined;
  accountNumber: string;
  accountCheckDigit?: string | undefined;
  holderName: string;
  /** CPF or CNPJ, digits. */
  holderDocument: string;
}

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
    /** Which part of the fares of a split goes back with a refund. */
    faresOnRefund: text({ enum: ["none", "mdr", "all"] })
      .notNull()
      .default("mdr"),
    /** How sellers are paid: by the simulator, by files for a bank, or by people who mark it. */
    payoutRail: text({ enum: ["sandbox", "file", "none"] })
      .notNull()
      .default("none"),
    /** The account that files for a bank pay from. */
    payoutAccount: jsonb().$type<PayoutAccount>(),
    /** E-mails of subscriptions that its buyers do not get, by their kind; the others they get. */
    subscriptionMailsOff: text({ enum: SUBSCRIPTION_MAILS }).array().notNull().default([]),
    /** Whether buyers may cancel on the page of their subscription. */
    buyerMayCancel: boolean().notNull().default(false),
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
    /** The last test of the connection, and what the provider said in its own words. */
    testedAt: instant(),
    testPassed: boolean(),
    testWords: text(),
    /** Since when it gets no new payments, though it stays where it is. */
    pausedAt: instant(),
    /** New payments go elsewhere until then, on real time: calls in a row never left. Afterwards one is let through to try. */
    circuitUntil: instant(),
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

/** New credentials of a live provider, sealed, until a second person puts them into use. */
export const providerRotations = pgTable(
  "provider_rotations",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    credentials: bytes().notNull(),
    /** Names of the members that change. */
    members: text().array().notNull(),
    askedBy: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
    endedBy: uuid(),
    outcome: text({ enum: ["confirmed", "refused", "replaced"] }),
  },
  (t) => [
    uniqueIndex("provider_rotations_open").on(t.providerId).where(sql`${t.endedAt} is null`),
    check("provider_rotations_end", sql`num_nonnulls(${t.endedAt}, ${t.outcome}) <> 1`),
    check("provider_rotations_two_people", sql`${t.outcome} <> 'confirmed' or ${t.endedBy} <> ${t.askedBy}`),
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
    refundable: text({ enum: ["none", "mdr", "all"] })
      .notNull()
      .default("mdr"),
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
