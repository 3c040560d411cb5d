import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { literals } from "@/db/literals";
import { charges } from "@/db/schema/charges";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { type CardHolder, customers } from "@/db/schema/customers";

type Json = Record<string, unknown>;

export const PURCHASE_STATUSES = ["pending", "paid", "failed", "cancelled"] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** `pre_authorized` is an authorization hold, `authorized` is captured money. */
export const SLOT_STATUSES = [
  "pending",
  "processing",
  "undetermined",
  "pre_authorized",
  "authorized",
  "failed",
  "voided",
  "canceled",
  "charged_back",
] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

export const OPERATION_TYPES = ["authorize", "rollback", "capture", "void", "refund"] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

export const OPERATION_STATUSES = ["pending", "processing", "completed", "failed"] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const REVIEW_REASONS = ["reconciliation_failed", "amount_mismatch", "claims_exhausted"] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** A rule as it was sent; on a slot with the cents of this card. */
export interface StoredSplitRule {
  sellerId: string;
  percentage?: number;
  amount?: number;
  processingFee: boolean;
  liable: boolean;
  chargeEntireFee?: boolean;
  transactionOwner?: boolean;
  chargeRemainderFee?: boolean;
  fares?: { mdr?: number; fee?: number };
}

export interface CardSnapshot {
  brand: string;
  first6digits: string;
  last4digits: string;
  expirationMonth: string;
  expirationYear: string;
  cardHolderName: string;
}

export const purchases = pgTable(
  "purchases",
  {
    id: id(),
    clientId: clientId(),
    /** As asked: it need not exist, nor be this client's. */
    merchantId: uuid().notNull(),
    status: text({ enum: PURCHASE_STATUSES }).notNull().default("pending"),
    amount: cents().notNull(),
    currency: text().notNull(),
    capture: boolean().notNull(),
    orderId: text(),
    sessionId: uuid(),
    customerId: uuid().references(() => customers.id),
    description: text(),
    statementDescriptor: text(),
    metadata: jsonb().$type<Json>(),
    splitRules: jsonb().$type<StoredSplitRule[]>(),
    reviewReason: text({ enum: REVIEW_REASONS }),
    reviewSince: instant(),
    /** Forwarded to the simulator with every call of the purchase; sandbox accounts only. */
    scenario: text(),
    requestId: text(),
    idempotencyKey: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index().on(t.clientId, t.createdAt, t.id),
    index().on(t.clientId, t.status, t.createdAt, t.id),
    index().on(t.clientId, t.merchantId, t.createdAt),
    index("purchases_amount").on(t.clientId, t.amount, t.createdAt, t.id),
    index("purchases_customer").on(t.customerId).where(sql`${t.customerId} is not null`),
    index("purchases_metadata")
      .using("gin", t.clientId, t.metadata.op("jsonb_path_ops"))
      .where(sql`${t.metadata} is not null`),
    index("purchases_split").on(t.clientId, t.createdAt, t.id).where(sql`${t.splitRules} is not null`),
    index("purchases_order").on(t.clientId, t.orderId.op("text_pattern_ops")).where(sql`${t.orderId} is not null`),
    index("purchases_session").on(t.sessionId).where(sql`${t.sessionId} is not null`),
    index("purchases_in_review").on(t.clientId, t.reviewSince).where(sql`${t.reviewReason} is not null`),
    check("purchases_status", sql`${t.status} in ${literals(PURCHASE_STATUSES)}`),
    check("purchases_amount", sql`${t.amount} >= 200`),
    check("purchases_currency", sql`${t.currency} = 'BRL'`),
    check("purchases_review", sql`(${t.reviewReason} is null) = (${t.reviewSince} is null)`),
  ],
);

