import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";
import { payoutFiles } from "@/db/schema/payout-files";
import { type SellerBankAccount, sellers } from "@/db/schema/sellers";

export const BATCH_STATUSES = ["pending", "paid", "failed", "offset"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];
export const BATCH_FEATURES = ["subacquirer", "nupay", "general"] as const;
export const BATCH_METHODS = ["credit", "pix", "nupay"] as const;
export const LINE_TYPES = [
  "credit",
  "fee",
  "refund",
  "chargeback",
  "adjustment",
  "manual_credit",
  "carried",
  "withdrawal",
] as const;
export type LineType = (typeof LINE_TYPES)[number];
export const LINE_SOURCES = ["receivable", "adjustment", "batch", "plan"] as const;
export const TRANSFER_STATES = ["created", "sent", "unknown", "settled", "failed", "returned"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];
/** Why a bank does not pay (spec/settlement.md section 4). */
export const TRANSFER_REASONS = [
  "invalid_account",
  "account_closed",
  "holder_mismatch",
  "bank_unavailable",
  "limit_exceeded",
  "compliance",
  "unknown",
] as const;
export type TransferReason = (typeof TRANSFER_REASONS)[number];
export const PAYOUT_RAILS = ["sandbox", "file", "none"] as const;
export type PayoutRailName = (typeof PAYOUT_RAILS)[number];

const among = (values: readonly string[]) => sql.raw(`('${values.join("','")}')`);

/** What is paid to a seller, or to the merchant itself, on one day (spec/money.md section 9). */
export const payoutBatches = pgTable(
  "payout_batches",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    /** Null: the merchant's own. */
    sellerId: uuid().references(() => sellers.id),
    status: text({ enum: BATCH_STATUSES }).notNull(),
    currency: text().notNull().default("BRL"),
    amount: cents().notNull(),
    feeAmount: cents().notNull(),
    withdrawalFeeAmount: cents().notNull(),
    totalFeeAmount: cents().notNull(),
    balanceAmount: cents().notNull(),
    creditAmount: cents().notNull(),
    refundAmount: cents().notNull(),
    debitAdjustmentAmount: cents().notNull(),
    creditAdjustmentAmount: cents().notNull(),
    finalBalance: cents().notNull(),
    paymentDate: date().notNull(),
    payoutDate: date(),
    feature: text({ enum: BATCH_FEATURES }).notNull(),
    paymentMethod: text({ enum: BATCH_METHODS }),
    paymentArrangement: text(),
    errorReason: text({ enum: TRANSFER_REASONS }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique("payout_batches_group")
      .on(t.clientId, t.merchantId, t.sellerId, t.paymentDate, t.paymentArrangement, t.paymentMethod, t.feature)
      .nullsNotDistinct(),
    index("payout_batches_client").on(t.clientId, t.createdAt, t.id),
    index("payout_batches_seller").on(t.sellerId, t.createdAt, t.id),
    index("payout_batches_pending").on(t.merchantId, t.paymentDate).where(sql`${t.status} = 'pending'`),
    index("payout_batches_offset").on(t.merchantId).where(sql`${t.status} = 'offset'`),
    check("payout_batches_status", sql`${t.status} in ${among(BATCH_STATUSES)}`),
    check("payout_batches_feature", sql`${t.feature} in ${among(BATCH_FEATURES)}`),
    check(
      "payout_batches_signs",
      sql`${t.amount} >= 0 and ${t.creditAmount} >= 0 and ${t.feeAmount} >= 0 and ${t.refundAmount} >= 0
        and ${t.debitAdjustmentAmount} >= 0 and ${t.creditAdjustmentAmount} >= 0 and ${t.withdrawalFeeAmount} >= 0
        and ${t.balanceAmount} <= 0`,
    ),
    check("payout_batches_fees", sql`${t.totalFeeAmount} = ${t.feeAmount} + ${t.withdrawalFeeAmount}`),
    check(
      "payout_batches_identity",
      sql`${t.finalBalance} = ${t.amount} + ${t.balanceAmount} + ${t.creditAmount} + ${t.creditAdjustmentAmount}
        - ${t.totalFeeAmount} - ${t.refundAmount} - ${t.debitAdjustmentAmount}`,
    ),
    check("payout_batches_withdrawal", sql`${t.finalBalance} > 0 or ${t.withdrawalFeeAmount} = 0`),
    check("payout_batches_offset", sql`(${t.status} = 'offset') = (${t.finalBalance} <= 0)`),
    check(
      "payout_batches_paid",
      sql`${t.payoutDate} is null or (${t.status} = 'paid' and ${t.payoutDate} >= ${t.paymentDate})`,
    ),
    check("payout_batches_error", sql`(${t.errorReason} is not null) = (${t.status} = 'failed')`),
  ],
);

