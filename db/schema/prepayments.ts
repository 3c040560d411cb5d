import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";
import { sellers } from "@/db/schema/sellers";

export const PREPAYMENT_STATUSES = ["pending", "committed", "paid", "expired"] as const;
export type PrepaymentStatus = (typeof PREPAYMENT_STATUSES)[number];

const among = (values: readonly string[]) => sql.raw(`('${values.join("','")}')`);

/** Receivables paid before their day, priced once (spec/money.md section 8). */
export const prepayments = pgTable(
  "prepayments",
  {
    id: id(),
    clientId: clientId(),
    /** Of the seller; null where all merchants of the account are asked for their own. */
    merchantId: uuid().references(() => merchants.id),
    /** Null: the account's own receivables. */
    sellerId: uuid().references(() => sellers.id),
    status: text({ enum: PREPAYMENT_STATUSES }).notNull(),
    automatic: boolean().notNull().default(false),
    grossAmount: cents().notNull(),
    netAmount: cents().notNull(),
    feeAmount: cents().notNull(),
    markupAmount: cents().notNull(),
    monthlyRateBps: integer().notNull(),
    markupBps: integer().notNull(),
    /** What was asked for: original settlement dates, or an end date. */
    receiptDates: date().array(),
    endDate: date(),
    paymentDate: date().notNull(),
    expiresAt: instant().notNull(),
    committedAt: instant(),
    paidAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("prepayments_client").on(t.clientId, t.createdAt, t.id),
    index("prepayments_due").on(t.clientId, t.paymentDate).where(sql`${t.status} = 'committed'`),
    check("prepayments_status", sql`${t.status} in ${among(PREPAYMENT_STATUSES)}`),
    check(
      "prepayments_price",
      sql`${t.netAmount} > 0 and ${t.feeAmount} >= 0 and ${t.markupAmount} >= 0
        and ${t.grossAmount} = ${t.netAmount} + ${t.feeAmount} + ${t.markupAmount}`,
    ),
    check("prepayments_whose", sql`(${t.merchantId} is null) = (${t.sellerId} is null)`),
    check("prepayments_chosen", sql`num_nonnulls(${t.receiptDates}, ${t.endDate}) = 1`),
  ],
);

/** One receivable of a prepayment, at its price. */
export const prepaymentItems = pgTable(
  "prepayment_items",
  {
    id: id(),
    clientId: clientId(),
    prepaymentId: uuid().notNull(),
    receivableId: uuid().notNull(),
    /** Its prepayment is committed: no other may have it. */
    isCommitted: boolean().notNull().default(false),
    settlementDate: date().notNull(),
    daysToAnticipate: integer().notNull(),
    paymentArrangement: text(),
    grossAmount: cents().notNull(),
    netAmount: cents().notNull(),
    feeAmount: cents().notNull(),
    markupAmount: cents().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("prepayment_items_of").on(t.prepaymentId, t.receivableId),
    uniqueIndex("prepayment_items_committed").on(t.receivableId).where(sql`${t.isCommitted}`),
    check(
      "prepayment_items_price",
      sql`${t.netAmount} > 0 and ${t.feeAmount} >= 0 and ${t.markupAmount} >= 0
        and ${t.grossAmount} = ${t.netAmount} + ${t.feeAmount} + ${t.markupAmount}`,
    ),
  ],
);