/** One card of a purchase: a slot. From its first attempt on it has a charge, and the attempts lie under that. */
export const purchasePayments = pgTable(
  "purchase_payments",
  {
    id: id(),
    clientId: clientId(),
    purchaseId: uuid()
      .notNull()
      .references(() => purchases.id),
    slotIndex: smallint().notNull(),
    amount: cents().notNull(),
    installments: smallint().notNull(),
    status: text({ enum: SLOT_STATUSES }).notNull().default("pending"),
    chargeId: uuid().references(() => charges.id),
    declineReason: text(),
    refundedAmount: cents().notNull().default(0),
    sourceType: text({ enum: ["card", "token"] }).notNull(),
    tokenId: uuid(),
    /** As asked, or made from the token: a saved card need not exist. */
    cardId: uuid(),
    card: jsonb().$type<CardSnapshot>(),
    holder: jsonb().$type<CardHolder>(),
    splitRules: jsonb().$type<StoredSplitRule[]>(),
    /** Why the source can never be charged, known when the purchase was accepted. */
    refusal: text(),
    /** The operation that acted on this slot last, how often it tried, and whether the provider refused. */
    operationId: uuid(),
    tries: smallint().notNull().default(0),
    refused: boolean().notNull().default(false),
    /** Money was once taken on this card. */
    wasCaptured: boolean().notNull().default(false),
    /** The bank took a part alone: what is left was not given back. */
    disputedInPart: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("purchase_payments_slot").on(t.purchaseId, t.slotIndex),
    index("purchase_payments_declined").on(t.clientId, t.declineReason).where(sql`${t.declineReason} is not null`),
    index("purchase_payments_disputed").on(t.clientId).where(sql`${t.status} = 'charged_back'`),
    index("purchase_payments_refunded").on(t.clientId, t.purchaseId).where(sql`${t.refundedAmount} > 0`),
    index("purchase_payments_brand").on(t.clientId, sql`(${t.card} ->> 'brand')`),
    // Under row security nobody reads by it: its operator could tell.
    index("purchase_payments_holder")
      .on(t.clientId, sql`(${t.holder} #>> '{document,number}')`)
      .where(sql`${t.holder} is not null`),
    index("purchase_payments_amount").on(t.clientId, t.amount, t.createdAt),
    uniqueIndex("purchase_payments_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
    check("purchase_payments_status", sql`${t.status} in ${literals(SLOT_STATUSES)}`),
    check("purchase_payments_index", sql`${t.slotIndex} between 0 and 2`),
    check("purchase_payments_amount", sql`${t.amount} >= 100`),
    check("purchase_payments_refunds", sql`${t.refundedAmount} between 0 and ${t.amount}`),
    check("purchase_payments_installments", sql`${t.installments} between 1 and 24`),
  ],
);

export const purchaseOperations = pgTable(
  "purchase_operations",
  {
    id: id(),
    clientId: clientId(),
    purchaseId: uuid()
      .notNull()
      .references(() => purchases.id),
    type: text({ enum: OPERATION_TYPES }).notNull(),
    status: text({ enum: OPERATION_STATUSES }).notNull().default("pending"),
    requestedBy: text({ enum: ["client", "system"] }).notNull(),
    /** A refund of one card only, and how much of it. */
    slotIndex: smallint(),
    amount: cents(),
    /** Whose parts of a refund go back, where the request said so. */
    splitRules: jsonb().$type<{ sellerId: string; amount: number }[]>(),
    /** Why it failed: a decline code. */
    error: text(),
    scenario: text(),
    /** Real time. When it may be claimed; null while it waits for the answer to a query. */
    runAt: instant(),
    /** Lease on real time of whoever works on it, and the fence of every write it makes. */
    leaseUntil: instant(),
    epoch: integer().notNull().default(0),
    idleClaims: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index().on(t.purchaseId, t.createdAt, t.id),
    // The database, not the code, guarantees a single operation in flight for a purchase.
    uniqueIndex("purchase_operations_one_active").on(t.purchaseId).where(sql`${t.status} in ('pending', 'processing')`),
    index("purchase_operations_claimable").on(t.runAt).where(sql`${t.status} in ('pending', 'processing')`),
    index("purchase_operations_leased").on(t.leaseUntil).where(sql`${t.leaseUntil} is not null`),
    check("purchase_operations_type", sql`${t.type} in ${literals(OPERATION_TYPES)}`),
    check("purchase_operations_status", sql`${t.status} in ${literals(OPERATION_STATUSES)}`),
    check("purchase_operations_part", sql`(${t.slotIndex} is null) = (${t.amount} is null)`),
  ],
);

/** Every move of a purchase, of its cards and of its operations, under the row of its table; append-only. */
export const purchaseMoves = pgTable(
  "purchase_moves",
  {
    /** Moves of one moment keep their order. */
    seq: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    clientId: clientId(),
    purchaseId: uuid()
      .notNull()
      .references(() => purchases.id),
    machine: text({ enum: ["purchase", "slot", "operation"] }).notNull(),
    /** Of the card or of the operation that moved. */
    slotIndex: smallint(),
    operationId: uuid(),
    /** `S10`, `O3`, `P4`. */
    row: text().notNull(),
    fact: text().notNull(),
    from: text().notNull(),
    to: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.purchaseId, t.seq),
    check("purchase_moves_machine", sql`${t.machine} in ('purchase', 'slot', 'operation')`),
  ],
);