/** What a batch is made of; the lines of each type add up to its field, and all of them to what is sent. */
export const payoutLines = pgTable(
  "payout_lines",
  {
    id: id(),
    clientId: clientId(),
    batchId: uuid()
      .notNull()
      .references(() => payoutBatches.id),
    type: text({ enum: LINE_TYPES }).notNull(),
    amount: cents().notNull(),
    chargeId: uuid(),
    sourceType: text({ enum: LINE_SOURCES }).notNull(),
    sourceId: uuid().notNull(),
    /** The failed batch that it stood in before. */
    previousBatchId: uuid(),
    /** Until its batch fails. */
    isLive: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    index("payout_lines_batch").on(t.batchId, t.id),
    index("payout_lines_source").on(t.sourceId),
    uniqueIndex("payout_lines_once").on(t.sourceId, t.type).where(sql`${t.isLive} and ${t.type} <> 'withdrawal'`),
    check("payout_lines_type", sql`${t.type} in ${among(LINE_TYPES)}`),
    check(
      "payout_lines_sign",
      sql`case when ${t.type} in ('credit', 'manual_credit') then ${t.amount} > 0
        when ${t.type} in ('fee', 'refund', 'chargeback', 'carried', 'withdrawal') then ${t.amount} <= 0 else true end`,
    ),
  ],
);

/** Money of a seller that no sale moved: what a bank gave back, and corrections that two people made. */
export const sellerAdjustments = pgTable(
  "seller_adjustments",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    kind: text({ enum: ["returned", "credit", "correction", "write_off"] }).notNull(),
    amount: cents().notNull(),
    currency: text().notNull().default("BRL"),
    /** Of the transfer that came back. */
    transferId: uuid(),
    reason: text().notNull(),
    batchId: uuid(),
    createdAt: createdAt(),
  },
  (t) => [
    index("seller_adjustments_ready").on(t.merchantId, t.sellerId).where(sql`${t.batchId} is null`),
    uniqueIndex("seller_adjustments_transfer").on(t.transferId).where(sql`${t.transferId} is not null`),
    check("seller_adjustments_amount", sql`${t.amount} <> 0 and (${t.amount} > 0 or ${t.kind} = 'correction')`),
  ],
);

export interface Destination {
  account: SellerBankAccount;
  method: "pix" | "ted";
}

/** One order to a bank: committed before anybody is told, and told at most once (spec/settlement.md section 4). */
export const payoutTransfers = pgTable(
  "payout_transfers",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    sellerId: uuid().notNull(),
    batchId: uuid()
      .notNull()
      .references(() => payoutBatches.id),
    reference: text().notNull(),
    rail: text({ enum: PAYOUT_RAILS }).notNull(),
    amount: cents().notNull(),
    currency: text().notNull().default("BRL"),
    status: text({ enum: TRANSFER_STATES }).notNull(),
    destination: jsonb().$type<Destination>().notNull(),
    reason: text({ enum: TRANSFER_REASONS }),
    /** Before the call: whoever finds it without an answer asks. */
    attemptedAt: instant(),
    /** What the seller was then, as the database saw it. */
    leftAs: text(),
    sentOn: date(),
    settledAt: instant(),
    returnedAt: instant(),
    /** Questions that brought no answer. */
    queries: smallint().notNull().default(0),
    /** What its bank, or a person, calls it. */
    bankReference: text(),
    /** The file that carries it to the bank, and its name in it. */
    fileId: uuid().references(() => payoutFiles.id),
    fileNumber: text(),
    /** When two people said how it ended. */
    markedAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("payout_transfers_batch").on(t.batchId),
    uniqueIndex("payout_transfers_reference").on(t.reference),
    uniqueIndex("payout_transfers_file").on(t.merchantId, t.fileNumber).where(sql`${t.fileNumber} is not null`),
    index("payout_transfers_open").on(t.merchantId).where(sql`${t.status} in ('created', 'sent', 'unknown')`),
    index("payout_transfers_settled").on(t.merchantId, t.sentOn).where(sql`${t.status} = 'settled'`),
    index("payout_transfers_marked").on(t.merchantId, t.sentOn).where(sql`${t.markedAt} is not null`),
    check("payout_transfers_filed", sql`(${t.fileId} is null) = (${t.fileNumber} is null)`),
    check("payout_transfers_amount", sql`${t.amount} > 0`),
    check("payout_transfers_status", sql`${t.status} in ${among(TRANSFER_STATES)}`),
    check("payout_transfers_sent", sql`${t.status} not in ('sent', 'settled', 'returned') or ${t.sentOn} is not null`),
  ],
);

/** Why nothing is transferred to a seller: until it is lifted, or its bank account changes. */
export const payoutHolds = pgTable(
  "payout_holds",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    cause: text({ enum: ["account", "operator"] }).notNull(),
    reason: text().notNull(),
    createdAt: createdAt(),
    liftedAt: instant(),
  },
  (t) => [
    uniqueIndex("payout_holds_open").on(t.sellerId, t.cause).where(sql`${t.liftedAt} is null`),
    index("payout_holds_seller").on(t.sellerId),
  ],
);
