import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { foldedSql } from "@/db/folded";
import { clients } from "@/db/schema/accounts";
import { bytes, cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { merchants, providers } from "@/db/schema/merchants";
import { salePlans } from "@/db/schema/sale-plans";

export const SELLER_STATUSES = ["pending", "active", "partial", "inactive", "blocked"] as const;
export type SellerStatus = (typeof SELLER_STATUSES)[number];

export const REGISTRATION_STATUSES = ["pending", "active", "refused", "blocked", "inactive"] as const;
export const REGISTRATION_CALLS = ["register", "update", "document"] as const;
/** `planned` was committed and perhaps sent; `undetermined` was sent and is asked about. */
export const CALL_STATES = ["planned", "undetermined", "approved", "declined", "not_sent"] as const;
export const REVIEW_STATUSES = ["opened", "submitted", "approved", "rejected", "expired"] as const;
export const DOCUMENT_TYPES = ["SELFIE", "CNH_FULL", "CNH_FRONT", "CNH_BACK", "RG_FRONT", "RG_BACK"] as const;
export const DOCUMENT_STATUSES = ["uploaded", "attached", "sent"] as const;

const among = (values: readonly string[]) => sql.raw(`('${values.join("','")}')`);

export interface SellerAddress {
  street: string;
  streetNumber: string;
  complement?: string | undefined;
  district: string;
  city: string;
  state: string;
  zipCode: string;
  country: string;
  referencePoint?: string | undefined;
}
export interface SellerDocument {
  type: string;
  number: string;
  country: string;
}
export interface SellerOwner {
  name: string;
  email: string;
  phoneNumber: string;
  birthdate: string;
  document: SellerDocument;
  address: SellerAddress;
  businessCategory?: string | undefined;
  monthlyIncome?: number | undefined;
  professionalOccupation?: string | undefined;
  isBusinessRepresentative?: boolean | undefined;
  annualRevenue?: number | undefined;
}
export interface SellerBusiness {
  name: string;
  email: string;
  phoneNumber: string;
  document: SellerDocument;
  address: SellerAddress;
  corporateReason?: string | undefined;
  website?: string | undefined;
  description?: string | undefined;
  facebook?: string | undefined;
  twitter?: string | undefined;
  openingDate?: string | undefined;
  annualRevenue?: number | undefined;
}
export interface SellerBankAccount {
  holderName: string;
  holderDocument: string;
  bank?: string | undefined;
  ispb?: string | undefined;
  branchNumber: string;
  branchCheckDigit?: string | undefined;
  accountNumber: string;
  accountCheckDigit?: string | undefined;
  type: "conta_corrente" | "conta_poupanca" | "conta_corrente_conjunta" | "conta_poupanca_conjunta";
  pixKey?: string | undefined;
  holdeType?: "individual" | "company" | undefined;
}
export interface SellerTransferPolicy {
  transferInterval: "daily" | "weekly" | "monthly";
  transferDay: string;
  transferEnabled: boolean;
  automaticAnticipationEnabled?: boolean | undefined;
  anticipatableVolumePercentage?: string | undefined;
  automaticAnticipationType?: string | undefined;
  automaticAnticipationDays?: string | undefined;
  automaticAnticipation1025Delay?: string | undefined;
}

/** Who receives a part of split payments (spec/contract.md section 13). */
export const sellers = pgTable(
  "sellers",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    mcc: text().notNull(),
    /** A pure function of the registrations, the reviews and `isSwitchedOff`. */
    status: text({ enum: SELLER_STATUSES }).notNull(),
    statusReason: text(),
    reasonType: text({ enum: ["other", "funds"] }),
    isSwitchedOff: boolean().notNull().default(false),
    owner: jsonb().$type<SellerOwner>().notNull(),
    business: jsonb().$type<SellerBusiness>(),
    bankAccount: jsonb().$type<SellerBankAccount>().notNull(),
    transferPolicy: jsonb().$type<SellerTransferPolicy>().notNull(),
    rateAgreements: jsonb().$type<Record<string, unknown>[]>(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    /** Of the business, else of the owner: type, number and country in one text, unique in the merchant. */
    documentKey: text().notNull(),
    documentNumber: text().notNull(),
    /** Lower case. */
    ownerEmail: text().notNull(),
    businessEmail: text(),
    /** What a person searches by. */
    ownerName: text().notNull(),
    businessName: text(),
    /** Null: the account's default plan. */
    planId: uuid().references(() => salePlans.id),
    salesPlanId: text(),
    processingFee: boolean().notNull().default(false),
    liable: boolean().notNull().default(false),
    fareMdrBps: integer().notNull().default(0),
    fareFee: cents().notNull().default(0),
    minNegativeBalance: cents().notNull().default(0),
    maxRefundDays: integer(),
    notifyOnPayout: boolean().notNull().default(true),
    /** Nothing is transferred before: the bank account is new. */
    transfersHeldUntil: instant(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("sellers_document").on(t.merchantId, t.documentKey).where(sql`${t.deletedAt} is null`),
    uniqueIndex("sellers_merchant").on(t.merchantId, t.id),
    // Equal keys take no room of their own: all of an account are counted from a few pages.
    index("sellers_counted").on(t.clientId, t.status).where(sql`${t.deletedAt} is null`),
    // With what lists are narrowed by: they are paged through without a look at the rows.
    index("sellers_listed")
      .on(t.clientId, t.createdAt, t.id, t.status, t.merchantId, t.createdByKey)
      .where(sql`${t.deletedAt} is null`),
    index("sellers_owner_email").on(t.clientId, t.ownerEmail),
    index("sellers_business_email").on(t.clientId, t.businessEmail),
    index("sellers_document_number").on(t.clientId, t.documentNumber),
    // Any part of a name (pg_trgm), within one account (btree_gin).
    index("sellers_business_words").using("gin", t.clientId, sql`lower(${t.businessName}) gin_trgm_ops`),
    index("sellers_words").using(
      "gin",
      t.clientId,
      sql`${foldedSql(sql`${t.ownerName} || ' ' || coalesce(${t.businessName}, '')`)} gin_trgm_ops`,
    ),
    check("sellers_status", sql`${t.status} in ${among(SELLER_STATUSES)}`),
    check("sellers_fares", sql`${t.fareMdrBps} between 0 and 10000 and ${t.fareFee} >= 0`),
    check(
      "sellers_refunds",
      sql`${t.minNegativeBalance} >= 0 and (${t.maxRefundDays} is null or ${t.maxRefundDays} >= 0)`,
    ),
  ],
);

/** A seller at one provider. */
export const sellerRegistrations = pgTable(
  "seller_registrations",
  {
    id: id(),
    clientId: clientId(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    providerType: text().notNull(),
    externalId: text(),
    status: text({ enum: REGISTRATION_STATUSES }).notNull(),
    externalStatus: text(),
    externalStatusReason: text(),
    /** Questions that brought no news since the last ones did. */
    queries: smallint().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("seller_registrations_place").on(t.sellerId, t.providerId),
    index("seller_registrations_provider").on(t.providerId, t.status),
    index("seller_registrations_external").on(t.clientId, t.externalId),
    check("seller_registrations_status", sql`${t.status} in ${among(REGISTRATION_STATUSES)}`),
    check("seller_registrations_active", sql`${t.status} <> 'active' or ${t.externalId} is not null`),
  ],
);

/** What was sent to a provider about a seller: committed before the call, one at a time. */
export const sellerCalls = pgTable(
  "seller_calls",
  {
    id: id(),
    clientId: clientId(),
    registrationId: uuid()
      .notNull()
      .references(() => sellerRegistrations.id),
    call: text({ enum: REGISTRATION_CALLS }).notNull(),
    /** Of its kind at this registration, from 1. */
    sequence: integer().notNull(),
    state: text({ enum: CALL_STATES }).notNull(),
    /** The document it sends. */
    documentId: uuid().references(() => sellerDocuments.id),
    /** What the provider said, in its own words. */
    answer: text(),
    sentAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("seller_calls_sequence").on(t.registrationId, t.call, t.sequence),
    uniqueIndex("seller_calls_one_open")
      .on(t.registrationId)
      .where(sql`${t.state} = 'undetermined' or (${t.state} = 'planned' and ${t.sentAt} is not null)`),
    uniqueIndex("seller_calls_registered_once")
      .on(t.registrationId)
      .where(sql`${t.call} = 'register' and ${t.state} in ('planned', 'undetermined', 'approved')`),
    index("seller_calls_document").on(t.documentId).where(sql`${t.documentId} is not null`),
    check("seller_calls_call", sql`${t.call} in ${among(REGISTRATION_CALLS)}`),
    check("seller_calls_state", sql`${t.state} in ${among(CALL_STATES)}`),
    check("seller_calls_document", sql`(${t.call} = 'document') = (${t.documentId} is not null)`),
  ],
);

/** A file under a key of its own, itself sealed under TRILHO_KEK; kept by its content. */
export const sellerDocuments = pgTable(
  "seller_documents",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    sellerId: uuid().references(() => sellers.id),
    type: text({ enum: DOCUMENT_TYPES }).notNull(),
    status: text({ enum: DOCUMENT_STATUSES }).notNull(),
    mime: text().notNull(),
    size: integer().notNull(),
    /** Of what was sent, keyed: the same file twice is one row. */
    digest: bytes().notNull(),
    wrappedKey: bytes(),
    nonce: bytes(),
    ciphertext: bytes(),
    /** While nobody names it. */
    expiresAt: instant(),
    erasedAt: instant(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("seller_documents_content")
      .on(t.clientId, t.type, t.digest, sql`coalesce(${t.createdByKey}, '00000000-0000-0000-0000-000000000000'::uuid)`)
      .where(sql`${t.deletedAt} is null and ${t.sellerId} is null`),
    index().on(t.clientId, t.createdAt, t.id),
    index("seller_documents_seller").on(t.sellerId).where(sql`${t.sellerId} is not null`),
    index("seller_documents_expiry").on(t.expiresAt).where(sql`${t.expiresAt} is not null and ${t.erasedAt} is null`),
    check("seller_documents_type", sql`${t.type} in ${among(DOCUMENT_TYPES)}`),
    check("seller_documents_status", sql`${t.status} in ${among(DOCUMENT_STATUSES)}`),
    check("seller_documents_named", sql`(${t.status} = 'uploaded') = (${t.sellerId} is null)`),
    check(
      "seller_documents_erased",
      sql`(${t.erasedAt} is null) = (${t.ciphertext} is not null) and (${t.ciphertext} is null) = (${t.wrappedKey} is null)
        and (${t.ciphertext} is null) = (${t.nonce} is null)`,
    ),
  ],
);

/** What a provider asks of a seller's data (spec/contract.md 13.6). */
export const sellerReviews = pgTable(
  "seller_reviews",
  {
    id: id(),
    clientId: clientId(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    registrationId: uuid()
      .notNull()
      .references(() => sellerRegistrations.id),
    /** The provider's own. */
    externalId: text().notNull(),
    status: text({ enum: REVIEW_STATUSES }).notNull(),
    requestedFields: text().array().notNull(),
    reason: text(),
    deadline: instant().notNull(),
    /** The smallest number of days before the deadline that was told of. */
    remindedDays: smallint(),
    submittedAt: instant(),
    closedAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("seller_reviews_external").on(t.registrationId, t.externalId),
    index("seller_reviews_seller").on(t.sellerId, t.createdAt),
    check("seller_reviews_status", sql`${t.status} in ${among(REVIEW_STATUSES)}`),
    check(
      "seller_reviews_closed",
      sql`(${t.closedAt} is not null) = (${t.status} in ('approved', 'rejected', 'expired'))`,
    ),
  ],
);

/** A bank account that the first of two people proposed; nothing is sent to it before the second confirms. */
export const sellerAccountChanges = pgTable(
  "seller_account_changes",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    bankAccount: jsonb().$type<SellerBankAccount>().notNull(),
    askedBy: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
    endedBy: uuid(),
    outcome: text({ enum: ["confirmed", "refused", "replaced"] }),
  },
  (t) => [
    uniqueIndex("seller_account_changes_open").on(t.sellerId).where(sql`${t.endedAt} is null`),
    check("seller_account_changes_end", sql`num_nonnulls(${t.endedAt}, ${t.outcome}) <> 1`),
    check("seller_account_changes_two_people", sql`${t.outcome} <> 'confirmed' or ${t.endedBy} <> ${t.askedBy}`),
  ],
);

/** Locked by whoever moves money of a seller out of what is available: what it may owe is decided once at a time. */
export const sellerPositions = pgTable(
  "seller_positions",
  {
    clientId: clientId(),
    merchantId: uuid().notNull(),
    sellerId: uuid().notNull(),
    /** Since when it owes: the day after which it never had anything again. */
    debtSince: date(),
    /** When people were told that nothing of it comes in. */
    debtToldAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.sellerId] }),
    foreignKey({ columns: [t.merchantId, t.sellerId], foreignColumns: [sellers.merchantId, sellers.id] }),
  ],
);
