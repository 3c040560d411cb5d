import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  char,
  check,
  date,
  index,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { isAmong } from "@/db/literals";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export const RECEIVABLE_TYPES = ["credit", "refund", "refund_reversal", "chargeback", "chargeback_refund"] as const;
export type ReceivableType = (typeof RECEIVABLE_TYPES)[number];

export const RECEIVABLE_STATUSES = ["waiting_funds", "paid", "prepaid"] as const;
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];

const ADDING = ["credit", "refund_reversal", "chargeback_refund"] as const satisfies ReceivableType[];
const REDUCING = ["refund", "refund_reversal"] as const satisfies ReceivableType[];

/**
 * One instalment of a charge that one party has to receive, or what a refund or a chargeback takes from it again
 * (spec/money.md section 6). Nothing of it ever changes but when and how it is paid.
 */
export const receivables = pgTable(
  "receivables",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    chargeId: uuid().notNull(),
    /** The journal that says the same in the books, of the same charge (db/policies). */
    journalId: uuid().notNull(),
    /** Null: the merchant's own. */
    sellerId: uuid(),
    type: text({ enum: RECEIVABLE_TYPES }).notNull(),
    status: text({ enum: RECEIVABLE_STATUSES }).notNull(),
    /** From 1; null for what is taken from money that was released already. */
    installment: smallint(),
    installments: smallint().notNull(),
    currency: char({ length: 3 }).notNull(),
    /** Negative for what is taken. */
    gross: cents().notNull(),
    /** Processing fee and fares; negative for those that a refund gives back. */
    fee: cents().notNull().default(0),
    /** What was paid for having it early; net = gross − fee − anticipationFee. */
    anticipationFee: cents().notNull().default(0),
    paymentMethod: text().notNull(),
    paymentArrangement: text(),
    paymentDate: date().notNull(),
    originalPaymentDate: date().notNull(),
    /** The receivable, still waiting, that a refund was taken from. */
    reduces: uuid().references((): AnyPgColumn => receivables.id),
    /** When its money could be used. */
    availableAt: instant(),
    /** The payment batch, not failed, that it stands in. */
    batchId: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("receivables_one_per_installment")
      .on(t.chargeId, t.installment, sql`coalesce(${t.sellerId}, '00000000-0000-0000-0000-000000000000'::uuid)`)
      .where(sql`${t.type} = 'credit'`),
    index("receivables_taken").on(t.chargeId).where(sql`${t.type} <> 'credit'`),
    index("receivables_reduced").on(t.reduces).where(sql`${t.reduces} is not null`),
    index("receivables_reducing").on(t.clientId, t.sellerId).where(sql`${t.reduces} is not null`),
    index("receivables_seller").on(t.sellerId, t.paymentDate, t.id).where(sql`${t.sellerId} is not null`),
    index("receivables_waiting")
      .on(t.merchantId, t.paymentDate, t.chargeId, t.installment)
      .where(sql`${t.status} = 'waiting_funds'`),
    index("receivables_early").on(t.merchantId).where(sql`${t.status} = 'prepaid' and ${t.availableAt} is null`),
    index("receivables_ready")
      .on(t.merchantId, t.sellerId, t.id)
      .where(sql`${t.batchId} is null and ${t.availableAt} is not null`),
    index("receivables_orders").on(t.clientId, t.createdAt, t.id).where(sql`${t.availableAt} is not null`),
    index("receivables_settling").on(t.merchantId, t.originalPaymentDate).where(sql`${t.type} = 'credit'`),
    check("receivables_type", isAmong(t.type, RECEIVABLE_TYPES)),
    check("receivables_status", isAmong(t.status, RECEIVABLE_STATUSES)),
    check(
      "receivables_credit",
      sql`${t.type} <> 'credit' or (${t.installment} is not null and ${t.gross} > 0
      and ${t.fee} >= 0 and ${t.anticipationFee} >= 0 and ${t.gross} >= ${t.fee} + ${t.anticipationFee} and ${t.reduces} is null)`,
    ),
    check(
      "receivables_taken_at_once",
      sql`${t.type} = 'credit' or (${t.status} = 'paid' and ${t.anticipationFee} = 0)`,
    ),
    check("receivables_sign", sql`${t.gross} <> 0 and (${t.gross} > 0) = (${isAmong(t.type, ADDING)})`),
    check("receivables_reduces", sql`${t.reduces} is null or ${isAmong(t.type, REDUCING)}`),
    check("receivables_installment", sql`${t.installment} between 1 and ${t.installments}`),
    check(
      "receivables_available",
      sql`case ${t.status} when 'waiting_funds' then ${t.availableAt} is null
      when 'paid' then ${t.availableAt} is not null else true end`,
    ),
  ],
);
